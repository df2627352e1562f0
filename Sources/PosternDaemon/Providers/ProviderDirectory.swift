import HTTPSClient
import PosternCore
import PosternInterface

/// The configured providers, and what they say of themselves: metadata and keys, fetched once for all who wait and kept as
/// HTTP says.
@DaemonActor
final class ProviderDirectory {
    private struct Kept {
        var metadata = MetadataCache()
        var keys = KeySetCache()
        /// Resumed with the failure that the fetch ended with, which is theirs too.
        var waiting: [CheckedContinuation<SignInFailure?, Never>] = []
    }

    private(set) var all: [PosternCore.Provider] = []
    private var kept: [String: Kept] = [:]
    private let client: HTTPSClient
    private let log: DaemonLog
    /// Requests under way.
    private(set) var requests = 0

    init(client: HTTPSClient, log: DaemonLog) {
        self.client = client
        self.log = log
    }

    /// A new configuration is in force. What is known of a provider stays, unless it is another provider now.
    func replaceAll(_ providers: [PosternCore.Provider]) {
        for old in all {
            let new = providers.first { $0.id == old.id }
            if new?.issuer != old.issuer || new?.endpoints != old.endpoints || new?.caFile != old.caFile {
                for waiter in kept.removeValue(forKey: old.id)?.waiting ?? [] { waiter.resume(returning: nil) }
            }
        }
        all = providers
    }

    subscript(id: String) -> PosternCore.Provider? { all.first { $0.id == id } }

    func displayName(_ id: String) -> String { self[id]?.displayName ?? id }

    /// - Throws: ``InterfaceError`` where there is none of that name, or it lacks what it needs.
    func configured(_ id: String) throws(InterfaceError) -> PosternCore.Provider {
        guard let provider = self[id] else {
            let known = all.map(\.id).joined(separator: ", ")
            throw .providerNotFound(
                message: "no provider is called \(ProviderText.cleaned(id, longest: 64) ?? "nothing"); configured are: \(known.isEmpty ? "none" : known)",
                providerID: id)
        }
        if let problem = provider.problem {
            throw .providerNotConfigured(message: "\(provider.displayName) cannot be used: \(problem)", providerID: id)
        }
        return provider
    }

    // MARK: Requests

    /// Sends a request once.
    func send(_ request: ProviderRequest, to provider: PosternCore.Provider) async throws(SignInFailure) -> ProviderResponse {
        requests += 1
        defer { requests -= 1 }
        do { return try await client.send(request, caFile: provider.caFile).result() } catch {
            throw .unreachable(message: "\(provider.displayName) cannot be reached: \(error)")
        }
    }

    // MARK: Metadata

    /// The provider with its endpoints known.
    func resolve(_ provider: PosternCore.Provider) async throws(SignInFailure) -> ResolvedProvider {
        let metadata = provider.needsDiscovery ? try await metadata(of: provider) : nil
        return try Self.resolved(provider, metadata)
    }

    /// As ``resolve(_:)``; where no revocation endpoint is known, the OAuth metadata are asked for one too (RFC 8414).
    func resolveForRevocation(_ provider: PosternCore.Provider) async throws(SignInFailure) -> ResolvedProvider {
        let resolved = try await resolve(provider)
        guard resolved.revocation == nil, let issuer = provider.issuer else { return resolved }
        do {
            let discovery = try MetadataDiscovery(revocationEndpointOf: issuer)
            let (metadata, _) = try await discover(discovery, of: provider)
            guard let revocation = metadata.revocation else { return resolved }
            var provider = provider
            provider.endpoints.revocation = revocation.text
            return try Self.resolved(provider, provider.needsDiscovery ? try await self.metadata(of: provider) : nil)
        } catch {
            // Most providers have no such document.
            return resolved
        }
    }

    private static func resolved(
        _ provider: PosternCore.Provider, _ metadata: ProviderMetadata?
    ) throws(SignInFailure) -> ResolvedProvider {
        do throws(ProviderProblem) { return try ResolvedProvider(provider, metadata: metadata) } catch {
            throw .providerNotConfigured(message: "\(provider.displayName) cannot be used: \(error)")
        }
    }

    private func metadata(of provider: PosternCore.Provider) async throws(SignInFailure) -> ProviderMetadata {
        guard let issuer = provider.issuer else {
            throw .providerNotConfigured(message: "\(provider.displayName) has no issuer")
        }
        while true {
            switch kept[provider.id, default: Kept()].metadata.decide(now: WallClock.now) {
            case .useCached(let metadata): return metadata
            case .wait: try await waitForFetch(of: provider.id)
            case .fetch: return try await fetchMetadata(of: provider, issuer: issuer)
            }
        }
    }

