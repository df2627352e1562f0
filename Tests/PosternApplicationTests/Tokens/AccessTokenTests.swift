import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Every program can have an access token, and it may be an old one: it says whose account it opens, and nothing else.
@Suite("An access token that a program presents alone", .serialized)
struct AccessTokenTests {
    private func present(
        _ scene: AccountScene, _ token: String, at providerID: String = "work", app: String = "default", intent: String = "signIn"
    ) -> RecordedReply {
        scene.use(["providerID": .string(providerID), "accessToken": .string(token)], app: app, intent: intent)
    }

    private func stored(_ scene: AccountScene, at providerID: String = "work") -> JSON? {
        scene.daemon.call("GetAccessToken", ["providerID": .string(providerID)])["accessToken"]
    }

    @Test("signs in its own user, or a new one, but does not prove presence", arguments: Authority.allCases)
    func signsIn(authority: Authority) throws {
        let scene = try AccountScene(authority)
        let new = present(scene, "at-ada-9")
        #expect(new.error == nil && scene.accounts() == ["work/ada"], "\(new.message)")
        #expect(!scene.isRecent() && stored(scene) == "at-ada-9")
        let uid = scene.uid()
        #expect(present(scene, "at-ada-9", app: "other").error == nil && scene.uid(app: "other") == uid && !scene.isRecent(app: "other"))
        #expect(scene.signIn("ada", app: "third").isCompleted && scene.uid(app: "third") == uid)
        scene.daemon.pass(seconds: 301)
        #expect(present(scene, "at-ada-9", app: "third").error == nil && !scene.isRecent(app: "third"))
    }

    @Test(
        "is refused where something is missing, left over or not fit for a header, by the parameter's name",
        arguments: [
            ([:], "handle"), (["handle": "h", "idToken": "x"], "idToken"), (["handle": "h", "email": "a@b"], "email"),
            (["idToken": "x", "rawNonce": "n"], "providerID"), (["accessToken": "x"], "providerID"),
            (["providerID": "club", "idToken": "", "rawNonce": "n"], "idToken"), (["providerID": "club", "idToken": "x"], "rawNonce"),
            (["providerID": "club", "idToken": "x", "rawNonce": ""], "rawNonce"), (["providerID": "club", "idToken": "x", "rawNonce": "a b"], "rawNonce"),
            (["providerID": "club", "idToken": "x", "rawNonce": "ä"], "rawNonce"),
            (["providerID": "club", "idToken": "x", "rawNonce": .string(String(repeating: "n", count: 513))], "rawNonce"),
            (["providerID": "club", "accessToken": "x", "rawNonce": "n"], "rawNonce"), (["providerID": "club", "accessToken": "a\nb"], "accessToken"),
            (["providerID": "club", "accessToken": "x", "secret": "s"], "secret"),
            (["providerID": "club", "idToken": "x", "rawNonce": "n", "secret": "s"], "secret"),
            (["providerID": "club", "idToken": "x", "rawNonce": "n", "email": "a@b"], "email"),
            (["providerID": "club", "idToken": "x", "rawNonce": "n", "password": "p"], "password"),
        ] as [(JSONObject, String)])
    func parts(credential: JSONObject, parameter: String) throws {
        let scene = try AccountScene(.own)
        let reply = scene.use(.object(credential))
        #expect(reply.errorName == "InvalidParameter" && reply.error?.object["parameter"] == .string("credential.\(parameter)"), "\(reply.message)")
        let notOpenID = scene.use(["providerID": "club", "idToken": "a.b.c", "rawNonce": "n"])
        #expect(notOpenID.errorName == "InvalidCredential" && notOpenID.message.contains("is not configured as an OpenID provider"))
        #expect(scene.use(["providerID": "nobody", "accessToken": "x"]).errorName == "ProviderNotFound" && scene.requests == 0)
    }

    @Test("neither links nor reauthenticates, and neither the provider nor the project is asked", arguments: Authority.allCases)
    func showsNobody(authority: Authority) throws {
        let scene = try AccountScene(authority)
        #expect(scene.signIn("ada").isCompleted)
        scene.daemon.pass(seconds: 301)
        let before = scene.requests
        for (token, providerID, intent) in [("at-ada-1", "work", "reauthenticate"), ("at-eve-1", "club", "link")] {
            let reply = present(scene, token, at: providerID, intent: intent)
            #expect(reply.errorName == "InvalidCredential" && reply.message.contains("access token"), "\(reply.message)")
        }
        #expect(scene.requests == before)
        #expect(scene.accounts() == ["work/ada"] && !scene.isRecent())
    }

    /// Whose address it is that a token of the authority for it comes with.
    enum Owner: CaseIterable, Sendable {
        /// With an address that was typed: the authority's page would recover the user.
        case typed
        /// With an address that is proved: another authority's page would join the user.
        case proved
        /// Who had the address before: the authority's page would recover the user.
        case recycled
    }

