/// Why a provider cannot be used as it is configured, or as its metadata describe it.
public enum ProviderProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case clientIDMissing
    case clientSecretMissing
    case issuerMissing
    case endpointMissing(Endpoint)
    case endpointInvalid(Endpoint, EndpointURLError)
    /// The endpoint's own query contains a parameter that a request must set; servers refuse a repeated one (RFC 6749 section 3.1).
    case endpointHasReservedParameter(Endpoint, name: String)
    case noCommonClientAuthentication(offered: [String])
    /// DPoP is configured, and the provider does not accept the one algorithm that is supported here.
    case noCommonProofAlgorithm(offered: [String])
    /// A secret of ``Provider/secrets`` that is missing or invalid; the sentence continues after its key.
    case secretUnusable(key: String, problem: String)

    /// The names in the configuration file.
    public enum Endpoint: String, Sendable, CaseIterable {
        case authorization = "authorization-endpoint"
        case token = "token-endpoint"
        case userinfo = "userinfo-endpoint"
        case revocation = "revocation-endpoint"
        case introspection = "introspection-endpoint"
        case deviceAuthorization = "device-authorization-endpoint"
        case jwks = "jwks-uri"
        case pushedAuthorization = "pushed-authorization-request-endpoint"
        case registration = "registration-endpoint"
        case endSession = "end-session-endpoint"
        // What OAuth 1.0a has instead of the token and userinfo endpoints.
        case requestToken = "request-token-endpoint"
        case accessToken = "access-token-endpoint"
        case profile = "profile-endpoint"
    }

    public var providerFailure: ProviderFailure { .providerNotConfigured(message: description) }

    public var description: String {
        switch self {
        case .clientIDMissing: "it has no client-id; register Postern at the provider and put its ID into the configuration"
        case .clientSecretMissing: "it needs a client-secret, but none is configured"
        case .issuerMissing: "it has no issuer, which an OpenID provider needs"
        case .endpointMissing(let endpoint): "it has no \(endpoint.rawValue), and its metadata names none; add it to the configuration"
        case .endpointInvalid(let endpoint, let error): "its \(endpoint.rawValue) \(error)"
        case .endpointHasReservedParameter(let endpoint, let name):
            "its \(endpoint.rawValue) has \(name) in its query, which every request sets itself; remove it"
        case .noCommonClientAuthentication(let offered):
            "its token endpoint takes only \(offered.joined(separator: ", ")) (token_endpoint_auth_methods_supported), but Postern sends a "
                + "client secret only by client_secret_basic or client_secret_post"
                + (offered.contains(ClientAuthentication.none.rawValue) ? "; for a public client remove client-secret" : "")
        case .noCommonProofAlgorithm(let offered):
            "it takes DPoP proofs signed with \(offered.joined(separator: ", ")) only, but Postern signs them with ES256"
        case .secretUnusable(let key, let problem): "its \(key) \(problem)"
        }
    }
}

/// A configured provider together with its discovered metadata: everything that a sign-in needs, checked.
public struct ResolvedProvider: Sendable {
    public let provider: Provider
    public let clientID: String
    public let clientAuthentication: ClientAuthentication
    /// What to try if the client is refused although its ID and its secret are right: continues the refusal. Nil: nothing.
    let clientAdvice: String?
    public let authorization: EndpointURL
    public let token: EndpointURL
    public let userinfo: EndpointURL?
    public let revocation: EndpointURL?
    /// Where to ask whose an access token is (RFC 7662, or the provider's own way).
    public let introspection: EndpointURL?
    public let deviceAuthorization: EndpointURL?
    public let jwks: EndpointURL?
    /// Nil if authorization requests are not pushed (RFC 9126).
    public let pushedAuthorization: EndpointURL?
    /// An authorization request that was not pushed would be refused, or is not wanted.
    public let requiresPushedAuthorization: Bool
    /// OpenID Connect RP-Initiated Logout 1.0.
    public let endSession: EndpointURL?
    /// OAuth 1.0a's, and never nil there.
    public let requestToken: EndpointURL?
    /// The rule for `iss` in the callback.
    public let responseIssuer: ResponseIssuer
    /// The algorithms that an ID token may be signed with.
    public let idTokenAlgorithms: Set<SignatureAlgorithm>
    /// A sign-in whose scopes nobody chose also requests `offline_access`.
    public let offersOfflineAccess: Bool
    /// The metadata list `offline_access`.
    public let listsOfflineAccess: Bool
    /// What the metadata list and Postern does not support.
    public let gaps: [MetadataGap]

