import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// What somebody began as an app's user and did not finish, and what ends it.
///
/// Each test begins with Ada, who has a password, an address that nobody has proved, and an account at `home`, and is signed in to two
/// apps. The stranger's account is at `club`.
@Suite("What was begun for an app's user", .serialized)
struct PendingEndingTests {
    /// What the stranger waits with.
    enum Begun: String, CaseIterable, Sendable {
        /// - waiting: nobody has answered yet.
        /// - answered: the provider is asked for the tokens.
        case waitingPage, answeredPage, waitingCode, answeredCode, handle
    }

    /// What ends it, or does not.
    enum Event: String, CaseIterable, Sendable {
        case recovery, address, addressElsewhere, password, passwordElsewhere, unlinking, unlinkingElsewhere, signOut, replacement
        case signOutElsewhere, replacementElsewhere, reauthentication, name

        static let endings: [Event] = [
            .recovery, .address, .addressElsewhere, .password, .passwordElsewhere, .unlinking, .unlinkingElsewhere, .signOut, .replacement,
        ]

        func happens(in scene: AccountScene) {
            let reply: RecordedReply
            switch self {
            case .recovery: reply = scene.signIn("ada", app: "third")
            case .address: reply = scene.call("UpdateUser", ["email": "countess@example.com"])
            case .addressElsewhere: reply = scene.call("UpdateUser", ["email": "countess@example.com"], app: "other")
            case .password: reply = scene.call("UpdateUser", ["password": "a new correct horse"])
            case .passwordElsewhere: reply = scene.call("UpdateUser", ["password": "a new correct horse"], app: "other")
            case .unlinking: reply = scene.call("UnlinkProvider", ["providerID": "home"])
            case .unlinkingElsewhere: reply = scene.call("UnlinkProvider", ["providerID": "home"], app: "other")
            case .signOut: reply = scene.call("SignOut")
            case .signOutElsewhere: reply = scene.call("SignOut", app: "other")
            case .replacement: reply = scene.signIn(password: "correct horse")
            case .replacementElsewhere: reply = scene.signIn(password: "correct horse", app: "other")
            case .reauthentication: reply = scene.signIn(password: "correct horse", intent: "reauthenticate")
            case .name: reply = scene.call("UpdateUser", ["displayName": "Countess"])
            }
            #expect(reply.error == nil && reply.isFinished, "\(self): \(reply.message)")
        }
    }

    private func prepared(_ authority: Authority) throws -> AccountScene {
        let scene = try AccountScene(authority)
        #expect(scene.call("CreateUser", ["email": "ada@example.com", "password": "correct horse"]).error == nil)
        #expect(scene.signIn("adas", at: "home", intent: "link").isCompleted)
        #expect(scene.signIn(password: "correct horse", app: "other").error == nil)
        return scene
    }

    /// Ada is signed in to the app again, if she is not.
    private func comesBack(_ scene: AccountScene) {
        let passwords = [("ada", "correct horse"), ("ada", "a new correct horse"), ("countess", "correct horse")]
        for (name, password) in passwords where scene.user() == nil { _ = scene.signIn(password: password, of: "\(name)@example.com") }
        // The password is gone, and an account of the authority's is the only way in.
        if scene.user() == nil { scene.signIn("ada") }
        #expect(scene.user() != nil)
    }

    /// What the stranger has, and what comes of it.
    private struct Waiting {
        let begun: Begun
        let reply: RecordedReply?
        let handle: JSON
        /// Of the page.
        let state: String?

        init(_ begun: Begun, in scene: AccountScene) throws {
            self.begun = begun
            switch begun {
            case .handle: reply = nil
            case .waitingPage, .answeredPage: reply = scene.ask("club", intent: "link")
            case .waitingCode, .answeredCode: reply = scene.ask("club", intent: "link", ["flow": "device"])
            }
            handle = begun == .handle ? try scene.handle("eve", at: "club") : .null
            state = reply?.pageState
            guard begun == .answeredPage || begun == .answeredCode else { return }
            scene.people.held = "https://club.example/token"
            if let state { scene.daemon.browserReturns("state=\(state)&code=eve") } else { scene.type("eve", at: "club") }
            #expect(scene.daemon.isAsked)
        }

        /// The stranger goes on, in this run of the daemon or a later one.
        @discardableResult
        func goesOn(in scene: AccountScene) -> RecordedReply? {
            switch begun {
            case .handle: return scene.use(["handle": handle], intent: "link")
            case .waitingPage: scene.daemon.browserReturns("state=\(state ?? "")&code=eve")
            case .waitingCode: scene.type("eve", at: "club")
            case .answeredPage, .answeredCode:
                scene.release()
            }
            return reply
        }
    }

