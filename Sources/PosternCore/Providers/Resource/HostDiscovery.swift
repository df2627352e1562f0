import StrictJSON

/// Asks a host at which an issuer has an endpoint, and which is not the issuer's own, whose it is: its own metadata may name another issuer.
///
/// The host is named by a stranger, so it is asked by the rules of ``DocumentSearch``. One that says nothing may be anybody's.
public struct HostDiscovery: Sendable {
    public typealias Step = DiscoveryStep<KnownIssuer?, ResourceError>

    private let endpoint: EndpointURL
    private let issuer: String
    private var search: DocumentSearch

    public var firstRequest: ProviderRequest { search.request }

    /// - Parameters:
    ///   - issuer: whose metadata name the endpoint.
    ///   - resource: the URL of the server that named the issuer.
    /// - Returns: nil if the host cannot be asked.
    public init?(_ endpoint: EndpointURL, of issuer: String, at resource: EndpointURL) {
        let places = ["oauth-authorization-server", "openid-configuration"].compactMap { name in
            try? EndpointURL("\(endpoint.origin)/.well-known/\(name)", namedBy: resource)
        }
        guard !places.isEmpty else { return nil }
        self.endpoint = endpoint
        self.issuer = issuer
        search = DocumentSearch(places, of: resource)
    }

    /// - Returns: what to do next. Found is the other issuer, or nil if the host names none.
    public mutating func answered(_ response: ProviderResponse, now: Timestamp) -> Step {
        switch search.answered(response, now: now) {
        case .ask(let request): return .ask(request)
        case .failed(let error): return .failed(.search(error))
        case .absent: return .found(nil)
        case .found(let body, _):
            guard case .object(let document)? = try? AnswerBody.json(in: body), let named = document["issuer"]?.stringValue,
                !named.isSameURL(as: issuer)
            else { return .found(nil) }
            return .found(KnownIssuer(ProviderText.shown(named), at: endpoint))
        }
    }
}
