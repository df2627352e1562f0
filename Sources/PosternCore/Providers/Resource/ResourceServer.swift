/// The server of a resource, as it was found from its URL.
public struct ResourceServer: Sendable, Hashable {
    /// Where the document was found (RFC 9728 section 3, in MCP's order).
    public enum DocumentSource: String, Sendable {
        /// The challenge's `resource_metadata`.
        case challenge
        /// `/.well-known/oauth-protected-resource` before the URL's path.
        case path
        /// The same at the root.
        case root
    }

    /// As it was asked for.
    public var url: EndpointURL
    /// Nil for a server of MCP 2025-03-26, which has none.
    public var document: ResourceMetadata?
    public var documentSource: DocumentSource?
    /// After redirects.
    public var documentURL: EndpointURL?
    /// `scope` of the challenge, as far as those are scopes; nil if it names none.
    public var challengedScopes: [String]?
    /// The status of the server's answer to a request without a token; nil if the challenge was given. A success means that it needs no
    /// sign-in, at least for that.
    public var status: Int?
    /// Where there was no document.
    public var missing: [MissingDocument] = []

    public init(url: EndpointURL) { self.url = url }

    public var hasDocument: Bool { document != nil }
    /// As it is sent to the issuer (RFC 8707); nil: none is.
    public var resource: String? { document?.resource }
    /// Where there is no document, the origin itself; its metadata may write a slash at the end.
    public var issuers: [String] { document?.issuers ?? [url.origin.lowercased()] }
    public var scopesSupported: [String]? { document?.scopesSupported }
    public var name: String? { document?.name }
    public var usesDPoP: Bool { document?.usesDPoP ?? false }
    /// Its tokens are for exactly the URL, as far as it says.
    public var isIdentical: Bool { document?.isIdentical ?? false }

    /// The issuer whose tokens are for it.
    ///
    /// - Parameter configured: one of several, or of a server that names none.
    public func issuer(configured: String?) throws(ResourceError) -> String {
        guard let configured else { return issuers.first ?? url.origin.lowercased() }
        guard !hasDocument || issuers.contains(where: { $0.utf8.elementsEqual(configured.utf8) }) else {
            throw .issuerNotNamed(configured: configured, named: ProviderText.cleaned(names: issuers))
        }
        return configured
    }
}

/// Why the server of a resource could not be found out. The sentences are for the server's author.
public enum ResourceError: DiscoveryFailure, Hashable, CustomStringConvertible {
    case urlInvalid(EndpointURLError)
    /// `resource_metadata` of the challenge; the value is cleaned for display.
    case metadataURLInvalid(String, EndpointURLError)
    /// The server itself redirects, and not below its URL.
    case moved(to: String)
    case search(DocumentSearchError)
    case document(ResourceMetadataError, at: String)
    /// The issuer is cleaned for display.
    case issuer(String, IssuerError)
    /// The configuration names an issuer that the server does not.
    case issuerNotNamed(configured: String, named: [String])

    public var description: String {
        switch self {
        case .urlInvalid(let error): "the URL \(error)"
        case .metadataURLInvalid(let value, let error): "resource_metadata in the server's WWW-Authenticate is \(value), which \(error)"
        case .moved(let target): "the server redirects to \(target), which is not below its URL; if it has moved there, use that URL"
        case .search(let error): "\(error)"
        case .document(let error, let url): "the resource metadata at \(url) are refused: \(error)"
        case .issuer(let issuer, let error): "the issuer \(issuer) \(error)"
        case .issuerNotNamed(let configured, let named):
            "the server names \(named.joined(separator: ", ")) as its issuer, and not \(configured), which is configured; "
                + "change or remove issuer"
        }
    }

    /// - Parameter name: of the server in the configuration, or its URL, for the sentence.
    public func providerFailure(at name: String) -> ProviderFailure {
        let message = "\(name): \(self)"
        if case .search(.transient) = self { return .unreachable(message: message) }
        return .providerNotConfigured(message: message)
    }
}
