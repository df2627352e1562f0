import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// What does not fit into the tables of ``FirebaseTableTests``.
@Suite("Accounts of a Firebase project", .serialized)
struct FirebaseTests {
    private let scene: AccountScene
    private let project: ScriptedProject

    init() throws {
        scene = try AccountScene(.project)
        project = try #require(scene.people.project)
    }

    private func hold(_ call: String) {
        scene.people.held = call == "token" ? "https://securetoken.googleapis.com/v1/token" : "https://identitytoolkit.googleapis.com/v1/accounts:\(call)"
    }

    private var another: String { scene.toml.replacing("api-key = \"key\"", with: "api-key = \"another-key\"") }

    @Test("A provider's credential is stored though the project cannot be reached, and nobody is signed in")
    func unreachable() {
        project.failures.append(("signInWithIdp", 503, ""))
        let reply = scene.signIn("ada")
        #expect(reply.errorName == "ProviderUnreachable" && reply.error?.object["providerID"] == "firebase")
        #expect(scene.user() == nil && scene.daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] != nil)
    }

    @Test("One handle signs in once, however many use it at once")
    func oneHandle() throws {
        let handle = try scene.handle("ada", at: "work")
        hold("signInWithIdp")
        let replies = (0..<4).map { _ in scene.use(["handle": handle]) }
        #expect(scene.daemon.isAsked && !replies.contains { $0.isFinished && $0.error == nil })
        scene.release()
        #expect(replies.map(\.ending).sorted() == ["InvalidCredential", "InvalidCredential", "InvalidCredential", "done"])
        #expect(project.asked.count { $0 == "signInWithIdp" } == 1)
    }

    @Test("A hundred programs cause one renewal")
    func renewal() {
        project.lifetime = 0
        scene.call("SignInAnonymously")
        project.lifetime = 3600
        hold("token")
        let replies = (0..<100).map { _ in scene.call("GetUserToken", ["audience": "demo-project"]) }
        #expect(replies.allSatisfy { !$0.isFinished })
        scene.release()
        let tokens = Set(replies.map { $0["idToken"]?.stringValue ?? $0.ending })
        #expect(tokens.count == 1 && tokens.first?.hasPrefix("ey") == true && project.asked.count { $0 == "token" } == 1)
    }

    @Test("Another authority takes effect at the next start, and each keeps its own sign-ins")
    func authority() throws {
        scene.call("SignInAnonymously")
        let uid = scene.uid()
        let own = scene.toml.replacing("authority = \"firebase\"\napi-key = \"key\"\n", with: "")
        try scene.daemon.reload(own)
        #expect(scene.daemon.log.entries.contains { $0.message.contains("[accounts] authority takes effect at the next start") })
        #expect(scene.uid() == uid && uid != nil)
        let daemon = try scene.daemon.restarted(configuration: own)
        #expect(daemon.call("GetCurrentUser").error == nil && daemon.call("GetCurrentUser")["user"] == nil)
        #expect(try daemon.restarted(configuration: scene.toml).call("GetCurrentUser")["user"]?.objectValue?["uid"] == uid)
    }

    @Test("A user of one project is nobody in another")
    func anotherProject() throws {
        scene.call("SignInAnonymously")
        #expect(scene.user() != nil)
        try scene.daemon.reload(another)
        #expect(scene.user() == nil)
        #expect(scene.call("SignInAnonymously").errorName == "ProviderNotConfigured")
    }

    @Test("Tokens of another project than the configured one are refused")
    func anotherAudience() throws {
        let scene = try AccountScene(.project, more: "project-id = \"another-project\"\n")
        #expect(scene.call("SignInAnonymously").error?.object["code"] == 17002 && scene.user() == nil)
    }

    @Test("A daemon that is killed during a link links at the next try")
    func killed() throws {
        scene.call("SignInAnonymously")
        let (uid, handle) = (scene.uid(), try scene.handle("ada", at: "work"))
        // The project does what it is asked, and its answer is on the way.
        scene.daemon.executor.isolated { [provider = scene.daemon.provider, people = scene.people] in
            provider.automatic = {
                _ = people.answer(to: $0)
                return nil
            }
        }
        #expect(!scene.use(["handle": handle], intent: "link").isFinished)
        let next = try scene.killed()
        #expect(next.uid() == uid && uid != nil && project.uid(of: "ada", at: "work") == uid?.stringValue)
        // Linked there, and unknown here: the handle is still good, and leads to the same user.
        let refused = next.use(["handle": handle], intent: "link")
        #expect(refused.errorName == "CredentialAlreadyInUse", "\(refused.ending)")
        #expect(next.use(["handle": refused.offered("handle") ?? .null])["result"]?.objectValue?["user"]?.objectValue?["uid"] == uid)
    }

    @Test("A sign-in in the browser waits for its second factor, and then has all that it would have had")
    func secondFactor() throws {
        #expect(scene.signIn("ada").isCompleted)
        let uid = scene.uid()
        project.requireFactor(of: uid?.stringValue ?? "")
        let refused = scene.signIn("ada", app: "b")
        #expect(refused.errorName == "SecondFactorRequired" && scene.user(app: "b") == nil)
        let resolved = scene.daemon.call(
            "ResolveSecondFactor", ["resolver": refused.offered("resolver") ?? .null, "uid": "f1", "verificationCode": "123456"])
        let result = try #require(resolved["result"]?.objectValue, "\(resolved.message)")
        #expect(result["user"]?.objectValue?["uid"] == uid && scene.uid(app: "b") == uid)
        #expect(result["credential"]?.objectValue?["accessToken"] != nil && result["additionalUserInfo"]?.objectValue?["profile"] != nil)
    }

    @Test("What one project gave is shown to no other")
    func answerOfAnother() throws {
        hold("signUp")
        let reply = scene.call("SignInAnonymously")
        try scene.daemon.reload(another)
        let requests = scene.requests
        scene.release()
        #expect(reply.errorName == "ProviderUnreachable" && scene.requests == requests && scene.user() == nil)
        project.key = "another-key"
        #expect(scene.call("SignInAnonymously").error == nil)
    }

    @Test("A code that one project waits for is no other project's")
    func codeOfAnother() throws {
        #expect(scene.signIn("ada").isCompleted)
        project.requireFactor(of: scene.uid()?.stringValue ?? "")
        let resolver = try #require(scene.signIn("ada", app: "b").offered("resolver"))
        try scene.daemon.reload(another)
        let requests = scene.requests
        let reply = scene.daemon.call("ResolveSecondFactor", ["resolver": resolver, "uid": "f1", "verificationCode": "123456"])
        #expect(reply.errorName == "InvalidCredential" && scene.requests == requests, "\(reply.ending)")
    }
}
