/// Finds a provider's metadata: which URLs to ask, in which order, and what the answers mean.
///
/// ```
/// var discovery = try MetadataDiscovery(issuer: issuer, kind: .oidc)
/// step = .ask(discovery.firstRequest); while case .ask(let request) = step { step = discovery.answered(response, now: now) }
/// ```
public struct MetadataDiscovery: Sendable {
    public typealias Step = DiscoveryStep<ProviderMetadata, MetadataError>

    /// Enough for a provider that has moved its document.
    private static let mostRedirects = 3

    private let issuer: String
    private var current: EndpointURL
    /// Asked one after the other while the answers say that there is no such document.
    private var further: [EndpointURL]
    private var redirects = 0

    /// OpenID providers are asked at the issuer followed by `/.well-known/openid-configuration` (Discovery section 4.1), OAuth 2.0 servers
    /// with `/.well-known/oauth-authorization-server` between host and path (RFC 8414 section 3.1); then each at the other's URL.
    public init(issuer: String, kind: ProviderKind) throws(MetadataError) {
        let (appended, inserted) = try Self.documents(of: issuer)
        self.issuer = issuer
        current = kind == .oidc ? appended : inserted
        further = [kind == .oidc ? inserted : appended]
    }

    /// For a provider whose OpenID document lacks an endpoint: its RFC 8414 document may name it.
    public init(authorizationServerOf issuer: String) throws(MetadataError) {
        self.issuer = issuer
        current = try Self.documents(of: issuer).authorizationServer
        further = []
    }

    public var firstRequest: ProviderRequest { request }

    /// - Returns: what to do next. After `found` and `failed` there is nothing more to request.
    public mutating func answered(_ response: ProviderResponse, now: Timestamp) -> Step {
        if let failure = TransientFailure(response, now: now) { return .failed(.transient(failure)) }
        switch response.status {
        case 200..<300:
            do throws(MetadataError) {
                return .found(try ProviderMetadata(parsing: response.body, expectedIssuer: issuer))
            } catch {
                return .failed(error)
            }
        case 301, 302, 303, 307, 308:
            // Only within the origin: another origin cannot speak for this issuer.
            guard redirects < Self.mostRedirects, let target = redirectTarget(response) else { return .failed(.redirected) }
            redirects += 1
            current = target
            return .ask(request)
        default:
            guard !further.isEmpty else { return .failed(.refused(status: response.status)) }
            redirects = 0
            current = further.removeFirst()
            return .ask(request)
        }
    }

    private var request: ProviderRequest {
        ProviderRequest(url: current.text, headers: [("Accept", "application/json")])
    }

    private func redirectTarget(_ response: ProviderResponse) -> EndpointURL? {
        guard let text = response.redirect(from: current), let target = try? EndpointURL(text), target.hasSameOrigin(as: current) else {
            return nil
        }
        return target
    }

    /// The paths are joined without a slash at the issuer's end, as both specifications require.
    private static func documents(
        of issuer: String
    ) throws(MetadataError) -> (openID: EndpointURL, authorizationServer: EndpointURL) {
        let url: EndpointURL
        do throws(EndpointURLError) { url = try EndpointURL(issuer) } catch { throw .issuerInvalid(error) }
        guard url.query == nil else { throw .issuerHasQuery }
        let path = url.path.ends(with: "/") ? String(url.path.dropLast()) : url.path
        do throws(EndpointURLError) {
            return (
                try EndpointURL("\(url.origin)\(path)/.well-known/openid-configuration"),
                try EndpointURL("\(url.origin)/.well-known/oauth-authorization-server\(path)")
            )
        } catch { throw .issuerInvalid(error) }
    }
}
