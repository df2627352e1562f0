import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("A name that an account keeps", .serialized)
struct KeptNameTests {
    private static let office = "[account.office]\nprovider = \"work\"\nfor = [\"https://office.example/\"]\n"
    private static let navy = "[account.navy]\nprovider = \"work\"\nlogin = \"ada@example.com\"\n"

    private static func acme(_ name: String) -> String { "[account.\(name)]\nprovider = \"club\"\nlogin = \"bob@example.com\"\n" }

    private func person(_ scene: AccountScene, _ name: String) -> String? {
        scene.daemon.call("GetAccessToken", ["providerID": .string(name)])["accessToken"]?.stringValue?.person
    }

    private func header(_ scene: AccountScene) -> String? {
        let reply = scene.daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://office.example/x"])
        return reply["headers"]?.objectValue?["Authorization"]?.stringValue?.person
    }

    /// The sections of accounts are these from now on.
    private func configure(_ scene: AccountScene, without former: String, _ sections: String) throws {
        try scene.daemon.reload(String(scene.toml.dropLast(former.utf8.count)) + sections)
    }

    /// What comes between the renaming and the section that is configured anew.
    enum Meanwhile: String, CaseIterable, Sendable {
        case nothing, renewal, restart, lock
    }

    @Test("is gone with its section: one of the same name that is configured anew means nobody yet", arguments: Meanwhile.allCases)
    func anew(meanwhile: Meanwhile) throws {
        var scene = try AccountScene(.own, more: Self.office)
        #expect(scene.keep("ada", at: "office").isCompleted && person(scene, "office") == "ada")
        let waiting = try PendingSignIn(scene.daemon, joining: scene.askToKeep("office"))
        if meanwhile == .lock { scene.daemon.call("Lock") }
        try configure(scene, without: Self.office, Self.navy)
        if meanwhile == .renewal {
            #expect(scene.daemon.call("GetAccessToken", ["providerID": "navy", "forceRefresh": true]).error == nil)
        }
        try configure(scene, without: Self.office, Self.navy + Self.office)
        if meanwhile == .lock { scene.daemon.call("Unlock") }
        if meanwhile == .restart { scene = try scene.restarted() }
        // On disk it is gone as well.
        try configure(scene, without: Self.office, Self.navy + Self.office)
        #expect(person(scene, "office") == nil && header(scene) == nil)
        if meanwhile != .restart { #expect(person(scene, "navy") == "ada") }
        // A page that was opened for the former section gives the new one nothing.
        if meanwhile == .nothing {
            _ = waiting.browserReturns(code: "ada")
            scene.daemon.settle()
            #expect(!waiting.reply.isCompleted && person(scene, "office") == nil)
        }
        #expect(scene.keep("eve", at: "office").isCompleted && person(scene, "office") == "eve" && header(scene) == "eve")
    }

    @Test("follows the section when that is called otherwise", arguments: [false, true])
    func pinned(isReplaced: Bool) throws {
        let scene = try AccountScene(.own, more: Self.acme("acme"))
        scene.people.profiles["eve"] = ["id": "9", "username": "bob@example.com"]
        scene.people.profiles["bob"] = ["id": "2", "email": "bob@example.com", "email_verified": true]
        let asked = scene.keep("eve", at: "acme")
        #expect(scene.askToKeep("acme", ["confirmation": asked.offered("handle") ?? .null]).isCompleted)
        #expect(person(scene, "acme") == "eve")
        // Both at once, too: the former name is another section's then.
        let other = isReplaced ? "[account.acme]\nprovider = \"club\"\n" : ""
        try configure(scene, without: Self.acme("acme"), Self.acme("best") + other)
        #expect(scene.signIn("bob", at: "club", app: "photos").isCompleted)
        #expect(person(scene, "best") == "eve", "whoever was confirmed, not who has the address")
        if isReplaced { #expect(person(scene, "acme") == nil) }
    }

    @Test("is kept by a sign-in that the button of a notice begins, too")
    func notice() throws {
        let scene = try AccountScene(.own, more: Self.acme("acme") + "for = [\"https://acme.example/\"]\n")
        scene.people.profiles["bob"] = ["id": "2", "email": "bob@example.com", "email_verified": true]
        let reply = scene.daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://acme.example/x"])
        #expect(reply.errorName == "SignInRequired" && scene.daemon.notices.shown.count == 1, "\(reply.ending)")
        scene.daemon.executor.isolated { [notices = scene.daemon.notices] in notices.happens(.buttonPressed(activationToken: nil)) }
        scene.daemon.settle()
        let page = try #require(scene.daemon.pages.opened.last)
        scene.daemon.browserReturns("state=\(page.query("state") ?? "")&code=bob")
        #expect(person(scene, "acme") == "bob")
    }
}
