/// What is known when the profile is requested.
public struct ProfileContext: Sendable {
    public let provider: ResolvedProvider
    public let grant: Grant
    /// Nil if the provider sends none.
    public let idToken: VerifiedIDToken?
    /// For signed userinfo answers; nil if there are none.
    public let keys: KeySet?
    public let cryptography: any Cryptography
    public let now: Timestamp
    /// What the browser brought back; nil if nothing. It is not signed: usable for a name, but not for who somebody is.
    public let callback: CallbackParameters?
    /// What the account is called if the provider says nothing about the person; nil if that must not be enough.
    public let account: String?

    public init(
        provider: ResolvedProvider, grant: Grant, idToken: VerifiedIDToken?, keys: KeySet?, cryptography: any Cryptography, now: Timestamp,
        callback: CallbackParameters? = nil, account: String? = nil
    ) {
        self.provider = provider
        self.grant = grant
        self.idToken = idToken
        self.keys = keys
        self.cryptography = cryptography
        self.now = now
        self.callback = callback
        self.account = account
    }

    /// A request with the access token in its header (RFC 6750 section 2.1, RFC 9449 section 7.1); never in a URL. An OAuth 1.0a request
    /// has no such header until it is signed, which happens when it is sent.
    func request(
        _ url: EndpointURL, accept: String = "application/json", further: [(name: String, value: String)] = []
    ) -> ProviderRequest {
        guard provider.provider.kind != .oauth1 else { return ProviderRequest(url: url.text, headers: [("Accept", accept)] + further) }
        let scheme = grant.proofKey == nil ? "Bearer" : "DPoP"
        return ProviderRequest(
            url: url.text, headers: [("Authorization", "\(scheme) \(grant.accessToken.reveal())"), ("Accept", accept)] + further)
    }
}
