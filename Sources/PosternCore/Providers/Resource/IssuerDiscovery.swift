/// Reads the metadata of a resource's issuer by MCP's rules (2026-07-28; RFC 8414 section 3).
///
/// Unlike the issuer of a configured provider (``MetadataDiscovery``), this one is named by a stranger: PKCE must be announced, and who is
/// asked is restricted (``DocumentSearch``).
public struct IssuerDiscovery: Sendable {
    public typealias Step = DiscoveryStep<ProviderMetadata, ResourceError>

    /// As the server or the configuration names it.
    private let issuer: String
    /// It is the origin of a server of MCP 2025-03-26, which names none.
    private let isOrigin: Bool
    private var search: DocumentSearch

    public var firstRequest: ProviderRequest { search.request }

    /// For the issuer of a server.
    ///
    /// - Parameter issuer: as the server names it, or the configuration.
    public init(of server: MCPServer, issuer: String) throws(ResourceError) {
        // A server that does not say what its tokens are for may have no metadata either.
        if server.resource == nil, server.issuer == nil {
            try self.init(originOf: server.url)
        } else {
            try self.init(issuer: issuer, of: server.url, isConfigured: server.issuer != nil)
        }
    }

    /// - Parameters:
    ///   - resource: the URL of the server that takes its tokens.
    ///   - isConfigured: the configuration names the issuer, so its host may have any address.
    public init(issuer: String, of resource: EndpointURL, isConfigured: Bool = false) throws(ResourceError) {
        do throws(EndpointURLError) {
            let url = isConfigured ? try EndpointURL(issuer) : try EndpointURL(issuer, namedBy: resource)
            self.issuer = issuer
            isOrigin = false
            search = DocumentSearch(try Self.places(of: url), of: resource, chosenHost: isConfigured ? url.host : nil)
        } catch {
            throw .issuer(ProviderText.shown(issuer), .invalid(error))
        }
    }

    /// For a server without a document (MCP 2025-03-26): the issuer is its origin, and without metadata has its endpoints at fixed paths.
    public init(originOf resource: EndpointURL) throws(ResourceError) {
        issuer = resource.origin.lowercased()
        isOrigin = true
        do throws(EndpointURLError) {
            let place = try EndpointURL("\(issuer)/.well-known/oauth-authorization-server")
            search = DocumentSearch([place], of: resource)
        } catch {
            throw .urlInvalid(error)
        }
    }

    /// - Returns: what to do next. After `found` and `failed` there is nothing more to request.
    public mutating func answered(_ response: ProviderResponse, now: Timestamp) -> Step {
        switch search.answered(response, now: now) {
        case .ask(let request): return .ask(request)
        case .failed(let error): return .failed(.search(error))
        case .absent: return result { () throws(IssuerError) in try assumed() }
        case .found(let body, _): return result { () throws(IssuerError) in try metadata(in: body) }
        }
    }

    private func result(_ read: () throws(IssuerError) -> ProviderMetadata) -> Step {
        do throws(IssuerError) { return .found(try read()) } catch { return .failed(.issuer(ProviderText.shown(issuer), error)) }
    }

    private func assumed() throws(IssuerError) -> ProviderMetadata {
        guard isOrigin else { throw .withoutMetadata(search.missing) }
        do throws(MetadataError) { return try ProviderMetadata(assumedAt: issuer) } catch { throw .metadata(error) }
    }

    private func metadata(in body: [UInt8]) throws(IssuerError) -> ProviderMetadata {
        let metadata = try parsed(body)
        guard let methods = metadata.codeChallengeMethods else { throw .pkceUnannounced }
        guard methods.contains("S256") else { throw .pkceWithoutS256(offered: ProviderText.cleaned(names: methods)) }
        guard metadata.authorization != nil else { throw .endpointMissing("authorization_endpoint") }
        guard metadata.token != nil else { throw .endpointMissing("token_endpoint") }
        return metadata
    }

    private func parsed(_ body: [UInt8]) throws(IssuerError) -> ProviderMetadata {
        var failure: MetadataError
        do throws(MetadataError) { return try ProviderMetadata(parsing: body, expectedIssuer: issuer) } catch { failure = error }
        // Many servers write an issuer without a path with a slash at its end. Here nobody has named it in another form.
        if isOrigin, case .issuerMismatch = failure {
            do throws(MetadataError) { return try ProviderMetadata(parsing: body, expectedIssuer: issuer + "/") } catch { failure = error }
        }
        if case .issuerMismatch(_, let found) = failure { throw .other(found: found) }
        throw .metadata(failure)
    }

    /// In MCP's order (2025-11-25). A slash at the issuer's end is left out.
    private static func places(of issuer: EndpointURL) throws(EndpointURLError) -> [EndpointURL] {
        guard issuer.query == nil else { throw .query }
        guard URLPrefix.segments(of: issuer) != nil else { throw .dotSegment }
        let (origin, path) = (issuer.origin, issuer.path.ends(with: "/") ? String(issuer.path.dropLast()) : issuer.path)
        let inserted = [
            try EndpointURL("\(origin)/.well-known/oauth-authorization-server\(path)"),
            try EndpointURL("\(origin)/.well-known/openid-configuration\(path)"),
        ]
        return path.isEmpty ? inserted : inserted + [try EndpointURL("\(origin)\(path)/.well-known/openid-configuration")]
    }
}

/// Why the issuer of a resource is refused. The sentences continue after its name, and are for its author.
public enum IssuerError: Error, Sendable, Hashable, CustomStringConvertible {
    case invalid(EndpointURLError)
    case withoutMetadata([MissingDocument])
    /// Cleaned for display.
    case other(found: String)
    case metadata(MetadataError)
    case pkceUnannounced
    case pkceWithoutS256(offered: [String])
    case endpointMissing(String)

    public var description: String {
        switch self {
        case .invalid(let error): "cannot be used: it \(error)"
        case .withoutMetadata(let places):
            "has no metadata: " + places.map { "\($0.url) answered with status \($0.status)" }.joined(separator: ", ")
        case .other(let found): "calls itself \(found) in its metadata (issuer); the two must be identical"
        case .metadata(let error): "is refused: \(error)"
        case .pkceUnannounced:
            "does not announce PKCE, which MCP demands; its metadata must have code_challenge_methods_supported with S256"
        case .pkceWithoutS256(let offered):
            "announces no PKCE method that is safe: code_challenge_methods_supported is "
                + "\(offered.isEmpty ? "empty" : offered.joined(separator: ", ")), and must have S256"
        case .endpointMissing(let member): "names no \(member) in its metadata"
        }
    }
}
