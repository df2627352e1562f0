import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A provider that knows the person may answer without asking anybody: recent is when the person was seen, not when the answer came.
@Suite("When the person was seen", .serialized)
struct PresenceTests {
    private static let day: Int64 = 86_400

    private final class Scene {
        let provider: OpenIDProvider
        let daemon: TestApplication
        let project: ScriptedProject?
        private var sign = 0

        /// - Parameter more: in the section of the provider.
        init(_ authority: Authority, more: String = "") throws {
            provider = try OpenIDProvider()
            daemon = try TestApplication(
                OpenIDProvider.configuration + more + (authority == .project ? "\n[accounts]\nauthority = \"firebase\"\napi-key = \"key\"\n" : ""))
            project = authority == .project ? ScriptedProject() : nil
            provider.answersDocuments(of: daemon, and: project)
        }

        /// A page that was answered.
        ///
        /// - Parameter asked: the provider says that it asked the person so many seconds ago; nil if it says nothing.
        func signIn(_ intent: String = "signIn", asked: Int64?, _ parameters: JSONObject = [:]) throws -> RecordedReply {
            let reply = daemon.call(
                "SignIn",
                ["providerID": "work", "intent": .string(intent), "presentation": "client", "customParameters": .object(parameters)], more: true)
            let url = try #require(reply.event?["authorizationURL"]?.stringValue, "\(reply.message)")
            sign += 1
            daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
            daemon.answer(json: try tokens(nonce: url.query("nonce"), asked: asked))
            return reply
        }

        private func tokens(nonce: String?, asked: Int64?) throws -> String {
            let now = daemon.clock.now
            var further: JSONObject = ["email": "ada@example.com"]
            if let asked { further["auth_time"] = .integer(now.seconds - asked) }
            return try provider.tokens("at-\(sign)", refreshToken: "rt-\(sign)", subject: "ada", nonce: nonce, at: now, further: further)
        }

        /// An ID token that a program presents.
        func present(_ intent: String, asked: Int64?, issued: Int64 = 0) throws -> RecordedReply {
            let now = daemon.clock.now
            var further: JSONObject = ["email": "ada@example.com", "iat": .integer(now.seconds - issued)]
            if let asked { further["auth_time"] = .integer(now.seconds - asked) }
            sign += 1
            let token = try provider.idToken(subject: "ada", nonce: "nonce-\(sign)", at: now, further: further)
            let credential: JSON = ["providerID": "work", "idToken": .string(token), "rawNonce": .string("nonce-\(sign)")]
            return daemon.call("SignInWithCredential", ["credential": credential, "intent": .string(intent)])
        }

        /// Whether what takes a recent sign-in is done.
        var isRecent: Bool {
            let reply = daemon.call("UpdateUser", ["password": "correct horse battery"])
            precondition(reply.error == nil || reply.errorName == "RequiresRecentSignIn", reply.message)
            return reply.error == nil
        }
    }

    @Test("a sign-in counts from when the provider asked, however it was answered", arguments: Authority.allCases)
    func signIn(authority: Authority) throws {
        for (asked, parameters, isRecent) in [
            (nil, [:], true), (10, [:], true), (299, [:], true), (301, [:], false), (2 * Self.day, [:], false), (nil, ["prompt": "none"], false),
            (10, ["prompt": "none"], true), (2 * Self.day, ["prompt": "none"], false),
        ] as [(Int64?, JSONObject, Bool)] {
            let scene = try Scene(authority)
            let reply = try scene.signIn(asked: asked, parameters)
            #expect(reply.isCompleted, "\(reply.message)")
            #expect(scene.isRecent == isRecent, "asked \(asked.map(String.init) ?? "not said"), \(parameters)")
        }
    }

    @Test("it stays so whatever becomes of the wall clock", arguments: Authority.allCases)
    func clock(authority: Authority) throws {
        let scene = try Scene(authority)
        #expect(try scene.signIn(asked: 2 * Self.day).isCompleted)
        scene.daemon.clock.set(now: scene.daemon.clock.now.adding(seconds: 60 - 2 * Self.day))
        #expect(!scene.isRecent)
        let another = try Scene(authority)
        #expect(try another.signIn(asked: 250).isCompleted)
        another.daemon.clock.set(now: another.daemon.clock.now.adding(seconds: -Self.day))
        #expect(another.isRecent)
        another.daemon.pass(seconds: 60)
        #expect(!another.isRecent)
    }

    @Test("a reauthentication has the provider ask again, which nothing of the program's takes away")
    func asksAgain() throws {
        let scene = try Scene(.own)
        #expect(try scene.signIn(asked: 10).isCompleted)
        for (parameters, prompt) in [
            ([:], "login"), (["prompt": "none"], "login"), (["prompt": "consent"], "login%20consent"), (["max_age": "3600"], "login"),
            (["prompt": "login"], "login"),
        ] as [(JSONObject, String)] {
            let reply = scene.daemon.call(
                "SignIn",
                ["providerID": "work", "intent": "reauthenticate", "presentation": "client", "customParameters": .object(parameters)], more: true)
            let url = try #require(reply.event?["authorizationURL"]?.stringValue)
            #expect(url.query("prompt") == prompt && url.query("max_age") == "0", "\(url)")
            scene.daemon.browserReturns("state=\(reply.pageState ?? "")&error=access_denied")
        }
    }

