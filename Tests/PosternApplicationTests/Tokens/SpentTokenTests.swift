import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// An ID token comes with its nonce, so whoever has it could present it: it is spent with the sign-in that it came with.
@Suite("An ID token that came with a sign-in", .serialized)
struct SpentTokenTests {
    private let provider: OpenIDProvider

    init() throws { provider = try OpenIDProvider() }

    private struct Scene {
        let daemon: TestApplication
        let project: ScriptedProject?

        var requests: Int { project?.asked.count ?? 0 }
    }

    private func configuration(_ authority: Authority) -> String {
        OpenIDProvider.configuration + (authority == .project ? "\n[accounts]\nauthority = \"firebase\"\napi-key = \"key\"\n" : "")
    }

    private func scene(_ authority: Authority) throws -> Scene {
        let daemon = try TestApplication(configuration(authority))
        let project = authority == .project ? ScriptedProject() : nil
        provider.answersDocuments(of: daemon, and: project)
        return Scene(daemon: daemon, project: project)
    }

    /// What a sign-in delivers.
    private func signIn(_ scene: Scene, intent: String) throws -> JSONObject {
        let reply = scene.daemon.call("SignIn", ["providerID": "work", "intent": .string(intent), "presentation": "client"], more: true)
        let nonce = reply.event?["authorizationURL"]?.stringValue?.query("nonce")
        scene.daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
        scene.daemon.answer(json: try provider.tokens("at-ada-1", refreshToken: "rt-ada-1", subject: "ada", nonce: nonce))
        return try #require(reply.event?["credential"]?.objectValue, "\(reply.message)")
    }

    private func parts(_ credential: JSONObject) -> JSON {
        ["providerID": "work", "idToken": credential["idToken"] ?? .null, "rawNonce": credential["rawNonce"] ?? .null]
    }

    private func handle(_ credential: JSONObject) -> JSON { ["handle": credential["handle"] ?? .null] }

    /// A token that a program got itself.
    private func ownToken() throws -> JSON {
        let tokens = try JSON(parsing: Array(provider.tokens("at-1", refreshToken: nil, subject: "eve", nonce: "nonce").utf8)).objectValue
        return ["providerID": "work", "idToken": tokens?["id_token"] ?? .null, "rawNonce": "nonce"]
    }

    private func present(_ credential: JSON, to daemon: TestApplication, intent: String = "signIn", app: String = "default") -> RecordedReply {
        daemon.call("SignInWithCredential", ["credential": credential, "intent": .string(intent), "app": .string(app)])
    }

    private func isSpent(_ reply: RecordedReply) -> Bool {
        reply.errorName == "InvalidCredential" && reply.message.contains("valid for one sign-in")
    }

