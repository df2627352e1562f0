import StrictJSON

/// facebook.com with `limited = true`: an OpenID provider that only says who somebody is, as Limited Login does in apps for iOS.
///
/// Differs from the standard in: scopes separated by commas, a discovery document without a token endpoint (so all endpoints are fixed
/// here), two issuers, a hashed nonce, no client secret, a profile in the ID token only, its own revocation.
struct FacebookLimited: ProviderDialect {
    /// In the ID tokens of the code flow. Those of Limited Login are from either issuer; both publish the same keys.
    static let issuer = "https://www.facebook.com"
    static let limitedIssuer = "https://limited.facebook.com"

    static func provider(version: String) -> Provider {
        Provider(
            id: "facebook.com", displayName: "Facebook", kind: .oidc, dialect: FacebookLimited(), issuer: issuer,
            endpoints: ProviderEndpoints(
                authorization: "https://www.facebook.com/\(version)/dialog/oauth",
                token: "https://graph.facebook.com/\(version)/oauth/access_token",
                revocation: "https://www.limited.facebook.com/platform/uninstall/",
                jwks: "https://www.facebook.com/.well-known/oauth/openid/jwks/"),
            scopes: ["openid", "email", "public_profile"],
            clientAuthentication: ClientAuthentication.none,
            profileMapping: .openID,
            redirectHost: .localhost,
            redirectPort: .registered)
    }

    /// The settings are the same for both ways to sign in.
    public var settings: [ProviderSetting] { Facebook.settings }

    // MARK: Authorization

    public func askingAgain(at provider: Provider) -> [String: String] { Facebook().askingAgain(at: provider) }

    public func sentNonce(_ raw: Secret, of provider: Provider, cryptography: any Cryptography) -> Secret {
        HashedNonce.sent(raw, cryptography: cryptography)
    }

    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? { Facebook().denial(in: parameters) }

    public func encodeScopes(_ scopes: [String]) -> String { Facebook().encodeScopes(scopes) }

    public func decodeScopes(_ text: String) -> [String] { Facebook().decodeScopes(text) }

    /// The device flow of ``Facebook`` issues an access token and no ID token.
    public var mayHaveDeviceFlow: Bool { false }

    // MARK: Token

    public func refusal(in members: JSONObject, status: Int) -> TokenEndpointError? { GraphError(in: members, status: status)?.meaning }

    /// Exactly these two: a rule for all hosts that end in `facebook.com` would accept look-alikes after the first mistake in it.
    public func issuerRule(of provider: Provider) -> IssuerRule {
        provider.issuer == Self.issuer ? .anyOf([Self.issuer, Self.limitedIssuer]) : .exact(provider.issuer)
    }

    // MARK: Profile

    /// Everything is in the ID token.
    public func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest? { nil }

    // MARK: Revocation

    /// With the ID token, because there is no client secret to authenticate with.
    public func revocationRequests(
        for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [ProviderRequest] {
        guard let endpoint = provider.revocation, let idToken = grant.idToken else { return [] }
        return [Facebook.request([("id_token", idToken.reveal()), ("app_id", provider.clientID)], to: endpoint.text)]
    }

    public func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome {
        Facebook().revocationOutcome(of: answer, now: now)
    }
}
