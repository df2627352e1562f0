import PosternCore

/// One provider's metadata and keys: fetched once for all who wait, and cached as HTTP specifies.
///
/// It belongs to the provider as it is configured now. If a reload makes it another provider, a new memory is created, and a fetch under
/// way ends in the old one.
@DaemonActor
final class ProviderMemory {
    /// Everything that the documents depend on.
    struct Subject: Hashable {
        var issuer: String?
        var kind: ProviderKind
        var endpoints: ProviderEndpoints
        var caFile: String?
        /// Metadata of an MCP server's issuer are read by other rules.
        var server: MCPServer?

        init(_ provider: Provider) {
            server = provider.server
            // Judged anew at each use.
            server?.endpointHosts = []
            issuer = provider.issuer
            kind = provider.kind
            endpoints = provider.endpoints
            caFile = provider.caFile
        }
    }

    /// How a fetch ended, for those who waited for it: a provider that is down is asked once for all of them.
    private typealias Ending = Result<Void, ProviderFailure>

    let subject: Subject
    private let name: String
    private let providerID: String
    private let platform: Platform
    private let events: EventLog
    private let send: SendDocumentRequest
    private var metadataCache = DocumentCache<ProviderMetadata>()
    private let metadataWaiters = WaitingRoom<Ending>()
    /// The RFC 8414 document, for what the OpenID document lacks; nil if there is none.
    private var supplement: (metadata: ProviderMetadata?, until: Timestamp)?
    private var keyCache = KeySetCache()
    private let keyWaiters = WaitingRoom<Ending>()

    init(of provider: Provider, platform: Platform, events: EventLog, send: @escaping SendDocumentRequest) {
        subject = Subject(provider)
        name = provider.displayName
        providerID = provider.id
        self.platform = platform
        self.events = events
        self.send = send
    }

    // MARK: Metadata

    /// What is known already, however old.
    var knownMetadata: ProviderMetadata? {
        metadataCache.current.map { metadata in
            var metadata = metadata
            for endpoint in ProviderMetadata.supplementable { metadata.take(endpoint, from: supplement?.metadata) }
            return metadata
        }
    }

    func metadata() async throws(ProviderFailure) -> ProviderMetadata {
        guard let issuer = subject.issuer else { throw .providerNotConfigured(message: "\(name) has no issuer") }
        while true {
            switch metadataCache.decide(now: platform.now) {
            case .useCached(let metadata): return metadata
            case .wait: try await metadataWaiters.wait(while: { metadataCache.isFetching })?.get()
            case .fetch: return try await fetchMetadata(issuer: issuer)
            }
        }
    }

    private func fetchMetadata(issuer: String) async throws(ProviderFailure) -> ProviderMetadata {
        do throws(ProviderFailure) {
            let (metadata, response) = try await readMetadata(issuer: issuer)
            metadataCache.fetched(metadata, by: response, now: platform.now)
            metadataWaiters.release(with: .success(()))
            return metadata
        } catch {
            if let old = metadataCache.fetchFailed(now: platform.now) {
                events.report(.providerProblem, "\(providerID): the cached metadata is used: \(error)", providerID: providerID)
                metadataWaiters.release(with: .success(()))
                return old
            }
            metadataWaiters.release(with: .failure(error))
            throw error
        }
    }

    private func readMetadata(issuer: String) async throws(ProviderFailure) -> (ProviderMetadata, ProviderResponse) {
        guard let server = subject.server else {
            let discovery: MetadataDiscovery
            do throws(MetadataError) { discovery = try MetadataDiscovery(issuer: issuer, kind: subject.kind) } catch {
                throw error.providerFailure(at: name)
            }
            return try await discover(discovery)
        }
        var discovery: IssuerDiscovery
        do throws(ResourceError) { discovery = try IssuerDiscovery(of: server, issuer: issuer) } catch {
            throw error.providerFailure(at: name)
        }
        return try await IssuerDiscovery.Step.found(from: discovery.firstRequest, at: name, by: send) {
            discovery.answered($0, now: platform.now)
        }
    }