    @Test("is refused for anything, in any app, after a restart too", arguments: Authority.allCases, ["signIn", "link", "reauthenticate"])
    func refused(authority: Authority, came: String) throws {
        let scene = try scene(authority)
        if came == "link" { #expect(scene.daemon.call("SignInAnonymously").error == nil) }
        if came == "reauthenticate" { _ = try signIn(scene, intent: "signIn") }
        let credential = try signIn(scene, intent: came)
        #expect(credential["rawNonce"] != nil && credential["handle"] == nil)
        let user = scene.daemon.call("GetCurrentUser")["user"]
        #expect(user != nil)
        scene.daemon.pass(seconds: 60)
        for isRestarted in [false, true] {
            let daemon = isRestarted ? try scene.daemon.restarted(configuration: configuration(authority), after: 60) : scene.daemon
            provider.answersDocuments(of: daemon, and: scene.project)
            let before = scene.requests
            for (intent, app) in [("reauthenticate", "default"), ("signIn", "default"), ("link", "default"), ("signIn", "other")] {
                let reply = present(parts(credential), to: daemon, intent: intent, app: app)
                #expect(isSpent(reply), "\(intent) in \(app): \(reply.ending) \(reply.message)")
            }
            #expect(scene.requests == before, "the project was asked")
            #expect(daemon.call("GetCurrentUser")["user"] == user && daemon.call("GetCurrentUser", ["app": "other"])["user"] == nil)
        }
    }

    /// How the credential of the intent `credential` is used, one after the other.
    enum Use: String, Sendable {
        case parts, handle
    }

    @Test(
        "for the credential alone signs in once, by its parts or by its handle; after either both are spent",
        arguments: Authority.allCases, [[Use.parts, .parts], [.parts, .handle], [.handle, .parts], [.handle, .handle]])
    func credential(authority: Authority, uses: [Use]) throws {
        for isRestarted in [false, true] {
            let scene = try scene(authority)
            let credential = try signIn(scene, intent: "credential")
            #expect(scene.daemon.call("GetCurrentUser")["user"] == nil && scene.requests == 0)
            let first = present(uses[0] == .parts ? parts(credential) : handle(credential), to: scene.daemon)
            #expect(first.error == nil && scene.daemon.call("GetCurrentUser")["user"] != nil, "\(first.message)")
            let daemon = isRestarted ? try scene.daemon.restarted(configuration: configuration(authority)) : scene.daemon
            provider.answersDocuments(of: daemon, and: scene.project)
            let before = scene.requests
            for intent in ["signIn", "reauthenticate"] {
                let second = present(uses[1] == .parts ? parts(credential) : handle(credential), to: daemon, intent: intent, app: "default")
                #expect(uses[1] == .parts ? isSpent(second) : second.errorName == "InvalidCredential", "\(intent): \(second.message)")
            }
            #expect(scene.requests == before, "the project was asked")
        }
    }

    @Test("or is presented alone, and still checked, is of no use to whoever signs in meanwhile", arguments: Authority.allCases, ["signIn", "link"])
    func checkedMeanwhile(authority: Authority, intent: String) throws {
        let scene = try scene(authority)
        let daemon = scene.daemon
        #expect(daemon.call("SignInAnonymously").error == nil)
        let answering = daemon.executor.isolated { [provider = daemon.provider] in
            let answering = provider.automatic
            provider.automatic = { $0.url == "https://work.example/keys" ? nil : answering($0) }
            return answering
        }
        let squatter = present(try ownToken(), to: daemon, intent: intent)
        #expect(daemon.isAsked && !squatter.isFinished)
        // A sign-in would take the app's place; a program that has left has none.
        if intent == "signIn" { daemon.leave(squatter) }
        daemon.call("SignOut")
        #expect(daemon.call("CreateUser", ["email": "ada@example.com", "password": "correct horse"]).error == nil)
        let user = daemon.call("GetCurrentUser")["user"]
        daemon.executor.isolated { [provider = daemon.provider] in
            if let answer = provider.waiting.first.flatMap({ answering($0.request) }) { provider.answer(answer) }
        }
        daemon.settle()
        #expect(squatter.errorName == (intent == "link" ? "UserMismatch" : nil) && daemon.call("GetCurrentUser")["user"] == user)
    }

    @Test("or is presented twice at once, signs in once; one that could not be checked is good as before")
    func atOnce() throws {
        try everyInterleaving { () throws -> (daemon: TestApplication, credential: JSON) in
            (try scene(.own).daemon, try ownToken())
        } first: {
            $0.daemon.call("SignInWithCredential", ["credential": $0.credential], settling: false)
        } second: {
            $0.daemon.call("SignInWithCredential", ["credential": $0.credential, "app": "two"], settling: false)
        } check: { _, first, second, moment in
            #expect([first, second].count { $0.error == nil } == 1 && [first, second].count(where: isSpent) == 1, moment)
            return ""
        }
        let daemon = try TestApplication(configuration(.own))
        let unchecked = present(try ownToken(), to: daemon)
        daemon.answer(status: 503)
        #expect(unchecked.errorName == "ProviderUnreachable", "\(unchecked.message)")
        provider.answersDocuments(of: daemon)
        #expect(present(try ownToken(), to: daemon).error == nil)
    }

    @Test("and its handle are left as they were by a refusal that is about who is signed in", arguments: Authority.allCases, [Use.parts, .handle])
    func refusal(authority: Authority, use: Use) throws {
        let scene = try scene(authority)
        let credential = try signIn(scene, intent: "credential")
        let shown = use == .parts ? parts(credential) : handle(credential)
        #expect(present(shown, to: scene.daemon, intent: "link").errorName == "NoCurrentUser")
        #expect(present(shown, to: scene.daemon).error == nil)
        #expect(isSpent(present(parts(credential), to: scene.daemon)))
    }
}
