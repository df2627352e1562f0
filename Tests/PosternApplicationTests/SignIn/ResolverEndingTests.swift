import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A first factor that waits for a second one, and what ends it; and what the factor is needed for.
///
/// Each test begins with Ada, who has an account at `work` that is the authority for her address, one at `home`, and a password, and a
/// second factor since she signed in to both apps. A project takes any code.
@Suite("A first factor that waits for a second one", .serialized)
struct ResolverEndingTests {
    fileprivate struct Scene {
        let scene: AccountScene
        var authenticator: Authenticator?

        var isOwn: Bool { authenticator != nil }

        init(_ authority: Authority) throws {
            scene = try AccountScene(authority)
            #expect(scene.signIn("ada").isCompleted && scene.signIn("adas", at: "home", intent: "link").isCompleted)
            #expect(scene.signIn(password: "correct horse", intent: "link").error == nil)
            #expect(scene.signIn("ada", app: "other").isCompleted)
            if authority == .own { authenticator = try scene.enroll() }
            scene.people.project?.requireFactor(of: scene.uid()?.stringValue ?? "")
        }

        func resolver(_ reply: RecordedReply) throws -> JSON {
            try #require(reply.offered("resolver"), "\(reply.ending): \(reply.message)")
        }

        /// With a code that is right, and was not used before.
        @discardableResult
        func resolve(_ resolver: JSON) -> RecordedReply {
            scene.daemon.pass(seconds: 60)
            let code = authenticator?.code(at: scene.daemon.clock.now) ?? "123456"
            let factors = scene.user(app: "default")?["secondFactors"]?.arrayValue ?? scene.user(app: "other")?["secondFactors"]?.arrayValue
            let factor = isOwn ? factors?.first?.objectValue?["uid"] ?? "gone" : "f1"
            return scene.daemon.call("ResolveSecondFactor", ["resolver": resolver, "uid": factor, "verificationCode": .string(code)])
        }

        func signIn(app: String = "default", intent: String = "signIn", as person: String = "ada") -> RecordedReply {
            let reply = scene.signIn(person, app: app, intent: intent)
            guard let resolver = reply.offered("resolver") else { return reply }
            return resolve(resolver)
        }
    }

    enum Waiting: String, CaseIterable, Sendable {
        case signIn, password, reauthentication, passwordAgain, link

        fileprivate func begin(in scene: Scene) throws -> JSON {
            switch self {
            case .signIn: try scene.resolver(scene.scene.signIn("ada", app: "other"))
            case .password: try scene.resolver(scene.scene.signIn(password: "correct horse", app: "other"))
            case .passwordAgain:
                try scene.resolver(scene.scene.signIn(password: "correct horse", app: "other", intent: "reauthenticate"))
            case .reauthentication: try scene.resolver(scene.scene.signIn("ada", app: "other", intent: "reauthenticate"))
            // A way to sign in without the factor takes the factor.
            case .link: try scene.resolver(scene.scene.signIn("eve", at: "club", app: "other", intent: "link"))
            }
        }
    }

    enum Event: String, CaseIterable, Sendable {
        case recovery, address, password, unlinking, signOut, replacement, signOutElsewhere, name

        fileprivate func happens(in scene: Scene) {
            let reply: RecordedReply
            switch self {
            case .recovery: reply = scene.signIn(app: "third", as: "countess.ada")
            case .address: reply = scene.scene.call("UpdateUser", ["email": "countess@example.com"])
            case .password: reply = scene.scene.call("UpdateUser", ["password": "a new correct horse"])
            case .unlinking: reply = scene.scene.call("UnlinkProvider", ["providerID": "home"])
            case .signOut: reply = scene.scene.call("SignOut", app: "other")
            case .replacement: reply = scene.signIn(app: "other")
            case .signOutElsewhere: reply = scene.scene.call("SignOut")
            case .name: reply = scene.scene.call("UpdateUser", ["displayName": "Countess"])
            }
            #expect(reply.error == nil && reply.isFinished, "\(self): \(reply.ending) \(reply.message)")
        }

