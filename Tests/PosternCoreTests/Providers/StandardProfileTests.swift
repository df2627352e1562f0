import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// Profiles of OAuth 2.0 servers without OpenID, by the configured mapping.
@Suite struct StandardProfileTests {
    private func profile(_ document: String, mapping: ProfileMapping? = nil) throws -> ProviderProfile {
        let context = ProfileContext(
            provider: try ResolvedProvider(.oauth2(mapping: mapping)), grant: .sample(), idToken: nil, keys: nil,
            cryptography: OpenSSLCryptography(), now: now)
        return try StandardDialect().profile(from: [.json(document)], in: context)
    }

    @Test("A mapping reads what it names, however deep")
    func mapping() throws {
        let nested = ProfileMapping(
            uid: "data.id", displayName: "data.names.0", email: "data.contact.mail", photo: "picture.data.url", username: "https://claims.example/login")
        let profile = try profile(
            #"{"data":{"id":"2244994945","names":{"0":"Ex Ample"},"contact":{"mail":"e@example.com","email_verified":true}},"picture":{"data":{"url":"https://p.example/1"}},"https://claims.example/login":"ex"}"#,
            mapping: nested)
        #expect(
            profile.identity
                == Identity(
                    providerID: "legacy", subject: "2244994945", displayName: "Ex Ample", email: "e@example.com", emailVerified: true,
                    photoURL: "https://p.example/1", username: "ex"))
        #expect(profile.document.keys == ["data", "picture", "https://claims.example/login"])
    }

    @Test(
        "A subject is a text or an integer, digit for digit",
        arguments: [
            (#""abc""#, "abc"), ("17", "17"), ("-17", "-17"), ("9007199254740993", "9007199254740993"),
            ("18446744073709551615", "18446744073709551615"), (#""01""#, "01"), (#""a b""#, "a b"),
        ])
    func subject(json: String, expected: String) throws {
        #expect(try profile(#"{"id":\#(json)}"#).identity.subject == expected)
    }

    @Test(
        "Anything else is no subject",
        arguments: [
            "1.0", "1e3", "-1.5", "true", "null", "{}", "[]", #"["a"]"#, #""""#, #""é""#, #""a\nb""#, #""a\u0000""#,
            "\"\(String(repeating: "x", count: 256))\"",
        ])
    func noSubject(json: String) {
        #expect(throws: ProfileError.self) { try profile(#"{"id":\#(json)}"#) }
    }

    @Test("A missing subject is named by its path")
    func missing() {
        let mapping = ProfileMapping(uid: "data.id", displayName: "a", email: "b", photo: "c", username: "d")
        for document in ["{}", #"{"data":null}"#, #"{"data":{}}"#, #"{"data":{"id":null}}"#, #"{"data":[1]}"#, #"{"data":"id"}"#] {
            #expect(throws: ProfileError.member(JSONMemberError(path: "data.id", reason: .missing))) { try profile(document, mapping: mapping) }
        }
    }

    @Test("What is not a name, address or picture is left out, and does not stand in the way")
    func lenient() throws {
        let identity = try profile(
            #"{"id":1,"name":{"first":"x"},"email":"not an address","avatar_url":"javascript:alert(1)","login":17}"#
        ).identity
        #expect(identity == Identity(providerID: "legacy", subject: "1"))
    }

    @Test(
        "An address that would have to be cleaned is none",
        arguments: [
            "a@b@c", "@b", "a@", "a b@c", "a\u{202E}@b", "a@b\u{200B}", "a\n@b", "a@b\u{0}", "", "\(String(repeating: "a", count: 250))@b.cc",
        ])
    func addresses(text: String) throws {
        #expect(try profile(JSON.object(["id": 1, "email": .string(text)]).text).identity.email == nil)
    }

    @Test("An address may have letters of any script", arguments: ["a@example.com", "a+b@example.com", "用户@例子.例", "A.B@Example.COM"])
    func rightAddresses(text: String) throws {
        #expect(try profile(JSON.object(["id": 1, "email": .string(text)]).text).identity.email == text)
    }

    @Test("A name is made readable")
    func names() throws {
        #expect(try profile(#"{"id":1,"name":"\u001b[31mEx\nAmple\u202e"}"#).identity.displayName == "[31mEx Ample")
    }

    @Test(
        "Only the provider's own word makes an address verified",
        arguments: [
            ("true", true), (#""true""#, true), ("false", false), (#""false""#, false), (#""yes""#, false), ("1", false), ("null", nil),
        ] as [(String, Bool?)])
    func emailVerified(flag: String, isVerified: Bool?) throws {
        #expect(try profile(#"{"id":1,"email":"e@example.com","email_verified":\#(flag)}"#).identity.emailVerified == isVerified)
    }

    @Test("Without a userinfo endpoint nobody is known")
    func noSource() throws {
        var provider = Provider.oauth2()
        provider.endpoints.userinfo = nil
        let context = ProfileContext(
            provider: try ResolvedProvider(provider), grant: .sample(), idToken: nil, keys: nil, cryptography: OpenSSLCryptography(), now: now)
        #expect(StandardDialect().nextProfileRequest(after: [], in: context) == nil)
        #expect(throws: ProfileError.noSource) { try StandardDialect().profile(from: [], in: context) }
    }
}

/// What comes of an ID token and userinfo that do not say the same.
@Suite struct OpenIDProfileTests {
    private func identity(claims: JSONObject, userinfo: String?) throws -> Identity {
        var fake = try FakeOpenIDProvider()
        fake.claims = claims
        if let userinfo { fake.userinfo = .json(userinfo) } else { fake.metadata["userinfo_endpoint"] = nil }
        var party = RelyingParty(fake)
        return try party.signIn().profile.identity
    }

    @Test("Without a userinfo endpoint the ID token is the profile")
    func idTokenAlone() throws {
        let identity = try identity(claims: ["email": "j@example.com", "email_verified": true, "preferred_username": "jd"], userinfo: nil)
        #expect(identity.email == "j@example.com" && identity.emailVerified == true && identity.username == "jd")
    }

    @Test("Userinfo goes first, the ID token fills what it leaves out")
    func both() throws {
        let identity = try identity(claims: ["name": "Token", "picture": "https://t.example/p"], userinfo: #"{"sub":"248289761001","name":"Info"}"#)
        #expect(identity.displayName == "Info" && identity.photoURL == "https://t.example/p")
    }

    @Test("A flag in one document says nothing about the address in the other")
    func verifiedElsewhere() throws {
        let other = try identity(
            claims: ["email": "real@example.com", "email_verified": true], userinfo: #"{"sub":"248289761001","email":"claimed@example.com"}"#)
        #expect(other.email == "claimed@example.com" && other.emailVerified == nil)
        let same = try identity(
            claims: ["email": "real@example.com", "email_verified": true], userinfo: #"{"sub":"248289761001","email":"real@example.com"}"#)
        #expect(same.email == "real@example.com" && same.emailVerified == true)
        // A "no" counts wherever it is, beside the same address or none.
        for userinfo in [#"{"sub":"248289761001","email":"Real@example.com"}"#, #"{"sub":"248289761001"}"#] {
            let denied = try identity(claims: ["email": "real@example.com", "email_verified": false], userinfo: userinfo)
            #expect(denied.emailVerified == false)
        }
        let deniedAlone = try identity(
            claims: ["email_verified": false], userinfo: #"{"sub":"248289761001","email":"real@example.com","email_verified":true}"#)
        #expect(deniedAlone.emailVerified == false)
        let flagAlone = try identity(
            claims: ["email": "real@example.com"], userinfo: #"{"sub":"248289761001","email_verified":true}"#)
        #expect(flagAlone.email == "real@example.com" && flagAlone.emailVerified == nil)
    }
}