    @Test("links nothing after what ends it", arguments: Authority.allCases, Begun.allCases)
    func ended(authority: Authority, begun: Begun) throws {
        for event in Event.endings {
            let scene = try prepared(authority)
            let waiting = try Waiting(begun, in: scene)
            event.happens(in: scene)
            let isTold = waiting.reply?.isFinished
            comesBack(scene)
            // A handle is for whoever is signed in when it is used: the same program's next sign-in takes nothing away from it.
            if begun == .handle, event == .replacement { continue }
            let before = scene.projectRequests
            let reply = waiting.goesOn(in: scene)
            #expect(!scene.accounts().contains("club/eve"), "\(event)")
            #expect(scene.projectRequests - before <= 1, "\(event): the project was asked for more than who is signed in")
            switch begun {
            case .handle: #expect(reply?.errorName == "InvalidCredential", "\(event)")
            case .answeredPage, .answeredCode:
                #expect(["UserMismatch", "NoCurrentUser"].contains(reply?.errorName), "\(event): \(reply?.message ?? "")")
            case .waitingPage, .waitingCode:
                // At once, without an answer.
                let signsOut: [Event] = authority == .own ? [.signOut, .recovery, .addressElsewhere, .passwordElsewhere] : [.signOut]
                let expected = signsOut.contains(event) ? "NoCurrentUser" : "UserMismatch"
                #expect(isTold == true && reply?.errorName == expected, "\(event): \(reply?.message ?? "")")
            }
        }
    }

    @Test("links after what does not concern it", arguments: Authority.allCases, Begun.allCases)
    func unconcerned(authority: Authority, begun: Begun) throws {
        for event in Event.allCases where !Event.endings.contains(event) {
            let scene = try prepared(authority)
            let waiting = try Waiting(begun, in: scene)
            event.happens(in: scene)
            let reply = waiting.goesOn(in: scene)
            #expect(reply?.error == nil && scene.accounts().contains("club/eve"), "\(event): \(reply?.message ?? "")")
        }
    }

    @Test("links nothing after a restart either", arguments: Authority.allCases, [Begun.waitingPage, .waitingCode, .handle])
    func restarted(authority: Authority, begun: Begun) throws {
        for event in Event.endings where !(begun == .handle && event == .replacement) {
            let scene = try prepared(authority)
            let waiting = try Waiting(begun, in: scene)
            event.happens(in: scene)
            comesBack(scene)
            let next = try scene.restarted()
            waiting.goesOn(in: next)
            #expect(next.user() != nil && !next.accounts().contains("club/eve"), "\(event)")
        }
    }

    /// The event is on disk.
    private func hasHappened(_ event: Event, in scene: AccountScene) -> Bool {
        switch event {
        case .address, .addressElsewhere: ["default", "other"].contains { scene.user(app: $0)?["email"] == "countess@example.com" }
        case .unlinking, .unlinkingElsewhere: !scene.accounts(app: event == .unlinking ? "default" : "other").contains("home/adas")
        case .signOut: scene.user() == nil
        default: scene.user(app: "third") != nil
        }
    }

    @Test(
        "ends in the transaction that stores what ends it: after a crash between any two steps it is ended, or nothing has happened",
        arguments: Authority.allCases, [Begun.waitingPage, .waitingCode, .handle])
    func crash(authority: Authority, begun: Begun) throws {
        for event: Event in [.recovery, .address, .addressElsewhere, .unlinking, .unlinkingElsewhere, .signOut] {
            let scene = try prepared(authority)
            let waiting = try Waiting(begun, in: scene)
            var seen: [Bool: Int] = [:]
            let images = try scene.images(during: { event.happens(in: scene) })
            let members = scene.people.project?.members
            for image in images {
                // The project has done its part, whatever is known of it here.
                if let members { scene.people.project?.members = members }
                let next = try scene.run(on: image)
                let hasHappened = hasHappened(event, in: next)
                comesBack(next)
                waiting.goesOn(in: next)
                #expect(next.accounts().contains("club/eve") != hasHappened, "\(event), after \(seen)")
                seen[hasHappened, default: 0] += 1
            }
            #expect(seen.count == 2, "\(event): \(seen)")
        }
    }

    @Test("is not linked here by a project's answer that comes after what ends it", arguments: [Begun.waitingPage, .waitingCode, .handle])
    func projectAnswersLate(begun: Begun) throws {
        for event: Event in [.signOut, .addressElsewhere, .passwordElsewhere, .unlinkingElsewhere] {
            let scene = try prepared(.project)
            let waiting = try Waiting(begun, in: scene)
            scene.people.held = "https://identitytoolkit.googleapis.com/v1/accounts:signInWithIdp"
            let reply = waiting.goesOn(in: scene)
            #expect(scene.daemon.isAsked && reply?.isFinished != true)
            event.happens(in: scene)
            scene.release()
            let expected = begun == .handle ? "InvalidCredential" : "NoCurrentUser"
            #expect(reply?.errorName == expected && !scene.accounts().contains("club/eve"), "\(event): \(reply?.message ?? "")")
            #expect((scene.user() == nil) == (event == .signOut))
        }
    }
}
