import Testing

@Suite("Exchanges with a provider", .serialized)
struct ExchangeTests {
    @Test("are those of its table", arguments: try ExchangeCase.all())
    func exchange(_ example: ExchangeCase) throws { try ExchangePlay(example).run() }
}

@Suite("A table of exchanges", .serialized)
struct ExchangeTableTests {
    private static let table = """
        provider demo
        config
            kind = "oidc"
            issuer = "${origin}"
            client-id = "c"
        metadata {"issuer": "${origin}", "authorization_endpoint": "${origin}/authorize", "token_endpoint": "${origin}/token",
            "userinfo_endpoint": "${origin}/me", "jwks_uri": "${origin}/jwks", "device_authorization_endpoint": "${origin}/device",
            "revocation_endpoint": "${origin}/revoke"}
        == a sign-in
        page /authorize
            client_id = c
            not login_hint
        back
            code = good
        shown
            ~ Ada
            not at1
        request POST /token
            form code = good
            form code_verifier = *
            not form client_secret
        answer 200
            {"access_token": "at1", "token_type": "bearer", "id_token": {"iss": "${origin}", "sub": "1"}}
        request GET /me
            header Authorization = Bearer at1
        answer 200
            {"sub": "1", "name": "Ada"}
        completed
            user.providerData.0.uid = "1"
            not user.email
        call RevokeCredential
        request POST /revoke
            form token = at1
        answer 200
        gives
            revokedAtProvider = true
        ask {"flow": "device"}
        code
            userCode = AB-CD
        request POST /device
        answer 200
            {"device_code": "dc", "user_code": "AB-CD", "verification_uri": "${origin}/d", "expires_in": 60, "interval": 1}
        request POST /token
        answer 400
            {"error": "access_denied"}
        fails SignInDenied
            error = access_denied

        """

    private static let me = """
        request GET /me
            header Authorization = Bearer at1
        answer 200
            {"sub": "1", "name": "Ada"}

        """

    private static func play(_ text: String) throws {
        for example in try ExchangeCase.read(text, file: "table.txt") { try ExchangePlay(example).run() }
    }

    @Test("that is met passes")
    func met() throws { try Self.play(Self.table) }

    @Test(
        "that is not met fails",
        arguments: [
            ("client_id = c", "client_id = d", ":10: the page's client_id is \"c\", not 'd'"),
            ("not login_hint", "not state", ":10: the page's state is there"),
            ("page /authorize", "page /other", ":10: the page is "),
            ("~ Ada", "~ Eve", ":15: ~ Eve, but the page is "),
            ("not at1", "not Ada", ":15: not Ada, but the page is "),
            ("form code = good", "form code = bad", ":18: form code is \"good\", not 'bad'"),
            ("form code = good", "form code ~ bad", ":18: form code is \"good\", without 'bad'"),
            ("not form client_secret", "not form client_id", ":18: form client_id is there"),
            ("form code = good", "query code = good", ":18: there is no query code"),
            ("form code = good", "json code = good", ":18: there is no json code"),
            ("form code = good", "from code = good", ":18: from is no part of a request"),
            ("form code = good", "form code good", ":18: `code good` is no condition"),
            ("    form code = good", "    not form code = good", ":18: form code is there"),
            ("request GET /me", "request GET /you", ":24: GET http://127.0.0.1:9000/me came"),
            ("request GET /me", "request POST /me", ":24: GET http://127.0.0.1:9000/me came"),
            ("Bearer at1", "Bearer b", ":24: header authorization is \"Bearer at1\""),
            ("completed", "request GET /more\nanswer 200\n    {}\ncompleted", ":28: this request never came"),
            (me, "", "nobody expected GET http://127.0.0.1:9000/me"),
            ("uid = \"1\"", "uid = \"2\"", ":28: user.providerData.0.uid is \"1\""),
            ("not user.email", "user.email = *", ":28: there is no user.email"),
            ("completed", "fails ExchangeFailed", ":28: no error, but"),
            ("{\"sub\": \"1\", \"name\": \"Ada\"}", "{}", ":15: nobody expected POST http://127.0.0.1:9000/revoke"),
            ("\"sub\": \"1\"}}", "\"sub\": \"1\", \"$key\": \"other\"}}", ":24: POST http://127.0.0.1:9000/revoke came"),
            ("revokedAtProvider = true", "revokedAtProvider = false", ":35: revokedAtProvider is true, not 'false'"),
            ("gives\n    revoked", "fails NotSignedIn\n    revoked", ":35: no error, but"),
            ("userCode = AB-CD", "userCode = CD", ":38: the event's userCode is \"AB-CD\", not 'CD'"),
            ("fails SignInDenied", "fails ExchangeFailed", ":46: io.postern.SignInDenied"),
            ("error = access_denied", "error = expired_token", ":46: error is \"access_denied\", not 'expired_token'"),
            ("fails SignInDenied\n    error = access_denied\n", "", ":37: there is no outcome after this"),
            ("shown", "show", ":15: show is no part of a case"),
            ("answer 400", "answer", ":44: this is no status"),
            ("== a sign-in", "== a sign-in\n== a sign-in", "names a case twice"),
        ])
    func unmet(old: String, new: String, complaint: String) {
        #expect(Self.table.ranges(of: old).count >= 1)
        let error = #expect(throws: TestFailure.self) { try Self.play(Self.table.replacing(old, with: new, maxReplacements: 1)) }
        #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "")")
    }
}
