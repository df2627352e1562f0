import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A program that is signed in as Ada, whom nobody has seen for five minutes, and Eve, who found it open.
@Suite("A session that was left alone", .serialized)
struct TakeOverTests {
    /// Ada signed in so many seconds ago, with her account at `work`.
    private func leftAlone(_ authority: Authority, for seconds: Int64 = 301) throws -> AccountScene {
        let scene = try AccountScene(authority)
        #expect(scene.signIn("ada").isCompleted)
        scene.daemon.pass(seconds: seconds)
        return scene
    }

    /// The same, and Eve has linked an account of hers.
    private func found(_ authority: Authority) throws -> AccountScene {
        let scene = try leftAlone(authority)
        let linked = scene.signIn("eve", at: "club", intent: "link")
        #expect(linked.isCompleted, "\(linked.message)")
        return scene
    }

    /// What would make the user Eve's.
    private let steps: [(name: String, take: (AccountScene, _ app: String) throws -> RecordedReply)] = [
        ("unlink the other", { $0.call("UnlinkProvider", ["providerID": "work"], app: $1) }),
        ("unlink her own", { $0.call("UnlinkProvider", ["providerID": "club"], app: $1) }),
        ("reauthenticate", { $0.signIn("eve", at: "club", app: $1, intent: "reauthenticate") }),
        (
            "reauthenticate by a code",
            { scene, app in
                let reply = scene.ask("club", app: app, intent: "reauthenticate", ["flow": "device"])
                scene.type("eve", at: "club")
                scene.people.typed = [:]
                return reply
            }
        ),
        (
            "reauthenticate by a handle",
            { scene, app in
                let handle = try scene.handle("eve", at: "club", app: app)
                return scene.use(["handle": handle], app: app, intent: "reauthenticate")
            }
        ),
        ("set a password", { $0.call("UpdateUser", ["password": "eve knows this"], app: $1) }),
        ("set an address", { $0.call("UpdateUser", ["email": "eve@example.com"], app: $1) }),
        ("link a password", { $0.signIn(password: "eve knows this", of: "eve@example.com", app: $1, intent: "link") }),
        ("enroll a factor", { $0.call("EnrollSecondFactor", ["factorID": "totp"], app: $1) }),
        ("delete the user", { $0.call("DeleteUser", app: $1) }),
    ]

    private func expectRefused(_ scene: AccountScene, app: String = "default", _ when: Comment) throws {
        let uid = scene.uid(app: app)
        for step in steps {
            let before = scene.projectRequests
            let reply = try step.take(scene, app)
            #expect(reply.errorName == "RequiresRecentSignIn", "\(step.name) \(when): \(reply.ending) \(reply.message)")
            #expect(scene.projectRequests == before, "\(step.name) \(when): the project was asked")
            #expect(scene.uid(app: app) == uid && scene.accounts(app: app) == ["work/ada", "club/eve"], "\(step.name) \(when)")
        }
    }

    @Test("is no way to take its user over, neither at once nor by signing in with the linked account", arguments: Authority.allCases)
    func takeOver(authority: Authority) throws {
        var scene = try found(authority)
        // She may undo it for as long.
        scene.daemon.pass(seconds: 301)
        try expectRefused(scene, "in the session")
        #expect(scene.signIn("eve", at: "club").isCompleted)
        try expectRefused(scene, "after a sign-in with the linked account")
        #expect(scene.signIn("eve", at: "club", app: "hers").isCompleted && scene.uid(app: "hers") == scene.uid())
        try expectRefused(scene, app: "hers", "in another app")
        scene = try scene.restarted(after: 301)
        try expectRefused(scene, "after a restart")
        // The owner needs nothing but her own account.
        #expect(scene.signIn("ada", intent: "reauthenticate").isCompleted)
        #expect(scene.call("UnlinkProvider", ["providerID": "club"]).error == nil && scene.accounts() == ["work/ada"])
        let stranger = scene.signIn("eve", at: "club", app: "hers")
        #expect(scene.uid(app: "hers") != scene.uid(), "\(stranger.message)")
    }

