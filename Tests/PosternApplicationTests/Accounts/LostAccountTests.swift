import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("What a Firebase project's user gives up", .serialized)
struct LostAccountTests {
    private let scene: AccountScene
    private let project: ScriptedProject

    init() throws {
        scene = try AccountScene(.project)
        project = try #require(scene.people.project)
    }

    /// Who keeps an account, by name; nil if it is not stored.
    private func keepers(_ subject: String, at providerID: String) -> [String]? {
        let all = scene.daemon.call("ListCredentials")["credentials"]?.arrayValue?.compactMap(\.objectValue) ?? []
        let found = all.first { $0["providerID"]?.stringValue == providerID && $0["uid"]?.stringValue == subject }
        return found?["keptBy"]?.arrayValue?.compactMap(\.stringValue)
    }

    private func revocations(at providerID: String) -> Int {
        scene.daemon.executor.isolated { [provider = scene.daemon.provider] in
            provider.sent.filter { $0.url == "https://\(providerID).example/revoke" }.count
        }
    }

    /// On another device the account was unlinked, and here its owner signs in as another user.
    private func moveToAnotherUser() throws {
        let uid = try #require(project.uid(of: "ada", at: "work"))
        project.members[uid]?.accounts.removeAll { $0.providerID == "work" }
        #expect(scene.signIn("ada", app: "chess").isCompleted)
        #expect(scene.uid(app: "chess")?.stringValue != uid)
    }

    @Test("are not the accounts that are another user's by now, whatever its app still believes")
    func deleted() throws {
        #expect(scene.signIn("adas", at: "club", app: "photos").isCompleted)
        #expect(scene.signIn("ada", app: "photos", intent: "link").isCompleted)
        try moveToAnotherUser()
        #expect(scene.accounts(app: "photos").contains("work/ada"), "nobody has told it")
        #expect(scene.call("DeleteUser", app: "photos").error == nil)
        #expect(keepers("ada", at: "work") == ["chess"] && revocations(at: "work") == 0)
        #expect(keepers("adas", at: "club") == nil && revocations(at: "club") > 0)
    }

    @Test("are not what became another user's while the project unlinked it")
    func unlinked() throws {
        #expect(scene.signIn("adas", at: "club", app: "photos").isCompleted)
        #expect(scene.signIn("ada", app: "photos", intent: "link").isCompleted)
        scene.people.held = "https://identitytoolkit.googleapis.com/v1/accounts:update"
        let reply = scene.call("UnlinkProvider", ["providerID": "work"], app: "photos")
        #expect(!reply.isFinished)
        try moveToAnotherUser()
        scene.release()
        #expect(reply.isFinished && reply.error == nil, "\(reply.message)")
        #expect(keepers("ada", at: "work") == ["chess"] && revocations(at: "work") == 0)
    }

    @Test("is given up by every app that is signed in as that user, and by no other", arguments: ["DeleteUser", "UnlinkProvider"])
    func everyApp(method: String) throws {
        for app in ["photos", "darts"] {
            #expect(scene.signIn("ada", app: app).isCompleted)
            if app == "photos" { #expect(scene.signIn("adas", at: "club", app: app, intent: "link").isCompleted) }
        }
        #expect(keepers("ada", at: "work") == ["photos", "darts"])
        #expect(scene.call(method, method == "DeleteUser" ? [:] : ["providerID": "work"], app: "photos").error == nil)
        #expect(keepers("ada", at: "work") == nil && revocations(at: "work") > 0)
    }
}
