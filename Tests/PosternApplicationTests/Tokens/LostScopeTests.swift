import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("A scope that an account had, and has lost", .serialized)
struct LostScopeTests {
    private let scene: AccountScene

    init() throws { scene = try AccountScene(.own) }

    private func keep(_ person: String, _ scopes: [JSON], granted: String, hint: JSON? = nil, isRenewable: Bool = true) {
        scene.people.grants["scope"] = .string(granted)
        scene.people.grants["refresh_token"] = isRenewable ? nil : .some(nil)
        var further: JSONObject = ["scopes": .array(scopes)]
        further["loginHint"] = hint
        #expect(scene.keep(person, further).isCompleted)
        scene.people.grants = [:]
    }

    /// What a sign-in would ask for that the person makes for this account.
    private func asked(_ hint: JSON = "ada@example.com") -> Set<Substring> {
        let reply = scene.askToKeep("work", ["scopes": ["read"], "loginHint": hint])
        let scope = reply.event?["authorizationURL"]?.stringValue?.query("scope") ?? ""
        scene.daemon.call("CancelSession", ["sessionID": reply.event?["sessionID"] ?? .null])
        return Set(scope.split(separator: "%20"))
    }

    @Test("is asked for again by the person's next sign-in, though an app's took the place of the dead grant")
    func app() {
        keep("ada", ["read", "write"], granted: "read write", isRenewable: false)
        scene.daemon.pass(seconds: 7200)
        scene.people.grants["scope"] = "read"
        #expect(scene.signIn("ada", app: "photos", ["scopes": ["read"]]).isCompleted)
        #expect(asked() == ["read", "write"])
        // Until the person has been asked.
        keep("ada", ["read"], granted: "read", hint: "ada@example.com")
        #expect(asked() == ["read"])
    }

    @Test("is asked for again, though the last sign-in did not know whose it would be")
    func unknown() {
        keep("ada", ["read", "write"], granted: "read write")
        keep("eve", ["read", "write"], granted: "read write")
        keep("ada", ["read"], granted: "read")
        #expect(asked() == ["read", "write"] && asked("eve@example.com") == ["read", "write"])
    }

    @Test("is asked for again, if it was a renewal that brought less")
    func renewal() {
        keep("ada", ["read", "write"], granted: "read write")
        scene.people.grants["scope"] = "read"
        #expect(scene.daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])["scopes"] == ["read"])
        #expect(asked() == ["read", "write"])
    }

    @Test("is not asked for again if the person declined it")
    func declined() {
        keep("ada", ["read", "write"], granted: "read write")
        keep("ada", ["read"], granted: "read", hint: "ada@example.com")
        #expect(asked() == ["read"])
    }
}