    @Test("is none either if the project's answer to the link is lost: the account shows nobody, and a link that was refused leaves no trace")
    func lostAnswer() throws {
        let scene = try leftAlone(.project)
        #expect(scene.signIn("eve", at: "home", app: "hers").isCompleted)
        #expect(scene.signIn("eve", at: "home", intent: "link").errorName == "CredentialAlreadyInUse")
        scene.people.project?.answersAreLost = true
        #expect(scene.signIn("eves", at: "club", intent: "link").errorName != nil)
        scene.people.project?.answersAreLost = false
        #expect(scene.signIn("eves", at: "club", intent: "reauthenticate").errorName == "RequiresRecentSignIn")
        #expect(scene.signIn("eves", at: "club").isCompleted && !scene.isRecent())
        // The owner's own account, linked in another program, is no worse for the refusal.
        #expect(scene.call("DeleteUser", app: "hers").error == nil)
        #expect(scene.signIn("ada", intent: "reauthenticate").isCompleted)
        #expect(scene.isRecent())
    }

    @Test("A user is deleted to sign in with the handle that was refused to it", arguments: Authority.allCases)
    func merged(authority: Authority) throws {
        let scene = try leftAlone(authority)
        #expect(scene.signIn("eve", at: "club", app: "hers").isCompleted)
        #expect(scene.signIn("ada", intent: "reauthenticate").isCompleted)
        let refused = scene.signIn("eve", at: "club", intent: "link")
        #expect(refused.errorName == "CredentialAlreadyInUse")
        #expect(scene.call("DeleteUser").error == nil)
        let handle = try #require(refused.offered("handle"))
        let merged = scene.use(["handle": handle])
        #expect(merged.error == nil && scene.uid() == scene.uid(app: "hers"), "\(merged.message)")
    }

    /// What may show that the linked account is the user's.
    enum Way: CaseIterable, Sendable {
        case keptAtSignIn, keptElsewhere, keptAtReauthentication, month
        case signIn, signInElsewhere, reauthentication, password, removed, keptTooLate, keptAfterRestart, keptOnItsOwnPage
        case nothing, almostMonth, itself, anotherLink, accessToken, restart

        fileprivate static let proving: [Way] = [.keptAtSignIn, .keptElsewhere, .keptAtReauthentication, .month]

        fileprivate func happens(_ scene: AccountScene) throws -> AccountScene {
            let reply: RecordedReply
            switch self {
            case .keptAtSignIn, .keptElsewhere, .keptAtReauthentication:
                reply = scene.signIn(
                    "ada", app: self == .keptElsewhere ? "other" : "default",
                    intent: self == .keptAtReauthentication ? "reauthenticate" : "signIn")
                #expect(scene.answer(.keep, on: reply) == .answered(.keep))
            case .removed:
                reply = scene.signIn("ada")
                #expect(scene.answer(.remove, on: reply) == .answered(.remove) && scene.accounts() == ["work/ada"])
            case .keptTooLate:
                reply = scene.signIn("ada")
                scene.daemon.pass(seconds: 301)
                #expect(scene.answer(.keep, on: reply) == .over)
            case .keptAfterRestart:
                reply = scene.signIn("ada")
                let next = try scene.restarted()
                #expect(next.answer(.keep, on: reply) == nil)
                return next
            case .keptOnItsOwnPage:
                reply = scene.signIn("eve", at: "club")
                #expect(scene.answer(.keep, on: reply) == nil)
            case .signIn: reply = scene.signIn("ada")
            case .signInElsewhere: reply = scene.signIn("ada", app: "other")
            case .reauthentication: reply = scene.signIn("ada", intent: "reauthenticate")
            case .password: reply = scene.signIn(password: "correct horse", app: "other")
            case .itself: reply = scene.signIn("eve", at: "club")
            case .anotherLink:
                #expect(scene.signIn("eves", at: "home", intent: "link").isCompleted)
                reply = scene.signIn("eves", at: "home")
            case .accessToken: reply = scene.use(["providerID": "work", "accessToken": "at-ada-1"])
            case .restart: return try scene.restarted()
            case .nothing: return scene
            case .month, .almostMonth:
                let month: Int64 = 30 * 86_400
                scene.daemon.pass(seconds: self == .month ? month : month - 1)
                return scene
            }
            #expect(reply.error == nil && reply.isFinished, "\(self): \(reply.message)")
            return scene
        }
    }