    /// Why no sign-in page can be opened; nil if one can.
    public var pageProblem: MetadataGap? { gaps.first { $0.list.stopsPages } }

    public var id: String { provider.id }
    public var dialect: any ProviderDialect { provider.dialect }

    /// The configuration takes precedence over the metadata.
    ///
    /// - Parameter metadata: nil if the provider is not discovered.
    public init(_ provider: Provider, metadata: ProviderMetadata? = nil) throws(ProviderProblem) {
        guard let clientID = provider.clientID, !clientID.isEmpty else { throw .clientIDMissing }
        if provider.kind == .oidc, provider.issuer == nil { throw .issuerMissing }
        let endpoints = provider.endpoints
        guard let authorization = try Self.endpoint(.authorization, endpoints.authorization, metadata?.authorization)
        else { throw .endpointMissing(.authorization) }
        let tokenName: ProviderProblem.Endpoint = provider.kind == .oauth1 ? .accessToken : .token
        guard let token = try Self.endpoint(tokenName, endpoints.token, metadata?.token) else { throw .endpointMissing(tokenName) }
        if let name = ReservedParameters.firstReserved(in: authorization.queryNames) {
            throw .endpointHasReservedParameter(.authorization, name: name)
        }

        self.provider = provider
        self.clientID = clientID
        self.authorization = authorization
        self.token = token
        let userinfo = try Self.endpoint(provider.kind == .oauth1 ? .profile : .userinfo, endpoints.userinfo, metadata?.userinfo)
        self.userinfo = provider.namesPeople ? userinfo : nil
        revocation = try Self.endpoint(.revocation, endpoints.revocation, metadata?.revocation)
        introspection = try Self.endpoint(.introspection, endpoints.introspection, metadata?.introspection)
        deviceAuthorization = try Self.endpoint(.deviceAuthorization, endpoints.deviceAuthorization, metadata?.deviceAuthorization)
        jwks = try Self.endpoint(.jwks, endpoints.jwks, metadata?.jwks)
        if provider.kind == .oidc, jwks == nil { throw .endpointMissing(.jwks) }
        requestToken = try Self.endpoint(.requestToken, endpoints.requestToken, nil)
        if provider.kind == .oauth1, requestToken == nil { throw .endpointMissing(.requestToken) }
        endSession = try Self.endpoint(.endSession, endpoints.endSession, metadata?.endSession)
        let pushes = provider.extensions.pushesAuthorization
        let pushed = try Self.endpoint(.pushedAuthorization, endpoints.pushedAuthorization, metadata?.pushedAuthorization)
        pushedAuthorization = pushes == false ? nil : pushed
        // A configuration that names the endpoint, or says that requests are pushed, must not get them in a URL after all.
        let isDemanded = pushes == true || endpoints.pushedAuthorization != nil || metadata?.requiresPushedAuthorization == true
        requiresPushedAuthorization = pushes != false && isDemanded
        if requiresPushedAuthorization, pushed == nil { throw .endpointMissing(.pushedAuthorization) }
        if provider.extensions.usesDPoP, let offered = metadata?.dpopAlgorithms, !offered.contains(SignatureAlgorithm.es256.rawValue) {
            throw .noCommonProofAlgorithm(offered: ProviderText.cleaned(names: offered))
        }

        clientAuthentication = try Self.clientAuthentication(of: provider, clientID, metadata: metadata)
        clientAdvice = Self.clientAdvice(for: provider, clientID, clientAuthentication)
        responseIssuer = ResponseIssuer(
            expected: provider.dialect.authorizationResponseIssuer(of: provider, authorization: authorization),
            isRequired: metadata?.announcesResponseIssuer ?? false)
        idTokenAlgorithms = metadata?.idTokenAlgorithms ?? Set(SignatureAlgorithm.allCases)
        offersOfflineAccess = provider.takesOfflineAccess(metadata: metadata)
        listsOfflineAccess = metadata?.listsOfflineAccess ?? false
        gaps = metadata?.gaps ?? []
    }

