/// Why no page can be opened for a request.
public enum AuthorizationRequestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name as it was given.
    case reservedParameter(name: String)
    /// Cleaned for display.
    case invalidParameterName(String)
    /// Longer URLs begin to be truncated by browsers and servers.
    case tooLong(limit: Int)
    /// `max_age` is not a number of seconds, so the answer could not be checked against it.
    case invalidMaximumAge

    public var description: String {
        switch self {
        case .reservedParameter(let name): "the parameter \(name) is set by Postern itself; leave it out"
        case .invalidParameterName(let name):
            "\(name) is not a valid parameter name; use at most 128 ASCII letters, digits and the characters - . _ ~ :"
        case .tooLong(let limit): "the address of the page would be longer than \(limit) bytes; ask for fewer scopes or parameters"
        case .invalidMaximumAge: "the parameter max_age must be a number of seconds, such as 0 or 3600"
        }
    }
}

/// The provider's page that a user is sent to (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1).
public struct AuthorizationRequest: Sendable {
    public static let longestURL = 16 * 1024

    /// Absolute; contains the state, so it is for the browser and for the program that asked, never for a log.
    public let url: String
    /// All parameters of the request, without the endpoint's own query; what is pushed if requests are pushed.
    let parameters: [(name: String, value: String)]

    /// - Parameters:
    ///   - redirectURI: where the answer is sent; the token request repeats it byte for byte.
    ///   - state: at least 128 random bits as text without markup; Entra removes HTML from it.
    ///   - nonce: the original; for OpenID providers; the ID token must repeat it. Not sent to others.
    ///   - scopes: from ``SignInRequest/scopes(at:)``.
    ///   - parameters: the program's; they override the configured ones of the same name.
    ///   - hasRefreshToken: the account has one already, as far as that is known.
    ///   - asksAgain: the person is to be asked whatever the program's parameters say.
    ///   - proofKey: the key that the code is to be bound to (RFC 9449 section 10).
    public init(
        to provider: ResolvedProvider, redirectURI: String, state: Secret, codeVerifier: CodeVerifier, nonce: Secret?,
        scopes: [String], parameters: [String: String] = [:], loginHint: String? = nil, hasRefreshToken: Bool = false,
        asksAgain: Bool = false, proofKey: DPoPKey? = nil, cryptography: some Cryptography
    ) throws(AuthorizationRequestError) {
        let dialect = provider.dialect
        var extra = try Self.further(parameters, loginHint: loginHint, of: provider, to: provider.authorization)
        extra["prompt"] = OfflineAccess.prompt(given: extra["prompt"], scopes: scopes, hasRefreshToken: hasRefreshToken, at: provider)
        if asksAgain { extra = Self.askingAgain(extra, of: provider) }

        var pairs: [(name: String, value: String)] = [
            ("response_type", "code"),
            ("client_id", provider.clientID),
            ("redirect_uri", redirectURI),
        ]
        let scope = dialect.encodeScopes(scopes)
        if !scope.isEmpty { pairs.append(("scope", scope)) }
        pairs.append(("state", state.reveal()))
        if provider.provider.kind == .oidc, let nonce {
            let sent = dialect.sentNonce(nonce, of: provider.provider, cryptography: cryptography)
            pairs.append(("nonce", sent.reveal()))
        }
        let mode = dialect.responseMode(of: provider.provider, scopes: scopes) ?? provider.provider.responseMode?.rawValue
        if let mode { pairs.append(("response_mode", mode)) }
        pairs.append(("code_challenge", codeVerifier.challenge(using: cryptography)))
        pairs.append(("code_challenge_method", "S256"))
        if let proofKey { pairs.append(("dpop_jkt", proofKey.thumbprint(using: cryptography))) }
        for resource in provider.provider.extensions.resources { pairs.append(("resource", resource)) }
        // Sorted by name, so that equal requests give equal URLs but for their random parts.
        for (name, value) in extra.sorted(by: { $0.key < $1.key }) { pairs.append((name, value)) }

        let url = provider.authorization.appending(pairs)
        guard url.utf8.count <= Self.longestURL else { throw .tooLong(limit: Self.longestURL) }
        self.url = url
        self.parameters = pairs
    }

