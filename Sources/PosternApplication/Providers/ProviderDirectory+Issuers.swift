import PosternCore

/// Which endpoints are an issuer's own: asked wherever metadata are taken from memory, so that nothing is sent anywhere else.
extension ProviderDirectory {
    func issuerBinding(of provider: Provider) -> IssuerBinding {
        // Nobody else's endpoints matter where a person has named the issuer.
        guard provider.server != nil else { return IssuerBinding(of: provider, beside: []) }
        return IssuerBinding(of: provider, beside: all.map { KnownIssuer($0, metadata: knownMetadata(of: $0)) } + KnownIssuer.builtIn)
    }

    /// Of one that was just found.
    func issuerBinding(of found: LocatedServer) -> IssuerBinding { issuerBinding(of: found.provider).beside(found.others) }

    /// The issuers that the hosts of foreign endpoints name themselves. A host that does not answer says nothing.
    func issuersElsewhere(than provider: Provider, in metadata: ProviderMetadata) async -> [KnownIssuer] {
        guard let server = provider.server else { return [] }
        var others: [KnownIssuer] = []
        for endpoint in issuerBinding(of: provider).endpointsElsewhere(in: metadata) {
            guard var discovery = HostDiscovery(endpoint, of: metadata.issuer, at: server.url) else { continue }
            let found = try? await HostDiscovery.Step.found(
                from: discovery.firstRequest, at: provider.displayName,
                by: { request throws(ProviderFailure) in try await self.sendForDocument(request, to: provider) },
                { discovery.answered($0, now: platform.now) })
            if let other = found?.0 { others.append(other) }
        }
        return others
    }

    private func knownMetadata(of provider: Provider) -> ProviderMetadata? {
        guard provider.server == nil, let memory = memories[provider.id], memory.subject == ProviderMemory.Subject(provider) else {
            return nil
        }
        return memory.knownMetadata
    }

    /// - Throws: if metadata name an endpoint that is not the issuer's own.
    func requireOwnEndpoints(in metadata: ProviderMetadata, of provider: Provider) throws(ProviderFailure) {
        do throws(EndpointRefusal) { try issuerBinding(of: provider).check(metadata) } catch { throw error.providerFailure(at: provider) }
    }

    /// As ``resolve(_:)``, for a refresh token, which is sent only where it was issued.
    func resolve(_ provider: Provider, toRenew grant: Grant) async throws(ProviderFailure) -> ResolvedProvider {
        let resolved = try await resolve(provider)
        guard grant.refreshToken != nil else { return resolved }
        do throws(EndpointRefusal) { try issuerBinding(of: provider).check(renewalOf: grant, at: resolved.token) } catch {
            throw error.providerFailure(at: provider)
        }
        return resolved
    }
}

extension EndpointRefusal {
    func providerFailure(at provider: Provider) -> ProviderFailure {
        .providerNotConfigured(message: "\(provider.displayName): \(self)")
    }
}