    @Test("links and recovers no user, not even at the authority for the address; nor does its handle", arguments: Owner.allCases)
    func joinsNobody(owner: Owner) throws {
        let more = "[provider.staff]\n" + AccountScene.provider("staff", isTrusted: true)
        let scene = try AccountScene(.own, more: more)
        switch owner {
        case .typed: #expect(scene.call("CreateUser", ["email": "ada@example.com", "password": "correct horse"]).error == nil)
        case .proved, .recycled: #expect(scene.signIn("ada", at: owner == .proved ? "staff" : "work").isCompleted)
        }
        let before = scene.user()
        let reply = present(scene, "at-countess.ada-9", app: "other")
        #expect(reply.errorName == "AccountExistsWithDifferentCredential", "\(reply.message)")
        let used = scene.use(["handle": reply.offered("handle") ?? .null], app: "other")
        #expect(used.errorName == "AccountExistsWithDifferentCredential", "\(used.message)")
        #expect(scene.user() == before && scene.user(app: "other") == nil)
        #expect(stored(scene) == (owner == .recycled ? "at-ada-1" : nil), "nothing of it is stored")
        let page = scene.signIn("countess.ada", app: "other")
        #expect(page.isCompleted && scene.uid(app: "other") == before?["uid"], "a page does: \(page.message)")
    }

    @Test("updates neither what the provider says of the account nor how well the address is proved")
    func updatesNothing() throws {
        let scene = try AccountScene(.own)
        scene.people.verified = true
        #expect(scene.signIn("ada", at: "club").isCompleted)
        #expect(scene.user()?["emailVerified"] == true)
        // The account has another address at the provider since.
        scene.people.verified = false
        let before = scene.user()
        #expect(present(scene, "at-ada.countess-9", at: "club").error == nil)
        var after = scene.user()
        after?["lastSignInAt"] = before?["lastSignInAt"]
        #expect(after == before)
        #expect(scene.signIn("ada.countess", at: "club").isCompleted)
        let providerData = scene.user()?["providerData"]?.arrayValue?.first?.objectValue
        #expect(providerData?["email"] == "countess@example.com", "a page does")
    }

    @Test("proves no address, at the authority either")
    func provesNothing() throws {
        let scene = try AccountScene(.own)
        // The provider became the authority after the user had signed in there.
        #expect(scene.signIn("ada", at: "club").isCompleted && scene.user()?["emailVerified"] == false)
        try scene.daemon.reload(scene.toml.replacing("trust-email = false", with: "trust-email = true"))
        #expect(present(scene, "at-ada-9", at: "club").error == nil && scene.user()?["emailVerified"] == false)
        #expect(scene.signIn("ada", at: "club").isCompleted && scene.user()?["emailVerified"] == true, "a page does")
    }

    @Test("is stored only where nothing is: a refresh token stays, and no displaced token is handed out again", arguments: Authority.allCases)
    func stores(authority: Authority) throws {
        let scene = try AccountScene(authority)
        #expect(scene.signIn("ada").isCompleted && stored(scene) == "at-ada-1")
        scene.daemon.pass(seconds: 3600)
        #expect(stored(scene) == "at-ada-2")
        // The first one, which the provider still accepts.
        #expect(present(scene, "at-ada-1", app: "other").error == nil && stored(scene) == "at-ada-2")
        let next = try scene.restarted()
        #expect(stored(next) == "at-ada-2")
        next.daemon.pass(seconds: 3600)
        #expect(stored(next) == "at-ada-3" && next.daemon.tokenRequests == ["rt-ada-2"])
        #expect(next.daemon.call("RevokeCredential", ["providerID": "work"]).error == nil && stored(next) == nil)
        #expect(present(next, "at-ada-1").error == nil && stored(next) == "at-ada-1")
    }

    @Test("by its handle is stored no more than by itself")
    func storesByHandle() throws {
        let scene = try AccountScene(.own)
        #expect(scene.call("CreateUser", ["email": "ada@example.com", "password": "correct horse"]).error == nil)
        let reply = present(scene, "at-eve.ada-9", at: "club", app: "other")
        #expect(reply.errorName == "AccountExistsWithDifferentCredential")
        let refused = scene.use(["handle": reply.offered("handle") ?? .null], intent: "link")
        #expect(refused.errorName == "InvalidCredential" && stored(scene, at: "club") == nil, "\(refused.message)")
        // The handle is as good as it was; meanwhile the user has linked the account with a page.
        #expect(scene.signIn("eve.ada", at: "club", intent: "link").isCompleted && stored(scene, at: "club") == "at-eve.ada-1")
        #expect(scene.use(["handle": reply.offered("handle") ?? .null], app: "other").error == nil)
        #expect(scene.uid(app: "other") == scene.uid() && stored(scene, at: "club") == "at-eve.ada-1")
    }
}
