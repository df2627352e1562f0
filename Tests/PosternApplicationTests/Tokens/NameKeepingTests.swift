import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("Whose a configured name is", .serialized)
struct NameKeepingTests {
    private static let office = "[account.office]\nprovider = \"work\"\nfor = [\"https://office.example/\"]\n"

    private func token(_ scene: AccountScene, _ name: String) -> String? {
        scene.daemon.call("GetAccessToken", ["providerID": .string(name)])["accessToken"]?.stringValue?.person
    }

    private func header(_ scene: AccountScene) -> String? {
        let reply = scene.daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://office.example/x"])
        return reply["headers"]?.objectValue?["Authorization"]?.stringValue?.person
    }

    @Test(
        "is not changed by what an app signs in under it", arguments: Authority.allCases,
        ["signIn", "link", "reauthenticate", "credential", "a handle"])
    func moved(authority: Authority, way: String) throws {
        let scene = try AccountScene(authority, more: Self.office)
        #expect(scene.keep("ada", at: "office").isCompleted && scene.keep("eve").isCompleted)
        scene.daemon.pass(seconds: 60)
        switch way {
        case "link":
            #expect(scene.signIn("bob", at: "home", app: "photos").isCompleted)
            #expect(scene.signIn("eve", at: "office", app: "photos", intent: "link").isCompleted)
        case "reauthenticate":
            #expect(scene.signIn("eve", app: "photos").isCompleted)
            #expect(scene.signIn("eve", at: "office", app: "photos", intent: "reauthenticate").isCompleted)
        case "a handle":
            #expect(scene.use(["handle": try scene.handle("eve", at: "office", app: "photos")], app: "photos").error == nil)
        default: #expect(scene.signIn("eve", at: "office", app: "photos", intent: way).isCompleted)
        }
        #expect(token(scene, "office") == "ada" && header(scene) == "ada")
        // The person moves it.
        #expect(scene.keep("eve", at: "office").isCompleted && token(scene, "office") == "eve" && header(scene) == "eve")
    }

    @Test("is nobody's until the person signs in under it", arguments: Authority.allCases)
    func nobodys(authority: Authority) throws {
        let scene = try AccountScene(authority, more: Self.office)
        #expect(scene.keep("ada").isCompleted && scene.signIn("ada", at: "office", app: "photos").isCompleted)
        #expect(token(scene, "office") == nil && header(scene) == nil)
        #expect(scene.keep("ada", at: "office").isCompleted && token(scene, "office") == "ada")
        // An app's sign-in takes no name from an account, either.
        #expect(scene.signIn("ada", app: "photos").isCompleted && token(scene, "office") == "ada")
    }

    @Test("means the person's account by its address, whoever else of that address signs in to an app")
    func addressed() throws {
        let scene = try AccountScene(.own)
        scene.people.profiles["twin"] = ["id": "9", "email": "ada@example.com"]
        #expect(scene.keep("ada").isCompleted && scene.signIn("twin", app: "photos").isCompleted)
        func token(_ account: String) -> RecordedReply {
            scene.daemon.call("GetAccessToken", ["providerID": "work", "account": .string(account)])
        }
        #expect(token("ada@example.com")["accessToken"]?.stringValue?.person == "ada", "\(token("ada@example.com").message)")
        #expect(token("9")["accessToken"]?.stringValue?.person == "twin", "what is stored can be named")
    }

    // MARK: Confirmations

    private static let acme = "[account.acme]\nprovider = \"club\"\nlogin = \"bob@example.com\"\n"
    private static let bob: JSONObject = ["id": "2", "email": "bob@example.com", "email_verified": true]
    private static let stranger: JSONObject = ["id": "9", "username": "bob@example.com", "email": "eve@example.com", "email_verified": true]

    /// What happens between the question and its answer.
    enum Meanwhile: String, CaseIterable, Sendable {
        case nothing, verifiedUnderTheName, verifiedBesideIt, verifiedInAnApp, anotherConfirmed
    }

    @Test("is asked of what is known when the person answers, and not of what was known at the question", arguments: Meanwhile.allCases)
    func confirmed(meanwhile: Meanwhile) throws {
        let scene = try AccountScene(.own, more: Self.acme)
        (scene.people.profiles["bob"], scene.people.profiles["eve"]) = (Self.bob, Self.stranger)
        scene.people.profiles["third"] = ["id": "3", "username": "bob@example.com"]
        let asked = scene.keep("eve", at: "acme")
        #expect(asked.errorName == "AccountNotConfirmed", "\(asked.message)")
        switch meanwhile {
        case .nothing: break
        case .verifiedUnderTheName: #expect(scene.keep("bob", at: "acme").isCompleted)
        case .verifiedBesideIt: #expect(scene.keep("bob", at: "club").isCompleted)
        case .verifiedInAnApp: #expect(scene.signIn("bob", at: "club", app: "photos").isCompleted)
        case .anotherConfirmed:
            let third = scene.keep("third", at: "acme")
            #expect(scene.askToKeep("acme", ["confirmation": third.offered("handle") ?? .null]).isCompleted)
        }
        scene.daemon.pass(seconds: 1)
        let answered = scene.askToKeep("acme", ["confirmation": asked.offered("handle") ?? .null])
        if meanwhile == .nothing {
            #expect(answered.isCompleted && token(scene, "acme") == "eve")
        } else {
            #expect(answered.errorName == "UserMismatch", "\(answered.message)")
            #expect(token(scene, "acme") == (meanwhile == .anotherConfirmed ? "third" : "bob"))
            // Nor is it kept at all.
            let kept = scene.daemon.call("ListCredentials")["credentials"]?.arrayValue?.compactMap { $0.objectValue?["uid"] }
            #expect(kept?.contains("9") == false)
        }
        let owner = meanwhile == .nothing ? "eve" : meanwhile == .anotherConfirmed ? "third" : "bob"
        #expect(scene.keep(owner, at: "acme").isCompleted, "and whoever has the name signs in again")
    }
}
