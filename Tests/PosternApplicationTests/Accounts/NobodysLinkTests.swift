import PosternApplication
import PosternCore
import StrictJSON
import Testing

@testable import PosternStore

@Suite("How an account came to a project's user", .serialized)
struct NobodysLinkTests {
    private func links(_ scene: AccountScene) throws -> [FirebaseLinks.Entry] {
        try scene.daemon.executor.isolated { [opener = scene.daemon.opener] in
            try opener.store?.assumeIsolated { try $0.tables.firebaseLinks().entries } ?? []
        }
    }

    @Test("What nothing but the person lifts is not said to end with time")
    func words() throws {
        let scene = try AccountScene(.project)
        #expect(scene.use(["providerID": "work", "accessToken": "at-ada-9"], app: "hers").error == nil)
        #expect(scene.signIn("eve", at: "club", app: "hers", intent: "link").isCompleted)
        scene.daemon.pass(seconds: 60)
        let refused = scene.signIn("eve", at: "club", app: "hers", intent: "reauthenticate")
        #expect(refused.errorName == "RequiresRecentSignIn", "\(refused.ending)")
        #expect(!refused.message.contains("30 days") && !refused.message.contains("also lifts"), "\(refused.message)")
    }

    @Test("is forgotten with the user")
    func deleted() throws {
        let scene = try AccountScene(.project)
        #expect(scene.signIn("ada").isCompleted && scene.signIn("bob", app: "other").isCompleted)
        #expect(scene.signIn("eve", at: "club", intent: "link").isCompleted)
        #expect(scene.signIn("mallory", at: "club", app: "other", intent: "link").isCompleted)
        let (ada, bob) = (scene.uid()?.stringValue, scene.uid(app: "other")?.stringValue)
        #expect(try Set(links(scene).map(\.uid)) == Set([ada, bob].compactMap(\.self)))
        #expect(scene.call("DeleteUser").error == nil)
        #expect(try links(scene).map(\.uid) == [bob])
    }
}
