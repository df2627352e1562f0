/// Requests to a token endpoint (RFC 6749 sections 4.1.3 and 6).
///
/// Neither may be sent twice: a code is valid once, and a lost answer to a refresh may have contained a new refresh token.
public enum TokenRequest {
    /// - Parameter redirectURI: byte for byte as in the authorization request.
    public static func exchange(
        code: Secret, redirectURI: String, codeVerifier: CodeVerifier, at provider: ResolvedProvider
    ) -> ProviderRequest {
        request(
            [
                ("grant_type", "authorization_code"),
                ("code", code.reveal()),
                ("redirect_uri", redirectURI),
                ("code_verifier", codeVerifier.secret.reveal()),
            ], at: provider)
    }

    /// Requests what was granted before, without naming a scope, because some providers would keep a narrower one. Or requests a restricted
    /// token, if the provider is known to keep the rest.
    ///
    /// - Parameter redirectURI: that of a sign-in begun now; some providers require it.
    public static func refresh(
        _ refreshToken: Secret, for restriction: TokenRestriction? = nil, redirectURI: String, at provider: ResolvedProvider
    ) -> ProviderRequest {
        let further = provider.dialect.refreshParameters(redirectURI: redirectURI) + (restriction.map(provider.dialect.parameters) ?? [])
        return request(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken.reveal())] + further, at: provider,
            namesResources: restriction?.resource == nil)
    }

    /// What renews a grant: its refresh token, or its access token if the provider works that way. Nil if nothing does.
    public static func renewal(
        of grant: Grant, for restriction: TokenRestriction? = nil, redirectURI: String, at provider: ResolvedProvider,
        cryptography: any Cryptography
    ) -> ProviderRequest? {
        if let refreshToken = grant.refreshToken {
            return refresh(refreshToken, for: restriction, redirectURI: redirectURI, at: provider)
        }
        guard restriction == nil, provider.dialect.accessTokenRenewsItself else { return nil }
        return provider.dialect.followUp(to: grant, at: provider, cryptography: cryptography)
    }

    /// - Parameter namesResources: whether to name the configured ones; false if the parameters name one.
    private static func request(
        _ parameters: [(name: String, value: String)], at provider: ResolvedProvider, namesResources: Bool = true
    ) -> ProviderRequest {
        // RFC 8707 section 2.2: named again, because otherwise some servers issue a token for anything they choose.
        let resources = namesResources ? provider.provider.extensions.resources.map { (name: "resource", value: $0) } : []
        return .form(parameters + resources, to: provider.token, from: ClientCredentials(of: provider))
    }
}

extension ProviderRequest {
    /// A form that the client signs with its credentials.
    static func form(
        _ parameters: [(name: String, value: String)], to endpoint: EndpointURL, from client: ClientCredentials
    ) -> ProviderRequest {
        var headers: [(name: String, value: String)] = [
            // Without it GitHub answers in another format; all others answer in JSON anyway.
            ("Accept", "application/json"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ]
        if let header = client.header { headers.append(header) }
        return ProviderRequest(
            method: "POST", url: endpoint.text, headers: headers, body: PercentEncoding.form(parameters + client.parameters))
    }
}
