import StrictJSON

/// Finds out whose tokens a server takes, from its URL (RFC 9728, MCP 2026-07-28): what to ask, in which order, and what the answers mean.
///
/// The challenge of a request without a token names the document; else it is looked for at the two well-known places. A server that has it
/// nowhere is one of MCP 2025-03-26, whose issuer is its origin.
///
/// ```
/// var discovery = ResourceDiscovery(url: url)
/// step = discovery.first; while case .ask(let request) = step { step = discovery.answered(response, now: now) }
/// ```
public struct ResourceDiscovery: Sendable {
    public typealias Step = DiscoveryStep<ResourceServer, ResourceError>

    private enum State {
        /// The server itself, for its challenge.
        case asking(EndpointURL, redirects: Int)
        /// The document, at these places.
        case searching(DocumentSearch, [ResourceServer.DocumentSource])
        case ended(Step)
    }

    private var state: State
    private var server: ResourceServer
    private let segments: [[UInt8]]
    public private(set) var first: Step

    /// - Parameter challenge: the values of `WWW-Authenticate` in an answer of the server; nil if it is to be asked for them.
    public init(url: EndpointURL, challenge: [String]? = nil) {
        server = ResourceServer(url: url)
        do throws(EndpointURLError) { segments = try url.decodedSegments() } catch {
            segments = []
            first = .failed(.urlInvalid(error))
            state = .ended(first)
            return
        }
        first = .ask(Self.request(to: url, of: url))
        state = .asking(url, redirects: 0)
        if let challenge { first = search(AuthenticationChallenge.all(in: challenge), redirects: 0) }
    }

    /// - Returns: what to do next. After `found` and `failed` there is nothing more to request.
    public mutating func answered(_ response: ProviderResponse, now: Timestamp) -> Step {
        switch state {
        case .asking(let url, let redirects): return answered(response, of: url, redirects: redirects)
        case .searching(var search, let places):
            let step = search.answered(response, now: now)
            state = .searching(search, places)
            server.missing = search.missing
            return next(step, at: places)
        case .ended(let step):
            assertionFailure("an answer to nothing")
            return step
        }
    }

    /// Any status will do: what counts is the challenge. Only the endpoint's own redirects that keep the method are followed, below its URL.
    private mutating func answered(_ response: ProviderResponse, of url: EndpointURL, redirects: Int) -> Step {
        guard response.status == 307 || response.status == 308 else {
            server.status = response.status
            return search(response.challenges, redirects: redirects)
        }
        guard redirects < DocumentSearch.mostRedirects else { return end(.failed(.search(.tooManyRedirects(at: url.text)))) }
        do throws(DocumentSearchError) {
            let target = try response.redirect(from: url, namedBy: server.url)
            guard target.hasSameOrigin(as: server.url), (try? target.decodedSegments())?.starts(with: segments) == true else {
                return end(.failed(.moved(to: target.text)))
            }
            state = .asking(target, redirects: redirects + 1)
            return .ask(Self.request(to: target, of: server.url))
        } catch {
            return end(.failed(.search(error)))
        }
    }

    private mutating func search(_ challenges: [AuthenticationChallenge], redirects: Int) -> Step {
        server.challengedScopes = challenges.lazy.compactMap(\.resourceScopes).first
        do throws(ResourceError) {
            var places = try wellKnown()
            if let named = challenges.lazy.compactMap({ $0.parameters["resource_metadata"] }).first {
                let url: EndpointURL
                do throws(EndpointURLError) { url = try EndpointURL(named, namedBy: server.url) } catch {
                    throw .metadataURLInvalid(ProviderText.shown(named), error)
                }
                places = [(url, .challenge)] + places.filter { $0.url != url }
            }
            let search = DocumentSearch(places.map(\.url), of: server.url, redirects: redirects)
            state = .searching(search, places.map(\.place))
            return .ask(search.request)
        } catch {
            return end(.failed(error))
        }
    }

    /// Between host and path, and then without the path (RFC 9728 section 3.1).
    private func wellKnown() throws(ResourceError) -> [(url: EndpointURL, place: ResourceServer.DocumentSource)] {
        let url = server.url
        let root = "\(url.origin)/.well-known/oauth-protected-resource"
        let part = (url.path == "/" ? "" : url.path) + (url.query.map { "?\($0)" } ?? "")
        do throws(EndpointURLError) {
            let atRoot = (url: try EndpointURL(root), place: ResourceServer.DocumentSource.root)
            return part.isEmpty ? [atRoot] : [(try EndpointURL(root + part), .path), atRoot]
        } catch {
            throw .urlInvalid(error)
        }
    }

    private mutating func next(_ step: DocumentSearch.Step, at places: [ResourceServer.DocumentSource]) -> Step {
        switch step {
        case .ask(let request): return .ask(request)
        case .failed(let error): return end(.failed(.search(error)))
        case .absent: return end(.found(server))
        case .found(let body, let url):
            do throws(ResourceMetadataError) { server.document = try ResourceMetadata(parsing: body, of: server.url) } catch {
                return end(.failed(.document(error, at: url.text)))
            }
            server.documentURL = url
            // Each place before it is missing.
            server.documentSource = places.dropFirst(server.missing.count).first
            return end(.found(server))
        }
    }

    private mutating func end(_ step: Step) -> Step {
        state = .ended(step)
        return step
    }

    /// As MCP's own clients begin (2026-07-28), and without credentials.
    private static func request(to url: EndpointURL, of resource: EndpointURL) -> ProviderRequest {
        let meta: JSONObject = [
            "io.modelcontextprotocol/protocolVersion": .string(MCPServer.protocolVersion),
            "io.modelcontextprotocol/clientCapabilities": [:],
        ]
        let message: JSONObject = [
            "jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": ["_meta": .object(meta)],
        ]
        return ProviderRequest(
            method: "POST", url: url.text,
            headers: [
                ("Accept", "application/json, text/event-stream"), ("Content-Type", "application/json"), ("Mcp-Method", "server/discover"),
            ], body: message.serialized
        ).bounded(for: resource)
    }
}

extension AuthenticationChallenge {
    /// What a token for the request needs (RFC 6750 section 3, RFC 9449 section 7.1); nil if it does not say. What is no scope is left out.
    fileprivate var resourceScopes: [String]? {
        guard scheme == "bearer" || scheme == "dpop", let text = parameters["scope"] else { return nil }
        let scopes = Scopes.bounded(Scopes.parse(text, separators: [" "]), most: ResourceMetadata.mostScopes)
        return scopes.isEmpty ? nil : scopes
    }
}