    @Test(
        "The linked account shows the user when the user has kept it on the page of another sign-in, or after 30 days, and by nothing else",
        arguments: Authority.allCases, Way.allCases)
    func probation(authority: Authority, way: Way) throws {
        let scene = try leftAlone(authority, for: 0)
        #expect(scene.signIn(password: "correct horse", intent: "link").error == nil)
        scene.daemon.pass(seconds: 301)
        #expect(scene.signIn("eve", at: "club", intent: "link").isCompleted)
        if way != .almostMonth { scene.daemon.pass(seconds: 1) }
        let next = try way.happens(scene)
        if way != .almostMonth { next.daemon.pass(seconds: 301) }
        #expect(!next.isRecent(), "the sign-in itself was too long ago")
        let before = next.projectRequests
        let reply = next.signIn("eve", at: "club", intent: "reauthenticate")
        if Way.proving.contains(way) {
            #expect(reply.isCompleted && next.isRecent(), "\(reply.message)")
        } else {
            let refusal = way == .removed ? "UserMismatch" : "RequiresRecentSignIn"
            #expect(reply.errorName == refusal && !next.isRecent(), "\(reply.ending)")
            #expect(way == .removed || next.projectRequests == before)
        }
    }

    @Test("A page asks about what was linked unseen, once, and an answer is for the link that was asked about", arguments: Authority.allCases)
    func question(authority: Authority) throws {
        let scene = try found(authority)
        scene.daemon.pass(seconds: 1)
        let (first, second) = (scene.signIn("ada"), scene.signIn("ada", app: "other"))
        let asked = try #require(scene.asks(on: first))
        #expect(asked.items.map(\.identity.subject) == ["eve"] && asked.items.map(\.isLost) == [false])
        #expect(scene.answer(.keep, about: "home", on: first) == nil)
        #expect(scene.answer(.remove, on: first) == .answered(.remove) && scene.accounts() == ["work/ada"])
        // Nothing is left to keep, on whatever page; nor is an account that took its place.
        #expect(scene.answer(.keep, on: first) == .answered(.remove))
        #expect(scene.signIn("eves", at: "club", intent: "link").isCompleted)
        #expect(scene.answer(.remove, on: second) == .over && scene.accounts() == ["work/ada", "club/eves"])
        // That one was linked right after a sign-in.
        #expect(scene.asks(on: scene.signIn("ada")) == nil)
    }

    @Test("An answer that cannot be saved can be given again")
    func unsavedAnswer() throws {
        let scene = try found(.own)
        scene.daemon.pass(seconds: 1)
        let page = scene.signIn("ada")
        scene.daemon.disk(isFull: true)
        scene.daemon.dropStore()
        #expect(scene.answer(.remove, on: page) == .notSaved)
    }

    @Test("An account that was linked right after a sign-in, or to an anonymous user, shows the user at once", arguments: Authority.allCases)
    func exempt(authority: Authority) throws {
        for isAnonymous in [true, false] {
            let scene = try AccountScene(authority)
            #expect(isAnonymous ? scene.call("SignInAnonymously").error == nil : scene.signIn("ada").isCompleted)
            scene.daemon.pass(seconds: isAnonymous ? 86_400 : 300)
            #expect(scene.signIn("eve", at: "club", intent: "link").isCompleted)
            scene.daemon.pass(seconds: 301)
            let reply = scene.signIn("eve", at: "club", intent: "reauthenticate")
            #expect(reply.isCompleted && scene.call("DeleteUser").error == nil, "\(isAnonymous): \(reply.message)")
        }
    }

    /// How long after the link, and what happened since.
    enum Undoing: CaseIterable, Sendable {
        case atOnce, inTime, tooLate, elsewhere, other, afterReplacement, afterRestart, clockSetBack

        fileprivate var isAllowed: Bool { [.atOnce, .inTime, .afterRestart].contains(self) }

        /// After the link: neither app's sign-in is recent any more.
        fileprivate var seconds: Int64 {
            switch self {
            case .atOnce: 1
            case .inTime: 300
            case .tooLate, .clockSetBack: 301
            case .elsewhere, .other, .afterReplacement, .afterRestart: 200
            }
        }
    }

