import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A page for the app's user is for one sign-in of the app: when that is over, whoever waits is told so at once, and no browser needs to come
/// back.
@Suite("A page that waits for the app's user", .serialized)
struct WaitingPageTests {
    /// How the app's sign-in ends.
    enum End: String, CaseIterable, Sendable {
        case page, code, handle, token, password, creation, anonymous, resolver, signOut, deletion, projectsWord

        fileprivate func happens(_ scene: AccountScene) throws {
            let reply: RecordedReply
            switch self {
            case .page: reply = scene.signIn("grace")
            case .code:
                reply = scene.ask("work", ["flow": "device"])
                scene.type("grace", at: "work")
            case .handle: reply = scene.use(["handle": try scene.handle("grace", at: "work")])
            case .token: reply = scene.use(["providerID": "work", "accessToken": "at-grace-9"])
            case .password: reply = scene.signIn(password: "correct horse", of: "joan@example.com")
            case .creation: reply = scene.call("CreateUser", ["email": "grace@example.com", "password": "correct horse"])
            case .anonymous: reply = scene.call("SignInAnonymously")
            case .resolver:
                scene.people.project?.requireFactor(of: scene.uid(app: "other")?.stringValue ?? "")
                let authenticator = scene.authority == .own ? try scene.enroll(app: "other") : nil
                let first = scene.signIn("joan")
                let resolver = try #require(first.offered("resolver"), "\(first.message)")
                let factor = first.error?.object["hints"]?.arrayValue?.first?.objectValue?["uid"]
                let code = authenticator?.code(at: scene.daemon.clock.now) ?? "123456"
                reply = scene.daemon.call(
                    "ResolveSecondFactor", ["resolver": resolver, "uid": factor ?? .null, "verificationCode": .string(code)])
            case .signOut: reply = scene.call("SignOut")
            case .deletion: reply = scene.call("DeleteUser")
            case .projectsWord:
                scene.people.project?.members = [:]
                #expect(scene.call("UpdateUser", ["displayName": "Countess"]).error != nil)
                return
            }
            #expect(reply.error == nil && reply.isFinished, "\(self): \(reply.ending) \(reply.message)")
        }

        fileprivate var expected: String {
            switch self {
            case .signOut, .deletion, .projectsWord: "NoCurrentUser"
            default: "UserMismatch"
            }
        }
    }

    @Test("ends at once with NoCurrentUser or UserMismatch, for all who wait, and stays so", arguments: Authority.allCases, End.allCases)
    func ended(authority: Authority, end: End) throws {
        if end == .projectsWord, authority == .own { return }
        for (intent, flow) in [("link", "browser"), ("reauthenticate", "browser"), ("link", "device")] {
            let scene = try AccountScene(authority)
            #expect(scene.signIn("joan", app: "other").isCompleted)
            if end == .password {
                #expect(scene.signIn(password: "correct horse", of: "joan@example.com", app: "other", intent: "link").error == nil)
            }
            #expect(scene.signIn("ada").isCompleted)
            let waiting = scene.ask("club", intent: intent, ["flow": .string(flow)])
            let id = waiting.event?["sessionID"] ?? .null
            let another = scene.daemon.call("AttachSession", ["sessionID": id], more: true)
            // What is not about the app's user goes on, and so does what is about another app's.
            let others = [
                scene.ask("club"), scene.ask("club", ["flow": "device"]), scene.ask("club", intent: "credential"),
                scene.ask("club", app: "other", intent: "link"),
            ]
            #expect(!waiting.isFinished && !another.isFinished)
            try end.happens(scene)
            #expect(waiting.errorName == end.expected && another.errorName == end.expected, "\(intent) \(flow): \(waiting.ending)")
            #expect(others.allSatisfy { !$0.isFinished }, "\(intent) \(flow)")
            guard flow == "browser" else { continue }
            let late = scene.daemon.browserReturns("state=\(waiting.replies.first.flatMap(Self.state) ?? "")&code=eve")
            #expect(late.errorName == "RedirectNotRecognised", "\(late.ending)")
            let next = try scene.restarted()
            #expect(next.daemon.call("AttachSession", ["sessionID": id]).errorName == end.expected)
        }
    }

    @Test("is not opened for nobody", arguments: Authority.allCases, ["link", "reauthenticate"])
    func nobody(authority: Authority, intent: String) throws {
        let scene = try AccountScene(authority)
        for presentation: JSON in ["daemon", "client"] {
            #expect(scene.ask("club", intent: intent, ["presentation": presentation]).errorName == "NoCurrentUser")
        }
        #expect(scene.daemon.sessionStates == [] && scene.daemon.pages.opened == [])
    }

    private static func state(_ event: JSONObject) -> String? {
        event["event"]?.objectValue?["authorizationURL"]?.stringValue?.query("state")
    }
}
