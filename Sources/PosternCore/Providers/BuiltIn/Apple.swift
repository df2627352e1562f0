import StrictJSON

/// apple.com: Sign in with Apple.
///
/// Differs from the standard in: answers that are posted, a client secret that is made from a key, a hashed nonce, no userinfo endpoint, a
/// name that is sent once and outside the ID token.
struct Apple: BuiltInProvider {
    static let issuer = "https://appleid.apple.com"

    static let provider = Provider(
        id: "apple.com", displayName: "Apple", kind: .oidc, dialect: Apple(), issuer: issuer,
        endpoints: ProviderEndpoints(
            authorization: "\(issuer)/auth/authorize", token: "\(issuer)/auth/token", revocation: "\(issuer)/auth/revoke",
            jwks: "\(issuer)/auth/keys"),
        scopes: ["openid", "name", "email"],
        clientAuthentication: .clientSecretPost,
        profileMapping: .openID,
        // Apple sends only addresses that it has verified or created.
        emailTrust: .all,
        redirectHost: .website)

    var teamID: String?
    var keyID: String?

    // MARK: Configuration

    private static let signingKey = "signing-key"

    public var settings: [ProviderSetting] {
        [.init(key: "team-id", kind: .text), .init(key: "key-id", kind: .text), .init(key: Self.signingKey, kind: .key)]
    }

    public func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider {
        for key in ["team-id", "key-id"] {
            guard let text = settings.texts[key] else { continue }
            guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isASCIILetter || $0.isDecimalDigit }) else {
                throw ProviderSettingError(key: key, problem: "must be letters and digits, as Apple shows it: \"ABCDE12345\"")
            }
        }
        var provider = provider
        provider.dialect = Apple(teamID: settings.texts["team-id"], keyID: settings.texts["key-id"])
        return provider
    }

    /// A client secret that was made elsewhere is enough, for the six months that it may be valid.
    public func requiredKeys(of provider: Provider, given: Set<String>) -> [String] {
        given.contains("client-secret") && !given.contains(Self.signingKey) ? [] : ["team-id", "key-id", Self.signingKey]
    }

    /// A client secret for the next requests.
    ///
    /// Made again each time: it takes less than a millisecond, and what is not stored can neither be stale nor be stolen for later use.
    public func prepared(_ provider: Provider, cryptography: any Cryptography, now: Timestamp) throws(ProviderProblem) -> Provider {
        guard let key = provider.secrets[Self.signingKey], let teamID, let keyID, let clientID = provider.clientID else { return provider }
        let secret = AppleClientSecret(teamID: teamID, keyID: keyID, clientID: clientID, audience: provider.issuer ?? Self.issuer)
        guard let token = secret.signed(with: key, cryptography: cryptography, now: now) else {
            throw .secretUnusable(
                key: Self.signingKey,
                problem: "is not a private key for ES256 in PEM without a passphrase; use the file AuthKey_\(keyID).p8 from Apple")
        }
        var provider = provider
        provider.clientSecret = token
        return provider
    }

    /// Apple only says that it refuses the client.
    public func advice(on refusal: OAuthRefusal) -> String? {
        refusal.error == "invalid_client" ? "check that client-id, team-id, key-id and signing-key belong together, and the clock" : nil
    }

    // MARK: Authorization

    /// Apple has no parameter for it. Its ID tokens say when it asked.
    public func askingAgain(at provider: Provider) -> [String: String] { [:] }

    /// `openid` is implied here: every answer has an ID token, and Apple documents only two scopes.
    public func encodeScopes(_ scopes: [String]) -> String { scopes.filter { $0 != "openid" }.joined(separator: " ") }

    /// Required as soon as a scope is requested, because the answer then includes the user's name.
    public func responseMode(of provider: Provider, scopes: [String]) -> String? { encodeScopes(scopes).isEmpty ? nil : "form_post" }

    public func sentNonce(_ raw: Secret, of provider: Provider, cryptography: any Cryptography) -> Secret {
        HashedNonce.sent(raw, cryptography: cryptography)
    }

    public var mayHaveDeviceFlow: Bool { false }

    // MARK: Profile

    /// The ID token, and the name that is sent with it at a user's first sign-in.
    public func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        var profile = try StandardProfile(userinfo: nil, idToken: context.idToken, provider: context.provider.provider).profile()
        if let name = context.callback.flatMap(Self.name) { profile.identity.displayName = name }
        return profile
    }

    /// It is not signed: usable for a name, which people choose themselves, but not for an address.
    private static func name(in callback: CallbackParameters) -> String? {
        guard let text = callback["user"]?.reveal(), text.utf8.count <= 4096, let user = (try? JSON(parsing: text))?.objectValue
        else { return nil }
        let document = ProfileDocument(user)
        let parts = ["name.firstName", "name.lastName"].compactMap { document.name($0) }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}

extension Apple {
    static func registration(in context: RegistrationContext) -> ProviderRegistration {
        let directory = context.directory
        return ProviderRegistration(
            page: .init(url: "https://developer.apple.com/account/resources"),
            fields: [
                .clientID("Services ID"), .init("team-id", "Team ID"), .init("key-id", "Key ID"),
                .init(signingKey, "The key file (AuthKey_….p8), a path", .secretFile),
                .init("redirect-uri", "Return URL, a page of yours"),
            ],
            configuration: [
                "[provider.\"apple.com\"]", "client-id = \"…\"     # the Services ID, such as com.example.service",
                "team-id = \"…\"       # ten letters and digits, at the top right of the developer account",
                "key-id = \"…\"        # of the key for Sign in with Apple",
                "signing-key = { file = \"\(directory)/apple.p8\" }",
                "redirect-uri = \"https://app.example.com/__/auth/handler\"",
            ],
            secret: [
                "The key file goes where only you can read it:",
                "  (umask 077; mkdir -p \(directory) && cat AuthKey_*.p8 > \(directory)/apple.p8)",
            ],
            // A static page cannot see a response that is posted to it.
            relay: [
                "and make that address forward what is posted to it to this machine, by a redirect with status 307",
                "(man postern-providers has the line for it)",
            ])
    }
}

/// The client secret that Apple requires: a JWT signed with the developer's key.
struct AppleClientSecret {
    /// In seconds. Six months are allowed; minutes are enough for the request that it is made for.
    static let lifetime: Int64 = 300

    let teamID: String
    let keyID: String
    let clientID: String
    let audience: String

    /// Nil if the key is not on P-256.
    func signed(with key: Secret, cryptography: any Cryptography, now: Timestamp) -> Secret? {
        // If the clock is slightly fast, it must not be dated in the future.
        let issuedAt = now.adding(seconds: -IDTokenExpectation.leeway).seconds
        let header: JSONObject = ["alg": "ES256", "kid": .string(keyID), "typ": "JWT"]
        let claims: JSONObject = [
            "iss": .string(teamID), "iat": .integer(issuedAt), "exp": .integer(issuedAt + IDTokenExpectation.leeway + Self.lifetime),
            "aud": .string(audience), "sub": .string(clientID),
        ]
        return CompactJWS.signed(header.serialized, claims, by: key, cryptography: cryptography).map { Secret($0) }
    }
}