    @Test(
        "Everybody may undo what the same sign-in of the app linked in the last five minutes, whether or not it was recent",
        arguments: Authority.allCases, [true, false])
    func undoing(authority: Authority, isProved: Bool) throws {
        for undoing in Undoing.allCases {
            var scene = try leftAlone(authority, for: 0)
            #expect(scene.signIn("ada", app: "other").isCompleted)
            scene.daemon.pass(seconds: isProved ? 300 : 301)
            #expect(scene.signIn("eve", at: "club", intent: "link").isCompleted)
            scene.daemon.pass(seconds: undoing.seconds)
            switch undoing {
            case .afterReplacement: #expect(scene.use(["providerID": "club", "accessToken": "at-eve-1"]).error == nil)
            case .afterRestart: scene = try scene.restarted()
            // It learns of the account, and nobody was there.
            case .elsewhere: #expect(scene.use(["providerID": "work", "accessToken": "at-ada-1"], app: "other").error == nil)
            case .clockSetBack: scene.daemon.clock.set(now: scene.daemon.clock.now.adding(seconds: -200))
            default: break
            }
            let before = scene.projectRequests
            let reply = scene.call(
                "UnlinkProvider", ["providerID": undoing == .other ? "work" : "club"], app: undoing == .elsewhere ? "other" : "default")
            #expect((reply.error == nil) == undoing.isAllowed, "\(undoing): \(reply.ending) \(reply.message)")
            guard !undoing.isAllowed else { continue }
            #expect(reply.errorName == "RequiresRecentSignIn" && scene.projectRequests == before, "\(undoing): \(reply.ending)")
            #expect(scene.accounts() == ["work/ada", "club/eve"], "\(undoing)")
        }
    }

    // MARK: Whose user it is

    @Test("An account that a program linked before its user was ever seen goes when the user is, and never counts", arguments: [false, true])
    func claimed(isLater: Bool) throws {
        let scene = try AccountScene(.own)
        // Eve has an access token of Ada's, and an account of her own.
        #expect(scene.use(["providerID": "work", "accessToken": "at-ada-9"], app: "hers").error == nil)
        let uid = scene.uid(app: "hers")
        #expect(scene.signIn("eve", at: "club", app: "hers", intent: "link").isCompleted)
        #expect(scene.accounts(app: "hers") == ["work/ada", "club/eve"])
        // Time alone makes it no owner.
        if isLater { scene.daemon.pass(seconds: 31 * 86_400) }
        #expect(scene.signIn("eve", at: "club", app: "hers").isCompleted && scene.uid(app: "hers") == uid)
        try expectRefused(scene, app: "hers", "as nobody's user")
        let handle = try scene.handle("eve", at: "club", app: "hers")
        let owners = scene.signIn("ada", app: "mail")
        #expect(owners.isCompleted && scene.uid(app: "mail") == uid)
        #expect(scene.asks(on: owners)?.items.map(\.isLost) == [true])
        #expect(scene.accounts(app: "mail") == ["work/ada"] && scene.isRecent(app: "mail"))
        // What she had of this user is gone.
        #expect(scene.uid(app: "hers") == nil)
        #expect(scene.use(["handle": handle], app: "hers").errorName == "InvalidCredential")
        #expect(scene.signIn("eve", at: "club", app: "hers").isCompleted && scene.uid(app: "hers") != uid)
        // By now it is another user's.
        #expect(scene.answer(.keep, on: owners) == .over && scene.accounts(app: "mail") == ["work/ada"])
    }

    @Test("What the first owner of a user keeps comes back, and counts", arguments: LinkReview.Answer.allCases)
    func reclaimed(answer: LinkReview.Answer) throws {
        let scene = try AccountScene(.own)
        #expect(scene.use(["providerID": "work", "accessToken": "at-ada-9"], app: "hers").error == nil)
        #expect(scene.signIn("eve", at: "club", app: "hers", intent: "link").isCompleted)
        let page = scene.signIn("ada", app: "mail")
        #expect(scene.accounts(app: "mail") == ["work/ada"])
        #expect(scene.answer(answer, on: page) == .answered(answer))
        scene.daemon.pass(seconds: 301)
        #expect(scene.accounts(app: "mail") == (answer == .keep ? ["work/ada", "club/eve"] : ["work/ada"]))
        let reply = scene.signIn("eve", at: "club", app: "mail", intent: "reauthenticate")
        #expect(reply.isCompleted == (answer == .keep), "\(reply.ending)")
    }

    @Test("A proof from before a link does not confirm it", arguments: Authority.allCases)
    func earlierProof(authority: Authority) throws {
        let scene = try leftAlone(authority)
        let handle = try scene.handle("ada", at: "work", app: "mail")
        scene.daemon.pass(seconds: 1)
        #expect(scene.signIn("eve", at: "club", intent: "link").isCompleted)
        scene.daemon.pass(seconds: 1)
        let used = scene.use(["handle": handle], app: "mail")
        #expect(used.error == nil && scene.uid(app: "mail") == scene.uid(), "\(used.message)")
        #expect(scene.signIn("eve", at: "club", intent: "reauthenticate").errorName == "RequiresRecentSignIn")
        // The page of a later one asks.
        let later = scene.signIn("ada", app: "mail")
        #expect(later.isCompleted && scene.answer(.keep, on: later) == .answered(.keep))
        #expect(scene.signIn("eve", at: "club", intent: "reauthenticate").isCompleted)
    }

