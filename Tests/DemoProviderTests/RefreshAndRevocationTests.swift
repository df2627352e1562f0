import DemoProvider
import PosternCore
import StrictJSON
import Testing

@Suite("Refreshing and revoking")
struct RefreshAndRevocationTests {
    let browser: DemoBrowser
    let tokens: JSONObject

    init() throws {
        browser = try DemoBrowser()
        tokens = try browser.redeem(try browser.code()).json
    }

    @Test("A refresh gives new tokens, and an ID token without the nonce")
    func refresh() throws {
        let answer = try browser.refresh(try tokens.text("refresh_token"))
        #expect(answer.status == 200)
        let fresh = try answer.json
        #expect(fresh["refresh_token"] != tokens["refresh_token"])
        #expect(fresh["access_token"] != tokens["access_token"])
        let payload = try fresh.text("id_token").split(separator: ".").map(String.init)[1]
        let claims = try decodedPart(payload)
        #expect(claims["sub"] == "demo-1815")
        #expect(claims["nonce"] == nil)
        #expect(try browser.userinfo(try fresh.text("access_token")).status == 200)
    }

    @Test("A refresh token that is used twice ends the whole sign-in")
    func reuse() throws {
        let fresh = try browser.refresh(try tokens.text("refresh_token")).json
        #expect(try browser.refresh(try tokens.text("refresh_token")).json["error"] == "invalid_grant")
        #expect(try browser.refresh(try fresh.text("refresh_token")).json["error"] == "invalid_grant")
        #expect(try browser.userinfo(try fresh.text("access_token")).status == 401)
    }

    @Test("A long chain of refreshes goes on")
    func chain() throws {
        var token = try tokens.text("refresh_token")
        for _ in 0..<20 { token = try browser.refresh(token).json.text("refresh_token") }
        #expect(try browser.refresh(token).status == 200)
    }

    @Test("A refresh may ask for less, and never for more")
    func scopes() throws {
        let less = try browser.refresh(try tokens.text("refresh_token"), ["scope": "openid"]).json
        #expect(less["scope"] == "openid")
        #expect(try browser.userinfo(try less.text("access_token")).json.keys == ["sub"])
        let more = try browser.refresh(try less.text("refresh_token"), ["scope": "openid offline_access"]).json
        #expect(more["error"] == "invalid_scope")
        #expect(try browser.refresh(try less.text("refresh_token")).json["scope"] == "openid profile email")
    }

    @Test(
        "A refresh is refused without its token, with a foreign one, to another client",
        arguments: [
            (["refresh_token": ""], "invalid_request"), (["refresh_token": "x"], "invalid_grant"),
            (["client_id": "confidential", "client_secret": DemoBrowser.secret], "invalid_grant"),
            (["client_id": "other"], "invalid_client"),
        ] as [([String: String], String)])
    func refusals(changes: [String: String], error: String) throws {
        #expect(try browser.refresh(try tokens.text("refresh_token"), changes).json["error"] == .string(error))
        #expect(try browser.refresh(try tokens.text("refresh_token")).status == 200)
    }

    @Test("Revoking either token ends both", arguments: ["access_token", "refresh_token"])
    func revoke(kind: String) throws {
        let answer = try browser.post("/revoke", [("token", try tokens.text(kind)), ("client_id", "postern-demo")])
        #expect(answer.status == 200)
        #expect(try browser.userinfo(try tokens.text("access_token")).status == 401)
        #expect(try browser.refresh(try tokens.text("refresh_token")).json["error"] == "invalid_grant")
    }

    @Test("An unknown token is as good as revoked")
    func revokeUnknown() throws {
        #expect(try browser.post("/revoke", [("token", "x"), ("client_id", "postern-demo"), ("token_type_hint", "odd")]).status == 200)
    }

    @Test(
        "Nobody revokes another client's token, or without saying who they are",
        arguments: [
            ([("client_id", "confidential"), ("client_secret", DemoBrowser.secret)], 400), ([], 401), ([("client_id", "other")], 401),
        ] as [([(String, String)], Int)])
    func revokeForeign(client: [(String, String)], status: Int) throws {
        #expect(try browser.post("/revoke", [("token", try tokens.text("access_token"))] + client).status == status)
        #expect(try browser.userinfo(try tokens.text("access_token")).status == 200)
    }

    @Test("Userinfo gives what the scopes allow")
    func userinfo() throws {
        let all = try browser.userinfo(try tokens.text("access_token")).json
        #expect(all["sub"] == "demo-1815")
        #expect(all["name"] == "Ada Lovelace")
        #expect(all["email"] == "ada@example.com")
        #expect(all["email_verified"] == true)
        #expect(all["picture"] == .string("\(browser.provider.issuer)/demo/people/ada.svg"))
        let few = try browser.redeem(try browser.code(["scope": "openid email"], person: "grace")).json
        #expect(try browser.userinfo(try few.text("access_token")).json.keys == ["sub", "email", "email_verified"])
    }

    @Test("Userinfo requires a valid bearer token", arguments: ["", "Bearer", "Bearer x", "Basic eDp5", "bearer  "])
    func badToken(header: String) throws {
        let answer = try browser.get("/userinfo", headers: [("Authorization", header)])
        #expect(answer.status == 401)
        #expect(answer.header("WWW-Authenticate")?.hasPrefix("Bearer") == true)
    }

    @Test("A token in the query is no token")
    func tokenInQuery() throws {
        #expect(try browser.get("/userinfo?access_token=\(try tokens.text("access_token"))").status == 401)
    }
}
