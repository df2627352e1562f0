/// What is known when it is asked who signed in.
public struct ProfileContext: Sendable {
    public let provider: ResolvedProvider
    public let grant: Grant
    /// Nil if the provider gives none.
    public let idToken: VerifiedIDToken?
    /// For userinfo that comes signed; nil if there are none.
    public let keys: KeySet?
    public let cryptography: any Cryptography
    public let now: Timestamp
    /// What came back with the browser; nil if nothing did. Unsigned: good for a name, not for who somebody is.
    public let callback: CallbackParameters?

    public init(
        provider: ResolvedProvider, grant: Grant, idToken: VerifiedIDToken?, keys: KeySet?, cryptography: any Cryptography, now: Timestamp,
        callback: CallbackParameters? = nil
    ) {
        self.provider = provider
        self.grant = grant
        self.idToken = idToken
        self.keys = keys
        self.cryptography = cryptography
        self.now = now
        self.callback = callback
    }

    /// A request with the access token in its header (RFC 6750 section 2.1, RFC 9449 section 7.1); never in a URL. One of OAuth 1.0a is
    /// signed when it is sent, and has no such header before.
    func request(
        _ url: EndpointURL, accept: String = "application/json", further: [(name: String, value: String)] = []
    ) -> ProviderRequest {
        guard provider.provider.kind != .oauth1 else { return ProviderRequest(url: url.text, headers: [("Accept", accept)] + further) }
        let scheme = grant.proofKey == nil ? "Bearer" : "DPoP"
        return ProviderRequest(
            url: url.text, headers: [("Authorization", "\(scheme) \(grant.accessToken.reveal())"), ("Accept", accept)] + further)
    }
}
