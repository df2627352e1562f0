import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

@Suite("ID tokens of this machine's users")
struct UserTokenTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_999)
    private static let earlier = Timestamp(seconds: 1_799_999_000)
    private static let issuer = "http://127.0.0.1:7678"
    private let cryptography = OpenSSLCryptography()

    private static let ada = User(
        uid: "uid-ada", displayName: "Ada", email: "ada@example.com", addressProof: .provider, photoURL: "https://example.com/ada.png",
        identities: [Identity(providerID: "google.com", subject: "108"), Identity(providerID: "work", subject: "a\"1")],
        hasPassword: true,
        secondFactors: [SecondFactor(kind: .totp, uid: "factor-1", enrolledAt: earlier)], createdAt: earlier, lastSignInAt: earlier)

    /// Who signed in how, and the claims that differ from the first row's.
    static let table: [(user: User, signIn: AppSignIn, claims: JSONObject)] = [
        (
            ada, AppSignIn(id: "sign-in", app: "notes", uid: "uid-ada", authenticatedAt: earlier, providerID: "google.com"),
            [
                "iss": .string(issuer), "aud": "files.example", "sub": "uid-ada", "user_id": "uid-ada", "iat": 1_800_000_000,
                "exp": 1_800_003_600, "auth_time": 1_799_999_000, "app": "notes", "name": "Ada", "picture": "https://example.com/ada.png",
                "email": "ada@example.com", "email_verified": true,
                "firebase": [
                    "identities": ["google.com": ["108"], "work": ["a\"1"], "email": ["ada@example.com"]],
                    "sign_in_provider": "google.com",
                ],
            ]
        ),
        (
            ada, AppSignIn(id: "sign-in", app: "default", uid: "uid-ada", authenticatedAt: earlier, providerID: "password", secondFactor: "factor-1"),
            [
                "iss": .string(issuer), "aud": "files.example", "sub": "uid-ada", "user_id": "uid-ada", "iat": 1_800_000_000,
                "exp": 1_800_003_600, "auth_time": 1_799_999_000, "app": "default", "name": "Ada",
                "picture": "https://example.com/ada.png", "email": "ada@example.com", "email_verified": true,
                "firebase": [
                    "identities": ["google.com": ["108"], "work": ["a\"1"], "email": ["ada@example.com"]],
                    "sign_in_provider": "password", "sign_in_second_factor": "totp", "second_factor_identifier": "factor-1",
                ],
            ]
        ),
        // A second factor that was taken away, a clock that was set back, an address that nobody vouched for.
        (
            User(uid: "uid-bob", email: "bob@example.com", hasPassword: true, createdAt: earlier, lastSignInAt: earlier),
            AppSignIn(
                id: "sign-in", app: "default", uid: "uid-bob", authenticatedAt: now.adding(seconds: 500), providerID: "password", secondFactor: "gone"),
            [
                "iss": .string(issuer), "aud": "files.example", "sub": "uid-bob", "user_id": "uid-bob", "iat": 1_800_000_000,
                "exp": 1_800_003_600, "auth_time": 1_800_000_000, "app": "default", "email": "bob@example.com", "email_verified": false,
                "firebase": ["identities": ["email": ["bob@example.com"]], "sign_in_provider": "password"],
            ]
        ),
        (
            User(uid: "uid-nobody", isAnonymous: true, createdAt: earlier, lastSignInAt: earlier),
            AppSignIn(id: "sign-in", app: "default", uid: "uid-nobody", authenticatedAt: earlier, providerID: "anonymous"),
            [
                "iss": .string(issuer), "aud": "files.example", "sub": "uid-nobody", "user_id": "uid-nobody", "iat": 1_800_000_000,
                "exp": 1_800_003_600, "auth_time": 1_799_999_000, "app": "default", "provider_id": "anonymous",
                "firebase": ["identities": [:], "sign_in_provider": "anonymous"],
            ]
        ),
    ]

    @Test("say who is signed in, how, and in which app", arguments: table)
    func claims(user: User, signIn: AppSignIn, expected: JSONObject) throws {
        let audience = try #require(TokenAudience("files.example"))
        let claims = UserTokenClaims.claims(for: user, signIn, audience: audience, issuer: Self.issuer, now: Self.now)
        #expect(claims == expected)
        #expect(claims.keys.allSatisfy(UserTokenIssuer.claims.contains))
    }

    @Test("verify with our own verifier and the published keys, for the one audience")
    func verified() throws {
        let signingKey = try SigningKey.generateES256()
        guard case .p256(let x, let y) = signingKey.publicKey else { throw CryptoError(.invalidKey, "no P-256") }
        let key = try #require(UserTokenKey(privateKeyPEM: try signingKey.pem(), x: x, y: y, cryptography: cryptography))
        let audience = try #require(TokenAudience("files.example"))
        let signIn = AppSignIn(id: "sign-in", app: "notes", uid: "uid-ada", authenticatedAt: Self.earlier, providerID: "google.com")
        let claims = UserTokenClaims.claims(for: Self.ada, signIn, audience: audience, issuer: Self.issuer, now: Self.now)
        let token = try #require(UserTokenIssuer.token(saying: claims, signedBy: key, cryptography: cryptography))

        let keys = try KeySet(parsing: UserTokenKeys(first: key, now: Self.now).published.serialized)
        let published = try #require(keys.keys.first)
        #expect(published.keyID == key.id && published.fits(.es256) && !published.fits(.rs256))
        let jws = try CompactJWS(parsing: token, mostBytes: 16 * 1024)
        #expect(jws.header.algorithm == "ES256" && jws.header.keyID == key.id)
        #expect(jws.signature.count == 64)
        #expect(cryptography.isValid(signature: jws.signature, over: jws.signingInput, algorithm: .es256, key: published.key))
        #expect(jws.payload == claims)
        var other = jws.signingInput
        other[other.count - 1] ^= 1
        #expect(!cryptography.isValid(signature: jws.signature, over: other, algorithm: .es256, key: published.key))
        #expect("\(token)" == "<redacted>")
    }

    @Test("a key that is damaged signs nothing")
    func damagedKey() throws {
        let key = try #require(
            UserTokenKey(
                privateKeyPEM: Secret("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), x: Array(repeating: 1, count: 32),
                y: Array(repeating: 2, count: 32), cryptography: cryptography))
        #expect(UserTokenIssuer.token(saying: ["a": 1], signedBy: key, cryptography: cryptography) == nil)
    }

    @Test(
        "an audience is a name that can be seen",
        arguments: [
            ("files.example", true), ("https://files.example/a?b", true), ("ファイル", true), (String(repeating: "a", count: 255), true),
            ("a b", true), ("", false), (" ", false), (" a", false), ("a ", false), (String(repeating: "a", count: 256), false),
            (String(repeating: "語", count: 86), false), ("a\nb", false), ("a\u{0}", false), ("a\u{202E}b", false), ("a\u{200B}", false),
            ("\u{7F}", false), ("a\u{2028}b", false), ("\u{E000}", false),
        ])
    func audience(text: String, isTaken: Bool) { #expect((TokenAudience(text) != nil) == isTaken) }

    @Test("the discovery document names the issuer as the tokens do, and promises nothing that is not there")
    func discovery() {
        let document = UserTokenIssuer.discoveryDocument(issuer: Self.issuer)
        #expect(document["issuer"] == .string(Self.issuer))
        #expect(document["jwks_uri"] == "http://127.0.0.1:7678/.well-known/jwks.json")
        #expect(document["id_token_signing_alg_values_supported"] == ["ES256"])
        #expect(document["subject_types_supported"] == ["public"])
        #expect(document["response_types_supported"] == ["id_token"])
        for (name, value) in document.members {
            #expect(!name.hasSuffix("_endpoint"))
            // An empty list must be left out (RFC 8414 section 3.2).
            #expect(value.arrayValue?.isEmpty != true)
        }
    }
}
