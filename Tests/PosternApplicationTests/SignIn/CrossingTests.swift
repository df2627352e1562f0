import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Where two rules meet, and somebody could use one against the other.
@Suite("Rules in combination", .serialized)
struct CrossingTests {
    /// Ada's session was left alone, in these apps.
    private func leftAlone(_ authority: Authority, more: String = "", apps: [String] = ["default"]) throws -> AccountScene {
        let scene = try AccountScene(authority, more: more)
        for app in apps { #expect(scene.signIn("ada", app: app).isCompleted) }
        scene.daemon.pass(seconds: 301)
        return scene
    }

    @Test("An app that an account on probation signed in is signed out when the user unlinks the account", arguments: Authority.allCases)
    func unlinked(authority: Authority) throws {
        let scene = try leftAlone(authority, apps: ["default", "another"])
        #expect(scene.signIn("eve", at: "club", intent: "link").isCompleted)
        #expect(scene.signIn("eve", at: "club", app: "hers").isCompleted && scene.uid(app: "hers") == scene.uid())
        #expect(scene.signIn("ada", intent: "reauthenticate").isCompleted)
        #expect(scene.call("UnlinkProvider", ["providerID": "club"]).error == nil)
        #expect(scene.uid(app: "hers") == nil && scene.uid() != nil && scene.uid(app: "another") == scene.uid())
    }

    @Test("An account on probation does not make the owner's own one a stranger's")
    func join() throws {
        let more = "[provider.firm]\n" + AccountScene.provider("firm", isTrusted: true)
        let scene = try leftAlone(.own, more: more)
        let uid = scene.uid()
        #expect(scene.signIn("eve", at: "firm", intent: "link").isCompleted)
        #expect(scene.accounts() == ["work/ada", "firm/eve"])
        #expect(scene.signIn("eve", at: "firm", app: "evil").isCompleted && scene.uid(app: "evil") == uid)
        let handle = try scene.handle("eve", at: "firm", app: "hers")
        #expect(scene.signIn("adas.ada", at: "firm", app: "new").isCompleted)
        #expect(scene.uid(app: "new") == uid && scene.accounts() == ["work/ada", "firm/adas"])
        #expect(scene.use(["handle": handle], app: "hers").errorName == "InvalidCredential", "what Eve had begun is over")
        #expect(scene.uid(app: "evil") == nil)
    }

    @Test("What a project says to a second link does not end the probation of the first")
    func linkedTwice() throws {
        let scene = try leftAlone(.project, apps: ["default", "another"])
        #expect(scene.signIn("eve", at: "club", intent: "link").isCompleted)
        #expect(scene.signIn("eve", at: "club", app: "another", intent: "link").errorName == "CredentialAlreadyInUse")
        #expect(scene.signIn("eve", at: "club", intent: "reauthenticate").errorName == "RequiresRecentSignIn")
    }

    @Test("A link that a project did not make, as far as is known, gives no right to unlink")
    func lostLink() throws {
        let scene = try leftAlone(.project, apps: ["default", "another"])
        #expect(scene.signIn("ada", app: "another", intent: "reauthenticate").isCompleted)
        #expect(scene.signIn("adas", at: "club", app: "another", intent: "link").isCompleted)
        scene.people.project?.failures = [("signInWithIdp", 503, "")]
        #expect(scene.signIn("eve", at: "club", intent: "link").errorName != nil)
        #expect(scene.call("UpdateUser", ["displayName": "Ada"]).error == nil, "it learns of what was linked elsewhere")
        #expect(scene.accounts().contains("club/adas"))
        #expect(scene.call("UnlinkProvider", ["providerID": "club"]).errorName == "RequiresRecentSignIn")
    }

    @Test("A result that nobody fetched gives no handle for an account that was unlinked meanwhile", arguments: Authority.allCases)
    func unlinkedMeanwhile(authority: Authority) throws {
        let scene = try AccountScene(authority)
        #expect(scene.signIn("ada").isCompleted && scene.signIn("eve", at: "club", intent: "link").isCompleted)
        let reply = scene.ask("club", intent: "credential")
        let id = try #require(reply.event?["sessionID"])
        scene.daemon.leave(reply)
        scene.daemon.settle()
        scene.daemon.browserReturns("state=\(reply.pageState ?? "")&code=eve")
        #expect(scene.call("UnlinkProvider", ["providerID": "club"]).error == nil)
        #expect(scene.daemon.call("AttachSession", ["sessionID": id]).errorName == "SessionNotFound")
    }

    @Test("A result that nobody fetched gives no handle after the owner recovered the user", arguments: [false, true])
    func unfetched(isRestarted: Bool) throws {
        var scene = try AccountScene(.own)
        #expect(scene.signIn("eve.ada", at: "club").isCompleted)
        let reply = scene.ask("club", intent: "credential")
        let id = try #require(reply.event?["sessionID"])
        scene.daemon.leave(reply)
        scene.daemon.settle()
        scene.daemon.browserReturns("state=\(reply.pageState ?? "")&code=eve.ada")
        #expect(scene.signIn("ada").isCompleted && scene.accounts() == ["work/ada"])
        if isRestarted { scene = try scene.restarted() }
        let fetched = scene.daemon.call("AttachSession", ["sessionID": id])
        #expect(fetched.errorName == "SessionNotFound", "\(fetched.ending)")
    }

    @Test(
        "A call that waits for a project is not carried out for whoever signs in meanwhile",
        arguments: [
            ("UpdateUser", ["password": "another horse"]), ("UnlinkProvider", ["providerID": "work"]), ("DeleteUser", [:]),
            ("EnrollSecondFactor", ["factorID": "totp"]),
        ] as [(String, JSONObject)])
    func waiting(method: String, parameters: JSONObject) throws {
        let scene = try AccountScene(.project)
        #expect(scene.call("CreateUser", ["email": "eve@example.com", "password": "correct horse"]).error == nil)
        scene.people.held = "https://identitytoolkit.googleapis.com/v1/accounts:signInWithIdp"
        let entering = scene.use(["providerID": "work", "accessToken": "at-ada-9"])
        let waiting = scene.call(method, parameters)
        #expect(scene.daemon.isAsked && !entering.isFinished && !waiting.isFinished)
        scene.release()
        #expect(entering.error == nil && waiting.errorName == "UserMismatch" && scene.accounts() == ["work/ada"], "\(waiting.ending)")
    }
}
