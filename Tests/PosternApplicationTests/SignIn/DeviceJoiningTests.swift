import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Anybody can type a code, at any time: whoever waits for a page takes no answer of a code, and a code that nobody waits for replaces nobody.
@Suite("A sign-in that waits for a code", .serialized)
struct DeviceJoiningTests {
    /// What waits at first, and who waits for it.
    enum First: String, CaseIterable, Sendable {
        case page, pageWithoutProgram, code, codeWithoutProgram, codeBesidePage, codeAfterRestart

        fileprivate func begin(_ scene: AccountScene) throws -> (scene: AccountScene, id: JSON?) {
            let isPage = self == .page || self == .pageWithoutProgram
            let reply = scene.ask("club", isPage ? [:] : ["flow": "device"])
            let id = reply.replies.first?["event"]?.objectValue?["sessionID"]
            switch self {
            case .page, .code: break
            case .pageWithoutProgram, .codeWithoutProgram: scene.daemon.leave(reply)
            case .codeBesidePage:
                scene.daemon.call("AttachSession", ["sessionID": id ?? .null, "flow": "browser"], more: true)
            case .codeAfterRestart: return (try scene.restarted(), id)
            }
            return (scene, id)
        }

        /// Which flows may share its answer.
        fileprivate var joiners: [String] {
            switch self {
            case .page, .pageWithoutProgram: ["browser"]
            case .code: ["device"]
            case .codeWithoutProgram, .codeBesidePage, .codeAfterRestart: []
            }
        }
    }

    @Test("is joined by those alone who want a code, while its program waits", arguments: Authority.allCases, First.allCases)
    func joined(authority: Authority, first: First) throws {
        for flow in ["browser", "device"] {
            let (scene, id) = try first.begin(try AccountScene(authority))
            let second = scene.ask("club", ["flow": .string(flow)])
            let isJoined = second.replies.first?["event"]?.objectValue?["sessionID"] == id
            #expect(id != nil && isJoined == first.joiners.contains(flow), "\(flow)")
        }
    }

    @Test("gives no result to a caller that waits for a page", arguments: Authority.allCases)
    func taken(authority: Authority) throws {
        let scene = try AccountScene(authority)
        let code = scene.ask("club", ["flow": "device"])
        let page = scene.ask("club")
        scene.type("eve", at: "club")
        #expect(code.isCompleted && !page.isFinished)
    }

    /// How its program goes away.
    enum Departure: CaseIterable, Sendable {
        case atOnce, withGrantOnItsWay, withRestart
    }

    /// Whom the app is signed in as, before the code was given and when it is typed.
    enum Users: CaseIterable, Sendable {
        case nobody, newcomer, another, same, gone
    }

    @Test(
        "and that no program waits for replaces no sign-in that began after it, and the project is not asked", arguments: Authority.allCases,
        Departure.allCases)
    func abandoned(authority: Authority, departure: Departure) throws {
        for users in Users.allCases {
            var scene = try AccountScene(authority)
            if ![.nobody, .newcomer].contains(users) { #expect(scene.signIn("ada").isCompleted) }
            let reply = scene.ask("club", ["flow": "device"])
            if departure == .atOnce { scene.daemon.leave(reply) }
            switch users {
            case .nobody, .same: break
            case .newcomer, .another: #expect(scene.signIn("grace").isCompleted)
            case .gone: scene.call("SignOut")
            }
            let uid = scene.uid()
            if departure == .withRestart { scene = try scene.restarted() }
            let before = scene.projectRequests
            if departure == .withGrantOnItsWay { scene.people.held = "https://club.example/token" }
            scene.type("eve", at: "club")
            if departure == .withGrantOnItsWay {
                scene.daemon.leave(reply)
                scene.release()
            }
            guard [.newcomer, .another, .gone].contains(users) else {
                #expect(scene.accounts() == ["club/eve"], "\(users)")
                continue
            }
            #expect(scene.uid() == uid && scene.projectRequests == before, "\(users)")
            #expect(scene.daemon.sessionStates.contains("failed"), "\(users)")
            // Nor is it a way to the stranger's account.
            #expect(scene.daemon.call("GetAccessToken", ["providerID": "club"]).errorName == "SignInRequired", "\(users)")
        }
    }

    @Test("replaces the app's user when a program waits for it again", arguments: Authority.allCases)
    func attached(authority: Authority) throws {
        let scene = try AccountScene(authority)
        let reply = scene.ask("club", ["flow": "device"])
        scene.daemon.leave(reply)
        #expect(scene.signIn("ada").isCompleted)
        let again = scene.daemon.call("AttachSession", ["sessionID": reply.event?["sessionID"] ?? .null], more: true)
        scene.type("eve", at: "club")
        #expect(again.isCompleted && scene.accounts() == ["club/eve"])
    }
}