    private static func endpoint(
        _ name: ProviderProblem.Endpoint, _ configured: String?, _ discovered: EndpointURL?
    ) throws(ProviderProblem) -> EndpointURL? {
        guard let configured else { return discovered }
        do throws(EndpointURLError) { return try EndpointURL(configured) } catch { throw .endpointInvalid(name, error) }
    }

    private static func clientAuthentication(
        of provider: Provider, _ clientID: String, metadata: ProviderMetadata?
    ) throws(ProviderProblem) -> ClientAuthentication {
        let hasSecret = provider.clientSecret?.isEmpty == false
        if let configured = provider.clientAuthentication {
            guard hasSecret || configured == .none else { throw .clientSecretMissing }
            return configured
        }
        guard hasSecret else {
            // Metadata often do not list `none`, so its absence there proves nothing.
            if provider.dialect.needsClientSecret { throw .clientSecretMissing }
            return .none
        }
        guard let offered = metadata?.clientAuthenticationMethods else { return provider.dialect.usualClientAuthentication }
        var methods = [ClientAuthentication.clientSecretBasic, .clientSecretPost]
        // Every server decodes a form.
        if ClientCredentials.isChangedByBasic(id: clientID, secret: provider.clientSecret) { methods.reverse() }
        for method in methods where offered.contains(method.rawValue) { return method }
        throw .noCommonClientAuthentication(offered: ProviderText.cleaned(names: offered))
    }

    private static func clientAdvice(for provider: Provider, _ clientID: String, _ method: ClientAuthentication) -> String? {
        guard ClientCredentials.isChangedByBasic(id: clientID, secret: provider.clientSecret) else { return nil }
        let cause = "client-id or client-secret has other characters than letters, digits and - . _ ~"
        switch method {
        case .clientSecretBasic:
            return "\(cause), which HTTP Basic sends encoded and some servers do not decode; try client-authentication = "
                + "\"client_secret_post\", or a secret without them"
        // Some servers accept only the method that the client was registered with.
        case .clientSecretPost where provider.clientAuthentication == nil:
            return "\(cause), so they were sent in the form; if the client is registered for HTTP Basic, set client-authentication = "
                + "\"client_secret_basic\""
        case .clientSecretPost, .none: return nil
        }
    }
}

extension Provider {
    /// Whether its metadata must be read before a sign-in can begin.
    public var needsDiscovery: Bool {
        guard issuer != nil else { return false }
        let hasEndpoints = endpoints.authorization != nil && endpoints.token != nil
        return !hasEndpoints || (kind == .oidc && endpoints.jwks == nil) || extensions.needDiscovery(besides: endpoints)
    }
}

extension EndpointURL {
    /// The names in the query, form-decoded; one that cannot be decoded is left as it was written.
    var queryNames: [String] {
        guard let query else { return [] }
        return query.parts(separator: "&").map { pair in
            let name = pair.before { $0 == "=" }
            return (try? FormEncoding.decode(Array(name.utf8))) ?? String(name)
        }
    }

    /// This URL with further parameters after its own.
    func appending(_ parameters: [(name: String, value: String)]) -> String {
        let separator =
            switch query {
            case nil: "?"
            case "": ""
            default: "&"
            }
        return text + separator + PercentEncoding.query(parameters)
    }
}
