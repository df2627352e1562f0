/// Why no page can be opened for a question.
public enum AuthorizationRequestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name as it was given.
    case reservedParameter(name: String)
    /// Cleaned for display.
    case invalidParameterName(String)
    /// Past this, browsers and servers begin to cut URLs off.
    case tooLong(limit: Int)

    public var description: String {
        switch self {
        case .reservedParameter(let name): "the parameter \(name) is set by Postern itself; leave it out"
        case .invalidParameterName(let name):
            "\(name) is no name of a parameter; one is made of at most 128 ASCII letters, digits and the characters - . _ ~ :"
        case .tooLong(let limit): "the address of the page would be longer than \(limit) bytes; ask for fewer scopes or parameters"
        }
    }
}

/// The page at the provider that a person is sent to (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1).
public struct AuthorizationRequest: Sendable {
    public static let longestURL = 16 * 1024

    /// Absolute; holds the state, so it is for the browser and for the program that asked, never for a log.
    public let url: String

    /// - Parameters:
    ///   - redirectURI: where the answer is to go; the token request repeats it byte for byte.
    ///   - state: at least 128 random bits as text without markup; Entra takes HTML out of it.
    ///   - nonce: as it was made; for OpenID providers; the ID token must repeat it. Not sent to others.
    ///   - scopes: from ``Provider/scopesToRequest(_:)``.
    ///   - parameters: the program's; they go before the configured ones of the same name.
    public init(
        to provider: ResolvedProvider, redirectURI: String, state: Secret, codeVerifier: CodeVerifier, nonce: Secret?,
        scopes: [String], parameters: [String: String] = [:], loginHint: String? = nil, cryptography: some Cryptography
    ) throws(AuthorizationRequestError) {
        let dialect = provider.dialect
        var extra = provider.provider.parameters.merging(parameters) { _, programs in programs }
        try Self.check(extra.keys, fixed: provider.authorization.queryNames)
        if let loginHint { extra[dialect.loginHintParameter] = loginHint }

        var pairs: [(name: String, value: String)] = [
            ("response_type", "code"),
            ("client_id", provider.clientID),
            ("redirect_uri", redirectURI),
        ]
        if !scopes.isEmpty { pairs.append(("scope", dialect.encodeScopes(scopes))) }
        pairs.append(("state", state.reveal()))
        if provider.provider.kind == .oidc, let nonce {
            let sent = dialect.sentNonce(nonce, of: provider.provider, cryptography: cryptography)
            pairs.append(("nonce", sent.reveal()))
        }
        let mode = dialect.responseMode(of: provider.provider, scopes: scopes) ?? provider.provider.responseMode?.rawValue
        if let mode { pairs.append(("response_mode", mode)) }
        pairs.append(("code_challenge", codeVerifier.challenge(using: cryptography)))
        pairs.append(("code_challenge_method", "S256"))
        // In name order, so that equal questions give equal addresses but for their random parts.
        for (name, value) in extra.sorted(by: { $0.key < $1.key }) { pairs.append((name, value)) }

        let url = provider.authorization.appending(pairs)
        guard url.utf8.count <= Self.longestURL else { throw .tooLong(limit: Self.longestURL) }
        self.url = url
    }

    /// - Parameter fixed: the names in the endpoint's own query, which belong to whoever configured it.
    private static func check(_ names: some Collection<String>, fixed: [String]) throws(AuthorizationRequestError) {
        if let name = ReservedParameters.firstReserved(in: names) ?? names.filter(fixed.contains).min() {
            throw .reservedParameter(name: ProviderText.cleaned(name, longest: ProviderText.longestName) ?? "")
        }
        for name in names.sorted() where !isName(name) {
            throw .invalidParameterName(ProviderText.cleaned(name, longest: ProviderText.longestName) ?? "an empty text")
        }
    }

    private static func isName(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0.isASCIILetter || $0.isDecimalDigit || "-._~:".utf8.contains($0) }
    }
}
