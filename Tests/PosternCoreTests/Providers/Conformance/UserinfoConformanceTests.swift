import PosternCore
import StrictJSON
import Testing

/// The suite's rows on userinfo.
@Suite struct UserinfoConformanceTests {
    @Test("userinfo-bearer-header: the token goes in the header, and nowhere else")
    func bearerHeader() throws {
        var party = RelyingParty(try FakeOpenIDProvider())
        _ = try party.signIn()
        let request = try #require(party.fake.requested("https://op.example/userinfo").first)
        #expect(request.method == "GET")
        #expect(request.headers("Authorization") == ["Bearer SlAV32hkKG"])
        #expect(request.body.isEmpty && !request.url.contains("SlAV32hkKG"))
    }

    @Test("userinfo-invalid-sub: a profile of somebody else is refused", arguments: [#""other""#, #""248289761001 ""#, #""""#])
    func invalidSubject(subject: String) throws {
        var fake = try FakeOpenIDProvider()
        fake.userinfo = .json(#"{"sub":\#(subject),"email":"victim@example.com"}"#)
        var party = RelyingParty(fake)
        #expect(throws: ProfileError.subjectMismatch) { try party.signIn() }
    }

    @Test("A profile without a subject, or with one of another type, is refused", arguments: ["{}", #"{"sub":null}"#, #"{"sub":248289761001}"#, #"{"sub":["248289761001"]}"#])
    func missingSubject(body: String) throws {
        var fake = try FakeOpenIDProvider()
        fake.userinfo = .json(body)
        var party = RelyingParty(fake)
        let error = #expect(throws: ProfileError.self) { try party.signIn() }
        guard case .member(let member) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(member.path == "sub")
    }

    private func signed(_ changes: JSONObject = [:], key: String = "rs", header: JSONObject? = nil, tail: String = "") throws -> ProviderResponse {
        var claims: JSONObject = ["name": "Signed Jane", "nonce": nil, "exp": nil, "iat": nil]
        for change in changes.members { claims[change.key] = change.value }
        let token = try TokenForge(key: key, changes: claims, header: header).token()
        return ProviderResponse(status: 200, headers: [("Content-Type", "application/jwt;charset=UTF-8")], body: token.revealBytes() + Array(tail.utf8))
    }

    private func result(_ userinfo: ProviderResponse) throws -> String {
        var fake = try FakeOpenIDProvider()
        fake.userinfo = userinfo
        var party = RelyingParty(fake)
        do { return try party.signIn().profile.identity.displayName ?? "nobody" } catch let error as ProfileError { return error.description }
    }

    @Test("userinfo-signed: a signed profile is verified and used")
    func signedProfile() throws {
        #expect(try result(signed()) == "Signed Jane")
        #expect(try result(signed(tail: "\r\n")) == "Signed Jane")
        #expect(try result(signed(["iss": nil, "aud": nil])) == "Signed Jane")
        #expect(try result(signed(["aud": ["other", "client"]])) == "Signed Jane")
    }

    @Test("A signed profile that is not right is refused")
    func badSignedProfile() throws {
        let prefix = "the signed profile is not acceptable: "
        #expect(try result(signed(key: "stranger", header: ["alg": "RS256", "kid": "rs"])) == prefix + "the userinfo answer's signature is wrong")
        #expect(
            try result(signed(header: ["alg": "none"]))
                == prefix + "the userinfo answer is signed with none, which is not accepted; Postern verifies RS256, RS384, RS512, PS256, PS384, "
                + "PS512, ES256, ES384, ES512, EdDSA, as far as the provider's metadata list them")
        #expect(try result(signed(header: ["alg": "RS256", "kid": "rs", "typ": "at+jwt"])).hasPrefix(prefix))
        #expect(try result(signed(["iss": "https://evil.test"])).hasPrefix(prefix))
        #expect(try result(signed(["aud": "other"])).hasPrefix(prefix))
        #expect(try result(signed(["aud": []])).hasPrefix(prefix))
        #expect(try result(signed(["aud": 1])).hasPrefix(prefix))
        #expect(try result(signed(["exp": 1_799_999_000])).hasPrefix(prefix))
        #expect(try result(signed(["sub": "other"])) == ProfileError.subjectMismatch.description)
        #expect(try result(ProviderResponse(status: 200, headers: [("Content-Type", "application/jwt")], body: Array(#"{"sub":"248289761001"}"#.utf8))).hasPrefix(prefix))
    }

    @Test("A profile that is encrypted is called a profile, and no ID token")
    func encryptedProfile() throws {
        let encrypted = ProviderResponse(status: 200, headers: [("Content-Type", "application/jwt")], body: Array("e30.a.b.c.d\n".utf8))
        #expect(
            try result(encrypted)
                == "the signed profile is not acceptable: the userinfo answer is encrypted, which Postern cannot read; turn that off for the "
                + "client at the provider")
    }

    @Test("What is said of a profile that is rejected never names an ID token, except the one that it is compared with")
    func namedRight() {
        let rejections: [IDTokenRejection] = [
            .tooLarge(limit: 1), .encrypted, .notCompact(parts: 2), .invalidEncoding(.header), .notAnObject(.payload), .criticalExtension,
            .wrongTokenType("at+jwt"), .algorithmNotAllowed("none"), .unknownKey(kid: "k"), .unknownKey(kid: nil), .ambiguousKey,
            .invalidSignature, .issuerMismatch(found: "x"), .audienceMismatch, .expired(at: now),
        ]
        for rejection in rejections {
            let failure = ProfileError.signedAnswer(rejection).providerFailure(at: "Work")
            #expect(failure.reason == .invalidIDToken, "\(rejection)")
            #expect(failure.message.contains("userinfo answer") && !failure.message.contains("ID token"), "\(failure)")
        }
    }

    @Test(
        "Userinfo that cannot be had is told from userinfo that is refused",
        arguments: [
            (ProviderResponse(status: 503), "the profile could not be read: the provider cannot answer now (status 503); try again later"),
            (ProviderResponse(status: 401), "the provider refused to give the profile: status 401, without a reason"),
            (.json("[]"), "the profile that the provider gave must be a JSON object, but is an array"),
            (.json("<html>"), "the profile that the provider gave is a web page (HTML), not JSON; is the URL right?"),
            (.json("<a>"), "the profile that the provider gave is not valid JSON: an unexpected character, at byte 0"),
            (
                .json("<title>No</title>", status: 404),
                "the provider refused to give the profile: status 404, without a reason (the answer is a web page (HTML), not JSON; is the URL right?)"
            ),
            (.json(#"{"sub":"248289761001","email":["a@example.com"]}"#), "in the profile that the provider gave email must be a string, but is an array"),
            (ProviderResponse(status: 302, headers: [("Location", "https://evil.test")]), "the provider refused to give the profile: status 302, without a reason"),
        ])
    func failures(answer: ProviderResponse, message: String) throws {
        #expect(try result(answer) == message)
    }
}
