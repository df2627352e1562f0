/// A request to an OAuth 1.0a provider, before it is signed.
public struct OAuth1Request: Sendable {
    let request: ProviderRequest
    /// Signed, and sent with the others in the header.
    let parameters: [(name: String, value: String)]
    /// Nil while there is none (RFC 5849 section 2.1).
    let token: OAuth1Token?
    /// A verifier is valid for one request. Unless the server says that it refused the timestamp, a second request would only replace its
    /// first, true reason by another. Other requests use up nothing: a status of 401 means that nothing was done.
    var usesVerifier = false

    /// For temporary credentials (RFC 5849 section 2.1).
    ///
    /// - Parameter callback: from ``callback(_:state:)``; the provider requires it to be one of the registered URLs.
    public static func requestToken(callback: String, at provider: ResolvedProvider) throws(ProviderProblem) -> OAuth1Request {
        guard let endpoint = provider.requestToken else { throw .endpointMissing(.requestToken) }
        return OAuth1Request(
            request: ProviderRequest(method: "POST", url: endpoint.text), parameters: [("oauth_callback", callback)], token: nil)
    }

    /// For the account's credentials (RFC 5849 section 2.3).
    public static func accessToken(for requestToken: OAuth1Token, verifier: Secret, at provider: ResolvedProvider) -> OAuth1Request {
        OAuth1Request(
            request: ProviderRequest(method: "POST", url: provider.token.text), parameters: [("oauth_verifier", verifier.reveal())],
            token: requestToken, usesVerifier: true)
    }

    /// Any request in the account's name (RFC 5849 section 3.1).
    public static func authorized(_ request: ProviderRequest, by token: OAuth1Token) -> OAuth1Request {
        OAuth1Request(request: request, parameters: [], token: token)
    }

    /// The callback URL of a sign-in.
    ///
    /// - Parameter state: added to the URL; only if the provider does not compare callback URLs exactly.
    public static func callback(_ redirectURI: String, state: String?) -> String {
        guard let state else { return redirectURI }
        return redirectURI + (redirectURI.unicodeScalars.contains("?") ? "&" : "?") + PercentEncoding.query([("state", state)])
    }
}

extension OAuth1Request {
    /// Makes a signed request different from all previous ones (RFC 5849 section 3.3).
    public struct Stamp: Sendable {
        /// Only letters and digits, which is all that X accepts.
        public var nonce: String
        /// Seconds since 1970.
        public var timestamp: Int64

        public init(nonce: String, timestamp: Int64) {
            self.nonce = nonce
            self.timestamp = timestamp
        }
    }

    /// The request with its signature in the `Authorization` header (RFC 5849 section 3.5.1): HMAC-SHA1, the only method that every
    /// provider accepts.
    public func signed(
        for provider: ResolvedProvider, with stamp: Stamp, cryptography: some Cryptography
    ) -> ProviderRequest {
        var protocolParameters: [(name: String, value: String)] = [
            ("oauth_consumer_key", provider.clientID),
            ("oauth_nonce", stamp.nonce),
            ("oauth_signature_method", "HMAC-SHA1"),
            ("oauth_timestamp", String(stamp.timestamp)),
            ("oauth_version", "1.0"),
        ]
        if let token { protocolParameters.append(("oauth_token", token.token.reveal())) }
        protocolParameters += parameters
        let isForm = request.headers.contains {
            $0.name.lowercased() == "content-type" && $0.value.lowercased().begins(with: "application/x-www-form-urlencoded")
        }
        let base = SignatureBaseString(
            method: request.method, url: request.url, form: isForm ? request.body : [], protocolParameters: protocolParameters)
        let key = OAuth1SigningKey(clientSecret: provider.provider.clientSecret, tokenSecret: token?.secret)
        protocolParameters.append(("oauth_signature", key.signature(over: base, cryptography: cryptography)))

        var signed = request
        signed.headers.append(("Authorization", Self.header(protocolParameters)))
        signed.unsentSecrets = [provider.provider.clientSecret, token?.secret].compactMap { $0 }
        return signed
    }

    private static func header(_ parameters: [(name: String, value: String)]) -> String {
        let pairs = parameters.sorted { $0.name < $1.name }.map { name, value in
            "\(PercentEncoding.encode(name))=\"\(PercentEncoding.encode(value))\""
        }
        return "OAuth " + pairs.joined(separator: ", ")
    }
}

/// The provider's page that a user is sent to (RFC 5849 section 2.2).
public enum OAuth1Page {
    /// Absolute. It does not contain the callback: the provider keeps the one named for the request token, and one in a URL could be
    /// changed on the way.
    ///
    /// - Parameters:
    ///   - parameters: the program's; they override the configured ones of the same name.
    ///   - asksAgain: the person is to be asked whatever they say.
    public static func url(
        at provider: ResolvedProvider, requestToken: OAuth1Token, parameters: [String: String], loginHint: String?, asksAgain: Bool = false
    ) throws(AuthorizationRequestError) -> String {
        var extra = provider.provider.parameters.merging(parameters) { _, programs in programs }
        try AuthorizationRequest.check(extra.keys, fixed: provider.authorization.queryNames, reserved: provider.dialect.reservedParameters)
        if let loginHint { extra[provider.dialect.loginHintParameter] = loginHint }
        if asksAgain { extra = AuthorizationRequest.askingAgain(extra, of: provider) }
        let further = extra.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let url = provider.authorization.appending([("oauth_token", requestToken.token.reveal())] + further)
        guard url.utf8.count <= AuthorizationRequest.longestURL else { throw .tooLong(limit: AuthorizationRequest.longestURL) }
        return url
    }
}