    /// The additional parameters: the configured ones, overridden by the program's, and the account that it would like.
    ///
    /// - Parameter endpoint: where they are sent: the authorization endpoint, or the device flow's.
    /// - Throws: if one of them is reserved, or could not be checked against the answer.
    public static func further(
        _ parameters: [String: String], loginHint: String?, of provider: ResolvedProvider, to endpoint: EndpointURL
    ) throws(AuthorizationRequestError) -> [String: String] {
        let dialect = provider.dialect
        var all = provider.provider.parameters.merging(parameters) { _, programs in programs }
        // That of a named account; programs and the provider's section have been refused it before.
        let resource = all.removeValue(forKey: "resource")
        try check(all.keys, fixed: endpoint.queryNames, reserved: dialect.reservedParameters)
        if let resource { all["resource"] = resource }
        if let maximumAge = all["max_age"], !isSeconds(maximumAge) { throw .invalidMaximumAge }
        if let loginHint { all[dialect.loginHintParameter] = loginHint }
        return all
    }

    /// The same, with what has the provider ask the person again, which nothing of the program's takes away.
    static func askingAgain(_ parameters: [String: String], of provider: ResolvedProvider) -> [String: String] {
        // No parameter may be repeated, and the endpoint's own query is the configuration's.
        var ours = provider.dialect.askingAgain(at: provider.provider).filter { !provider.authorization.queryNames.contains($0.key) }
        var parameters = parameters
        if let theirs = parameters.removeValue(forKey: "prompt") {
            // Beside `none` there may be nothing. Entra takes one value, others a list.
            let isList = !Catalogue.hasAuthorizationServer(at: provider.authorization.host)
            let others = theirs.parts(separator: " ").map(String.init).filter { $0 != "none" }
            let values = Scopes.withoutRepetition([ours["prompt"]].compactMap { $0 } + others)
            if !values.isEmpty { ours["prompt"] = isList ? values.joined(separator: " ") : values[0] }
        }
        return parameters.merging(ours) { $1 }
    }

    /// - Parameter fixed: the names in the endpoint's own query, which belong to the configuration.
    static func check(
        _ names: some Collection<String>, fixed: [String], reserved: Set<String>
    ) throws(AuthorizationRequestError) {
        if let name = ReservedParameters.firstReserved(in: names, and: reserved) ?? names.filter(fixed.contains).min() {
            throw .reservedParameter(name: ProviderText.cleaned(name, longest: ProviderText.longestName) ?? "")
        }
        for name in names.sorted() where !isName(name) {
            throw .invalidParameterName(ProviderText.cleaned(name, longest: ProviderText.longestName) ?? "an empty text")
        }
    }

    private static func isSeconds(_ text: String) -> Bool { (1...9).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDecimalDigit) }

    private static func isName(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0.isASCIILetter || $0.isDecimalDigit || "-._~:".utf8.contains($0) }
    }
}

/// The PKCE code verifier (RFC 7636), bound to one sign-in. Its challenge always uses S256; `plain` is not supported.
public struct CodeVerifier: Sendable, Equatable {
    /// 256 bits, the entropy that RFC 7636 section 7.1 recommends.
    public static let randomByteCount = 32

    /// 43 to 128 unreserved characters.
    public let secret: Secret

    /// - Parameter randomBytes: at least 32 bytes of good randomness, at most 96; nil for another count.
    public init?(randomBytes: [UInt8]) {
        guard (Self.randomByteCount...96).contains(randomBytes.count) else { return nil }
        secret = Secret(Base64URL.encode(randomBytes))
    }

    /// A verifier that was stored with its session; nil if it is not valid (RFC 7636 section 4.1).
    public init?(stored: Secret) {
        let isVerifier = stored.withBytes { bytes in
            (43...128).contains(bytes.count) && bytes.allSatisfy(\.isUnreserved)
        }
        guard isVerifier else { return nil }
        secret = stored
    }

    /// `BASE64URL(SHA256(ASCII(code_verifier)))` (RFC 7636 section 4.2).
    public func challenge(using cryptography: some Cryptography) -> String {
        Base64URL.encode(cryptography.sha256(secret.revealBytes()))
    }
}
