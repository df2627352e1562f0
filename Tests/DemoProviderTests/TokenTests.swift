import DemoProvider
import PosternCore
import PosternCrypto
import StrictJSON
import Testing

@Suite("Exchanging codes")
struct TokenTests {
    @Test("A code gives tokens that are not to be kept by anything between")
    func exchange() throws {
        let browser = try DemoBrowser()
        let answer = try browser.redeem(try browser.code())
        #expect(answer.status == 200)
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("Content-Type") == "application/json")
        let json = try answer.json
        #expect(json["token_type"] == "Bearer")
        #expect(json["expires_in"] == 3600)
        #expect(json["scope"] == "openid profile email")
        #expect(try json.text("access_token").count == 43)
        #expect(try json.text("refresh_token").count == 43)
    }

    @Test("The ID token is signed with the shown key and says who, for whom and when")
    func idToken() throws {
        let browser = try DemoBrowser()
        let json = try browser.redeem(try browser.code()).json
        let parts = try json.text("id_token").split(separator: ".").map(String.init)
        let header = try decodedPart(parts[0])
        let claims = try decodedPart(parts[1])
        let jwk = try #require(try browser.get("/jwks").json["keys"]?.arrayValue?.first?.objectValue)
        #expect(header["alg"] == "ES256")
        #expect(header["kid"] == jwk["kid"])
        let key = PublicKey.p256(
            x: try #require(Base64URL.decode(try jwk.text("x"))), y: try #require(Base64URL.decode(try jwk.text("y"))))
        #expect(
            OpenSSLCryptography().isValid(
                signature: try #require(Base64URL.decode(parts[2])), over: Array("\(parts[0]).\(parts[1])".utf8), algorithm: .es256,
                key: key))
        #expect(claims["iss"] == .string(browser.provider.issuer))
        #expect(claims["sub"] == "demo-1815")
        #expect(claims["aud"] == "postern-demo")
        #expect(claims["nonce"] == "n-0S6_WzA2Mj")
        let issued = try #require(claims["iat"]?.integerValue)
        #expect(claims["exp"] == .integer(issued + 600))
        #expect(try #require(claims["auth_time"]?.integerValue) <= issued)
        let hash = OpenSSLCryptography().sha256(Array(try json.text("access_token").utf8)).prefix(16)
        #expect(claims["at_hash"] == .string(Base64URL.encode(hash)))
    }

    @Test("Without openid it is OAuth 2.0: no ID token, and a profile anyway")
    func plainOAuth() throws {
        let browser = try DemoBrowser()
        let json = try browser.redeem(try browser.code(["scope": "profile"])).json
        #expect(json["id_token"] == nil)
        #expect(json["scope"] == "profile")
        #expect(try browser.userinfo(try json.text("access_token")).json["name"] == "Ada Lovelace")
    }

    @Test(
        "A code is refused if anything differs from its request",
        arguments: [
            (["code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXj"], 400, "invalid_grant"),
            (["code_verifier": ""], 400, "invalid_request"),
            (["code_verifier": "short"], 400, "invalid_grant"),
            (["code_verifier": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"], 400, "invalid_grant"),
            (["redirect_uri": "http://127.0.0.1:7679/__/auth/handler"], 400, "invalid_grant"), (["redirect_uri": ""], 400, "invalid_grant"),
            (["client_id": "confidential", "client_secret": DemoBrowser.secret], 400, "invalid_grant"),
            (["code": ""], 400, "invalid_request"),
            (["code": "x"], 400, "invalid_grant"), (["grant_type": ""], 400, "invalid_request"),
            (["grant_type": "password"], 400, "unsupported_grant_type"),
            (["grant_type": "client_credentials"], 400, "unsupported_grant_type"),
            (["client_id": ""], 401, "invalid_client"), (["client_id": "other"], 401, "invalid_client"),
            (["client_secret": "made up"], 401, "invalid_client"), (["client_id": "confidential"], 401, "invalid_client"),
            (["client_id": "confidential", "client_secret": "wrong"], 401, "invalid_client"),
        ] as [([String: String], Int, String)])
    func refusals(changes: [String: String], status: Int, error: String) throws {
        let browser = try DemoBrowser()
        let answer = try browser.redeem(try browser.code(), changes)
        #expect(answer.status == status)
        #expect(try answer.json["error"] == .string(error))
        #expect(try answer.json["error_description"]?.stringValue?.isEmpty == false)
        #expect(answer.header("Cache-Control") == "no-store")
    }

    @Test("A code that met a wrong verifier is spent")
    func spentByMistake() throws {
        let browser = try DemoBrowser()
        let code = try browser.code()
        #expect(try browser.redeem(code, ["code_verifier": String(repeating: "a", count: 43)]).status == 400)
        #expect(try browser.redeem(code).status == 400)
    }

    @Test("A code that is used twice revokes all of its tokens")
    func replay() throws {
        let browser = try DemoBrowser()
        let code = try browser.code()
        let tokens = try browser.redeem(code).json
        #expect(try browser.userinfo(try tokens.text("access_token")).status == 200)
        #expect(try browser.redeem(code).json["error"] == "invalid_grant")
        #expect(try browser.userinfo(try tokens.text("access_token")).status == 401)
        #expect(try browser.refresh(try tokens.text("refresh_token")).json["error"] == "invalid_grant")
    }

    @Test("A confidential client proves itself in the header or in the form", arguments: [true, false])
    func confidential(inHeader: Bool) throws {
        let browser = try DemoBrowser()
        let code = try browser.code(client: "confidential")
        let answer =
            if inHeader {
                try browser.redeem(code, ["client_id": ""], headers: [("Authorization", Self.basic("confidential", DemoBrowser.secret))])
            } else {
                try browser.redeem(code, ["client_id": "confidential", "client_secret": DemoBrowser.secret])
            }
        #expect(answer.status == 200)
    }

    @Test(
        "A bad Authorization header is answered with the scheme to use",
        arguments: [
            "Basic", "Basic ???", "Basic " + String(repeating: "A", count: 9), "Bearer x", TokenTests.basic("confidential", "wrong"),
            TokenTests.basic("confidential", ""), TokenTests.basic("other", DemoBrowser.secret), "Basic Y29uZmlkZW50aWFs",
        ])
    func badHeader(header: String) throws {
        let browser = try DemoBrowser()
        let answer = try browser.redeem(try browser.code(client: "confidential"), ["client_id": ""], headers: [("Authorization", header)])
        #expect(answer.status == 401)
        #expect(answer.header("WWW-Authenticate") == "Basic realm=\"demo\"")
        #expect(try answer.json["error"] == "invalid_client")
    }

    @Test("Two methods of client authentication at once are refused")
    func twoWays() throws {
        let browser = try DemoBrowser()
        let answer = try browser.redeem(
            try browser.code(client: "confidential"), ["client_id": "confidential", "client_secret": DemoBrowser.secret],
            headers: [("Authorization", Self.basic("confidential", DemoBrowser.secret))])
        #expect(try answer.json["error"] == "invalid_request")
    }

    @Test("Double parameters are refused", arguments: ["code", "code_verifier", "grant_type", "redirect_uri", "client_id"])
    func doubles(name: String) throws {
        let browser = try DemoBrowser()
        let pairs = [
            ("grant_type", "authorization_code"), ("code", try browser.code()), ("redirect_uri", DemoBrowser.redirectURI),
            ("code_verifier", DemoBrowser.verifier), ("client_id", "postern-demo"),
        ]
        let double = try #require(pairs.first { $0.0 == name })
        #expect(try browser.post("/token", pairs + [double]).json["error"] == "invalid_request")
    }

    @Test("Only forms are read", arguments: ["application/json", "text/plain", "multipart/form-data; boundary=x"])
    func contentType(type: String) throws {
        let answer = try DemoBrowser().send("POST", "/token", headers: [("Content-Type", type)], body: "grant_type=refresh_token")
        #expect(answer.status == 400)
        #expect(try answer.json["error"] == "invalid_request")
    }

    @Test("A slow token endpoint answers anyway")
    func delay() throws {
        var options = DemoBrowser.options
        options.tokenDelayMilliseconds = 20
        let browser = try DemoBrowser(options)
        #expect(try browser.redeem(try browser.code()).status == 200)
    }

    static func basic(_ id: String, _ secret: String) -> String {
        let url = Base64URL.encode(Array("\(percentEncoded(id)):\(percentEncoded(secret))".utf8))
        let plain = url.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return "Basic " + String(plain) + String(repeating: "=", count: (4 - plain.count % 4) % 4)
    }
}