    @Test("A handle from before a program made the user gives it no owner")
    func earlierHandle() throws {
        let scene = try AccountScene(.own)
        let handle = try scene.handle("ada", at: "work", app: "hers")
        scene.daemon.pass(seconds: 1)
        #expect(scene.use(["providerID": "work", "accessToken": "at-ada-9"], app: "hers").error == nil)
        #expect(scene.use(["handle": handle], app: "hers").error == nil)
        #expect(scene.signIn("eve", at: "club", app: "hers", intent: "link").isCompleted)
        scene.daemon.pass(seconds: 1)
        #expect(scene.signIn("ada", app: "mail").isCompleted && scene.accounts(app: "mail") == ["work/ada"])
    }

    @Test("An account that was linked at a project where nobody was seen as the user counts once the owner keeps it, and by no time")
    func unseenAtProject() throws {
        let scene = try AccountScene(.project)
        #expect(scene.use(["providerID": "work", "accessToken": "at-ada-9"], app: "hers").error == nil)
        #expect(scene.signIn("eve", at: "club", app: "hers", intent: "link").isCompleted)
        #expect(scene.signIn("ada", app: "mail").isCompleted)
        scene.daemon.pass(seconds: 31 * 86_400)
        #expect(scene.signIn("eve", at: "club", app: "hers").isCompleted)
        try expectRefused(scene, app: "hers", "after the owner came")
        #expect(scene.answer(.keep, on: scene.signIn("ada", app: "mail")) == .answered(.keep))
        #expect(scene.signIn("eve", at: "club", app: "mail", intent: "reauthenticate").isCompleted)
    }

    // MARK: Nobody has to be there

    @Test("A page that is told to ask nobody links nothing", arguments: Authority.allCases, [true, false])
    func silentLink(authority: Authority, isAnonymous: Bool) throws {
        let scene = try AccountScene(authority)
        #expect(isAnonymous ? scene.call("SignInAnonymously").error == nil : scene.signIn("ada").isCompleted)
        let before = scene.projectRequests
        let reply = scene.signIn("eve", at: "club", intent: "link", ["customParameters": ["prompt": "none"]])
        #expect(reply.errorName == "RequiresRecentSignIn" && scene.projectRequests == before, "\(reply.ending) \(reply.message)")
        #expect(scene.accounts() == (isAnonymous ? [] : ["work/ada"]))
    }

    @Test("Nobody's user is recent by no handle, and gets no owner by one")
    func unowned() throws {
        let scene = try AccountScene(.own)
        #expect(scene.use(["providerID": "work", "accessToken": "at-ada-9"], app: "hers").error == nil)
        #expect(scene.signIn("eve", at: "club", app: "hers", intent: "link").isCompleted)
        scene.daemon.pass(seconds: 1)
        let handle = try scene.handle("ada", at: "work", app: "hers")
        #expect(scene.use(["handle": handle], app: "hers").error == nil)
        #expect(!scene.isRecent(app: "hers") && scene.accounts(app: "hers") == ["work/ada", "club/eve"])
        let page = scene.signIn("ada", app: "mail")
        #expect(scene.accounts(app: "mail") == ["work/ada"] && scene.asks(on: page)?.items.map(\.isLost) == [true])
    }

    @Test("An account that took the place of the one that a project's user was asked about is neither kept nor removed", arguments: LinkReview.Answer.allCases)
    func replacedAtProject(answer: LinkReview.Answer) throws {
        let scene = try found(.project)
        scene.daemon.pass(seconds: 1)
        let page = scene.signIn("ada")
        scene.people.project?.replaces("club", with: "eves")
        #expect(scene.answer(answer, on: page) == .over)
        #expect(scene.accounts(app: "default").contains { $0.hasPrefix("club/") })
    }

    @Test("An answer for another user than the app's is over", arguments: LinkReview.Answer.allCases)
    func anotherUser(answer: LinkReview.Answer) throws {
        let scene = try found(.project)
        scene.daemon.pass(seconds: 1)
        let page = scene.signIn("ada")
        #expect(scene.call("SignOut").error == nil && scene.call("SignInAnonymously").error == nil)
        #expect(scene.answer(answer, on: page) == .over)
    }
}