    @Test("whoever was asked too long ago is not reauthenticated; who was just asked is", arguments: Authority.allCases)
    func reauthentication(authority: Authority) throws {
        let scene = try Scene(authority)
        #expect(try scene.signIn(asked: 10).isCompleted)
        scene.daemon.pass(seconds: 400)
        for parameters: JSONObject in [[:], ["prompt": "none"]] {
            let refused = try scene.signIn("reauthenticate", asked: 2 * Self.day, parameters)
            #expect(refused.errorName == "RequiresRecentSignIn" && refused.message.contains("without asking the user again"), "\(refused.message)")
            #expect(!scene.isRecent)
        }
        // Where the provider does not say it, it was asked to ask.
        for asked in [nil, 5] as [Int64?] {
            #expect(try scene.signIn("reauthenticate", asked: asked, ["prompt": "none"]).isCompleted)
            #expect(scene.isRecent)
            scene.daemon.pass(seconds: 400)
            #expect(!scene.isRecent)
        }
    }

    @Test("an ID token that a program presents counts from when its user was asked, or it was issued", arguments: Authority.allCases)
    func presented(authority: Authority) throws {
        let scene = try Scene(authority)
        #expect(try scene.present("signIn", asked: nil, issued: 400).error == nil && !scene.isRecent)
        #expect(try scene.present("reauthenticate", asked: nil, issued: 400).errorName == "RequiresRecentSignIn")
        #expect(try scene.present("reauthenticate", asked: 2 * Self.day).errorName == "RequiresRecentSignIn" && !scene.isRecent)
        #expect(try scene.present("reauthenticate", asked: nil, issued: 200).error == nil && scene.isRecent)
        scene.daemon.pass(seconds: 120)
        #expect(!scene.isRecent)
        #expect(try scene.present("reauthenticate", asked: 60, issued: 30).error == nil && scene.isRecent)
    }

    // MARK: What nobody was asked

    @Test("nobody is seen in a page whose endpoint says itself that nothing may be asked", arguments: Authority.allCases)
    func fixedPrompt(authority: Authority) throws {
        for query in ["prompt=none", "a=b&prompt=none", "prompt=%6Eone"] {
            let endpoint = "\nauthorization-endpoint = \"https://work.example/authorize?\(query)\""
            let scene = try Scene(authority, more: endpoint)
            let reply = try scene.signIn(asked: nil)
            #expect(reply.isCompleted && !scene.isRecent, "\(query) \(reply.message)")
            let again = try scene.signIn("reauthenticate", asked: nil)
            #expect(again.errorName == "RequiresRecentSignIn" && !scene.isRecent, "\(query) \(again.ending)")
        }
        let asking = try Scene(authority, more: "\nauthorization-endpoint = \"https://work.example/authorize?prompt=login\"")
        #expect(try asking.signIn(asked: nil, ["claims_locales": "none"]).isCompleted && asking.isRecent)
    }

    @Test("nor in an ID token that a renewal brought, if it does not say when they were asked", arguments: Authority.allCases)
    func renewed(authority: Authority) throws {
        let scene = try Scene(authority)
        let reply = try scene.signIn(asked: nil)
        let credential = try #require(reply.event?["credential"]?.objectValue)
        let nonce = try #require(credential["rawNonce"]?.stringValue)
        #expect(scene.isRecent)
        scene.daemon.pass(seconds: 3000)
        #expect(!scene.isRecent)
        let token = try scene.provider.idToken(subject: "ada", nonce: nonce, at: scene.daemon.clock.now, further: ["email": "ada@example.com"])
        let presented: JSON = ["providerID": "work", "idToken": .string(token), "rawNonce": .string(nonce)]
        let again = scene.daemon.call("SignInWithCredential", ["credential": presented, "intent": "reauthenticate"])
        #expect(again.errorName == "RequiresRecentSignIn" && !scene.isRecent, "\(again.ending)")
        // One that answers another nonce is of a sign-in.
        #expect(try scene.present("reauthenticate", asked: nil).error == nil && scene.isRecent)
    }

    @Test("a refusal says what was too old", arguments: Authority.allCases)
    func words(authority: Authority) throws {
        let scene = try Scene(authority)
        #expect(try scene.signIn(asked: 10).isCompleted)
        let token = try scene.present("reauthenticate", asked: 3600)
        #expect(token.errorName == "RequiresRecentSignIn" && token.message.contains("ID token"), "\(token.message)")
        let silent = try scene.signIn("reauthenticate", asked: 3600)
        #expect(silent.errorName == "RequiresRecentSignIn" && silent.message.contains("answered without asking"), "\(silent.message)")
        let page = try scene.signIn("credential", asked: 200)
        scene.daemon.pass(seconds: 200)
        let handle = page.event?["credential"]?.objectValue?["handle"] ?? .null
        let old = scene.daemon.call("SignInWithCredential", ["credential": ["handle": handle], "intent": "reauthenticate"])
        #expect(old.errorName == "RequiresRecentSignIn" && !old.message.contains("without asking"), "\(old.message)")
        for reply in [token, old] { #expect(!reply.message.contains("answered without asking"), "\(reply.message)") }
    }
}