        /// A sign-in is for whoever has the factor; what is about the app's user is for that sign-in of the app.
        fileprivate func ends(_ waiting: Waiting) -> Bool {
            switch self {
            case .recovery, .address, .password, .unlinking, .signOut: true
            case .replacement: waiting != .signIn && waiting != .password
            case .signOutElsewhere, .name: false
            }
        }
    }

    @Test("is invalid after what ends it, and valid after everything else", arguments: Authority.allCases, Waiting.allCases)
    func ended(authority: Authority, waiting: Waiting) throws {
        // A project asks for no factor when it links.
        if authority == .project, waiting == .link { return }
        for event in Event.allCases {
            let scene = try Scene(authority)
            let resolver = try waiting.begin(in: scene)
            event.happens(in: scene)
            let before = scene.scene.user(app: "other")
            let reply = scene.resolve(resolver)
            #expect((reply.error == nil) == !event.ends(waiting), "\(event): \(reply.ending) \(reply.message)")
            #expect(scene.scene.accounts(app: "other").contains("club/eve") == (waiting == .link && !event.ends(waiting)), "\(event)")
            if event.ends(waiting) { #expect(scene.scene.uid(app: "other") == before?["uid"], "\(event)") }
        }
    }

    @Test("Unlinking takes the factor, where there is one, also of a sign-in of a moment ago", arguments: Authority.allCases)
    func unlinking(authority: Authority) throws {
        let scene = try Scene(authority)
        // In a project the app learns of what was linked elsewhere.
        #expect(scene.scene.call("UpdateUser", ["displayName": "Ada"], app: "other").error == nil)
        let refused = scene.scene.call("UnlinkProvider", ["providerID": "home"], app: "other")
        #expect(refused.errorName == "RequiresRecentSignIn" && scene.scene.accounts().contains("home/adas"), "\(refused.message)")
        #expect(scene.scene.signIn("adas", at: "club", app: "other", intent: "link").ending == (scene.isOwn ? "SecondFactorRequired" : "done"))
        #expect(scene.signIn(app: "other", intent: "reauthenticate").error == nil)
        #expect(scene.scene.call("UnlinkProvider", ["providerID": "home"], app: "other").error == nil)
    }

    @Test("A factor that was enrolled in another app counts for unlinking, too")
    func enrolledElsewhere() throws {
        let scene = try AccountScene(.project)
        #expect(scene.signIn("ada").isCompleted && scene.signIn("adas", at: "home", intent: "link").isCompleted)
        #expect(scene.signIn("ada").isCompleted)
        scene.people.project?.requireFactor(of: scene.uid()?.stringValue ?? "")
        let refused = scene.call("UnlinkProvider", ["providerID": "home"])
        #expect(refused.errorName == "RequiresRecentSignIn" && scene.people.project?.asked.contains("update") == false, "\(refused.ending)")
    }

    /// What the first factor is checked against, and what changes it.
    enum Race: String, CaseIterable, Sendable {
        case password, unlinked
    }

    @Test("A first factor that was checked against what has changed since leads nowhere", arguments: Race.allCases)
    func raced(race: Race) throws {
        let endings = try everyInterleaving {
            try Scene(.own)
        } first: { scene in
            if race == .password {
                return scene.scene.daemon.call(
                    "SignInWithCredential",
                    ["credential": ["email": "ada@example.com", "password": "correct horse"], "app": "other"], settling: false)
            }
            let page = try PendingSignIn(scene.scene.daemon, joining: scene.scene.ask("home", app: "other"))
            _ = page.browserReturns(code: "adas")
            return page.reply
        } second: { scene in
            race == .password
                ? scene.scene.daemon.call("UpdateUser", ["password": "another correct horse", "app": "default"], settling: false)
                : scene.scene.daemon.call("UnlinkProvider", ["providerID": "home", "app": "default"], settling: false)
        } check: { scene, first, second, moment in
            #expect(second.error == nil, "\(second.message); \(moment.rawValue)")
            let before = scene.scene.uid(app: "other")
            guard let resolver = first.offered("resolver") else { return "refused" }
            let reply = scene.resolve(resolver)
            #expect(reply.error != nil && scene.scene.uid(app: "other") == before, moment)
            return "void"
        }
        #expect(endings.keys.contains("void"))
    }
}