    private func fetchMetadata(of provider: PosternCore.Provider, issuer: String) async throws(SignInFailure) -> ProviderMetadata {
        do throws(SignInFailure) {
            let discovery: MetadataDiscovery
            do throws(MetadataError) { discovery = try MetadataDiscovery(issuer: issuer, kind: provider.kind) } catch {
                throw Self.failure(error, of: provider)
            }
            let (metadata, response) = try await discover(discovery, of: provider)
            kept[provider.id, default: Kept()].metadata.fetched(metadata, by: response, now: WallClock.now)
            wakeWaiting(provider.id)
            return metadata
        } catch {
            if let old = kept[provider.id, default: Kept()].metadata.fetchFailed(now: WallClock.now) {
                log.warning("the metadata from before are used: \(error)", event: .providerProblem, providerID: provider.id)
                wakeWaiting(provider.id)
                return old
            }
            wakeWaiting(provider.id, error)
            throw error
        }
    }

    private func discover(
        _ begun: MetadataDiscovery, of provider: PosternCore.Provider
    ) async throws(SignInFailure) -> (ProviderMetadata, ProviderResponse) {
        var discovery = begun
        var request = discovery.firstRequest
        while true {
            let response = try await send(request, to: provider)
            switch discovery.answered(response, now: WallClock.now) {
            case .ask(let next): request = next
            case .found(let metadata): return (metadata, response)
            case .failed(let error): throw Self.failure(error, of: provider)
            }
        }
    }

    private static func failure(_ error: MetadataError, of provider: PosternCore.Provider) -> SignInFailure {
        switch error {
        case .transient: .unreachable(message: "\(provider.displayName): \(error)")
        default: .providerNotConfigured(message: "\(provider.displayName): \(error)")
        }
    }

    // MARK: Keys

    func keys(of provider: ResolvedProvider) async throws(SignInFailure) -> KeySetCache.Copy {
        while true {
            switch kept[provider.id, default: Kept()].keys.decide(now: WallClock.now) {
            case .useCached(let copy): return copy
            case .wait: try await waitForFetch(of: provider.id)
            case .fetch: return try await fetchKeys(of: provider)
            }
        }
    }

    /// The keys as they are now, for a token that none of the known ones fits; nil where they were asked for too often.
    func keysReadAnew(of provider: ResolvedProvider, insteadOf copy: KeySetCache.Copy) async throws(SignInFailure) -> KeySetCache.Copy? {
        while true {
            switch kept[provider.id, default: Kept()].keys.decideRefetch(of: copy, now: WallClock.now) {
            case .useCached(let newer): return newer
            case .wait: try await waitForFetch(of: provider.id)
            case .fetch: return try await fetchKeys(of: provider)
            case .refused: return nil
            }
        }
    }

    private func fetchKeys(of provider: ResolvedProvider) async throws(SignInFailure) -> KeySetCache.Copy {
        do throws(SignInFailure) {
            let copy = try await readKeys(of: provider)
            wakeWaiting(provider.id)
            return copy
        } catch {
            wakeWaiting(provider.id, error)
            throw error
        }
    }

    private func readKeys(of provider: ResolvedProvider) async throws(SignInFailure) -> KeySetCache.Copy {
        guard let jwks = provider.jwks else {
            _ = kept[provider.id, default: Kept()].keys.fetchFailed(now: WallClock.now)
            throw .providerNotConfigured(message: "\(provider.provider.displayName) names no address of its keys (jwks_uri)")
        }
        let response: ProviderResponse
        do throws(SignInFailure) { response = try await send(KeySet.request(from: jwks), to: provider.provider) } catch {
            if let old = kept[provider.id, default: Kept()].keys.fetchFailed(now: WallClock.now) { return old }
            throw error
        }
        do throws(KeySetError) {
            return try kept[provider.id, default: Kept()].keys.fetched(response, now: WallClock.now)
        } catch {
            throw error.signInFailure
        }
    }

    // MARK: Waiting for a fetch of somebody else

    /// - Throws: what the fetch failed with: a provider that is down is asked once for all who wait.
    private func waitForFetch(of id: String) async throws(SignInFailure) {
        if let failure = await withCheckedContinuation({ kept[id, default: Kept()].waiting.append($0) }) { throw failure }
    }

    private func wakeWaiting(_ id: String, _ failure: SignInFailure? = nil) {
        guard let waiting = kept[id]?.waiting, !waiting.isEmpty else { return }
        kept[id]?.waiting = []
        for waiter in waiting { waiter.resume(returning: failure) }
    }
}