    /// As ``metadata()``; a missing endpoint is taken from the RFC 8414 document.
    func metadata(
        supplying endpoints: [WritableKeyPath<ProviderMetadata, EndpointURL?> & Sendable]
    ) async throws(ProviderFailure) -> ProviderMetadata {
        var metadata = try await metadata()
        for endpoint in endpoints where metadata[keyPath: endpoint] == nil { metadata.take(endpoint, from: await authorizationServer()) }
        return metadata
    }

    /// An endpoint of the RFC 8414 document; nil if it has none.
    func supplement(_ endpoint: KeyPath<ProviderMetadata, EndpointURL?> & Sendable) async -> EndpointURL? {
        await authorizationServer()?[keyPath: endpoint]
    }

    /// The OAuth metadata (RFC 8414), which are read if the OpenID ones lack something; nil if there are none: most providers have no such
    /// document. Its absence is remembered for a shorter time.
    private func authorizationServer() async -> ProviderMetadata? {
        if let supplement, platform.now < supplement.until { return supplement.metadata }
        // An MCP server's issuer has one document, which was read by stricter rules.
        guard subject.server == nil, let issuer = subject.issuer, let discovery = try? MetadataDiscovery(authorizationServerOf: issuer)
        else { return nil }
        let found = try? await discover(discovery).0
        supplement = (found, platform.now.adding(seconds: found == nil ? 60 : 3600))
        return found
    }

    private func discover(_ begun: MetadataDiscovery) async throws(ProviderFailure) -> (ProviderMetadata, ProviderResponse) {
        var discovery = begun
        return try await MetadataDiscovery.Step.found(from: discovery.firstRequest, at: name, by: send) {
            discovery.answered($0, now: platform.now)
        }
    }

    // MARK: Keys

    func keys(at jwks: EndpointURL?) async throws(ProviderFailure) -> KeySetCache.Copy {
        while true {
            switch keyCache.decide(now: platform.now) {
            case .useCached(let copy): return copy
            case .wait: try await keyWaiters.wait(while: { keyCache.isFetching })?.get()
            case .fetch: return try await fetchKeys(at: jwks)
            }
        }
    }

    func keysReadAnew(
        at jwks: EndpointURL?, insteadOf copy: KeySetCache.Copy, for origin: IDTokenOrigin
    ) async throws(ProviderFailure) -> KeySetCache.Copy? {
        while true {
            switch keyCache.decideRefetch(of: copy, for: origin, now: platform.now) {
            case .useCached(let newer): return newer
            case .wait: try await keyWaiters.wait(while: { keyCache.isFetching })?.get()
            case .fetch: return try await fetchKeys(at: jwks)
            case nil: return nil
            }
        }
    }

    private func fetchKeys(at jwks: EndpointURL?) async throws(ProviderFailure) -> KeySetCache.Copy {
        do throws(ProviderFailure) {
            let copy = try await readKeys(at: jwks)
            keyWaiters.release(with: .success(()))
            return copy
        } catch {
            keyWaiters.release(with: .failure(error))
            throw error
        }
    }

    private func readKeys(at jwks: EndpointURL?) async throws(ProviderFailure) -> KeySetCache.Copy {
        guard let jwks else {
            _ = keyCache.fetchFailed(now: platform.now)
            throw .providerNotConfigured(message: "\(name) does not say where its keys are (jwks_uri)")
        }
        let response: ProviderResponse
        do throws(ProviderFailure) { response = try await send(KeySet.request(from: jwks)) } catch {
            if let old = keyCache.fetchFailed(now: platform.now) { return old }
            throw error
        }
        do throws(KeySetError) { return try keyCache.fetched(response, now: platform.now) } catch { throw error.providerFailure(at: name) }
    }
}
