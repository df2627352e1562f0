import PosternCore

/// MCP servers: who issues their tokens is asked when a sign-in begins (RFC 9728).
extension ProviderDirectory {
    /// The provider for a sign-in that begins now: an MCP server's with the issuer, the resource and the scopes that are found.
    ///
    /// - Parameter kept: of the credential that it would replace. A server that names another issuer now may have been taken over: nothing is
    ///   begun there by itself.
    func withIssuer(_ provider: Provider, replacing kept: ProviderBinding?) async throws(ProviderFailure) -> Provider {
        guard provider.server != nil else { return provider }
        return try checked(try await withIssuer(provider), replacing: kept)
    }

    /// As ``withIssuer(_:replacing:)``, for a person who was shown the server before.
    ///
    /// - Returns: what differs from what the person agreed to, in words. Then nothing was sent, and nothing is remembered.
    func withIssuer(
        _ provider: Provider, as agreed: AgreedServer, replacing kept: ProviderBinding?
    ) async throws(ProviderFailure) -> (provider: Provider, changes: [String]) {
        let found = try await located(try await resourceServer(of: provider), of: provider)
        let elsewhere = issuerBinding(of: found).endpointsElsewhere(in: found.issuer).map(EndpointHost.init)
        let changes = agreed.changes(in: found.provider, endpointsAt: elsewhere)
        guard changes.isEmpty else { return (provider, changes) }
        return (try checked(try admitted(found, for: provider).provider, replacing: kept), [])
    }

    private func checked(_ found: Provider, replacing kept: ProviderBinding?) throws(ProviderFailure) -> Provider {
        guard let kept, kept.server == found.server?.url.text, kept.authority != found.issuer else { return found }
        throw .providerNotConfigured(
            message: "\(found.displayName) names \(found.issuer ?? "another issuer") as its issuer now, and no longer "
                + "\(kept.authority), which issued the stored token; if that is right, forget the token first: "
                + "postern revoke \(found.id)")
    }

    private func withIssuer(_ provider: Provider) async throws(ProviderFailure) -> Provider {
        // Those who ask at the same time share an answer.
        if let room = locating[provider.id] {
            try await room.wait(while: { locating[provider.id] === room })?.get()
            if let found = located[provider.id]?.provider { return found }
        }
        guard locating[provider.id] == nil else { return try await locate(provider).provider }
        locating[provider.id] = WaitingRoom()
        var ending = Result<Void, ProviderFailure>.success(())
        defer { locating.removeValue(forKey: provider.id)?.release(with: ending) }
        do throws(ProviderFailure) { return try await locate(provider).provider } catch {
            ending = .failure(error)
            throw error
        }
    }

    private func locate(_ provider: Provider) async throws(ProviderFailure) -> LocatedServer {
        try admitted(try await located(try await resourceServer(of: provider), of: provider), for: provider)
    }

    /// Remembers what was found, if its endpoints are the issuer's own.
    private func admitted(_ found: LocatedServer, for provider: Provider) throws(ProviderFailure) -> LocatedServer {
        do throws(EndpointRefusal) { try issuerBinding(of: found).check(found.issuer) } catch { throw error.providerFailure(at: provider) }
        if self[provider.id]?.server == provider.server { located[provider.id] = found }
        return found
    }

    /// What a server says now, also of one that is not configured.
    ///
    /// - Parameter challenge: the values of `WWW-Authenticate` in an answer of the server; nil if it is to be asked.
    func resourceServer(of provider: Provider, challenge: [String]? = nil) async throws(ProviderFailure) -> ResourceServer {
        guard let url = provider.server?.url else { throw .internal(message: "\(provider.displayName) is no MCP server") }
        var discovery = ResourceDiscovery(url: url, challenge: challenge)
        switch discovery.first {
        case .found(let server): return server
        case .failed(let error): throw error.providerFailure(at: provider.displayName)
        case .ask(let request):
            return try await ResourceDiscovery.Step.found(
                from: request, at: provider.displayName,
                by: { request throws(ProviderFailure) in try await self.sendForDocument(request, to: provider) },
                { discovery.answered($0, now: platform.now) }
            ).0
        }
    }

    /// What the issuer of a server says now, and what follows for a sign-in. Nothing is remembered, and its endpoints are not judged.
    func located(_ server: ResourceServer, of provider: Provider) async throws(ProviderFailure) -> LocatedServer {
        let issuer: String
        do throws(ResourceError) { issuer = try server.issuer(configured: provider.server?.issuer) } catch {
            throw error.providerFailure(at: provider.displayName)
        }
        var located = provider.located(at: issuer, for: server.resource)
        let metadata = try await readAnew(located).metadata()
        // One without a document may write its origin with a slash.
        if metadata.issuer != issuer { located = provider.located(at: metadata.issuer, for: server.resource) }
        let scopes = ResourceScopes(configured: provider.hasChosenScopes ? provider.scopes : nil, at: server, of: metadata)
        located.scopes = scopes.requested
        located.resourceScopes = server.scopesSupported ?? []
        if server.usesDPoP { located.extensions.usesDPoP = true }
        let others = await issuersElsewhere(than: located, in: metadata)
        return LocatedServer(server: server, issuer: metadata, scopes: scopes, others: others, provider: located)
    }

    /// The provider that a sign-in was begun with, before it has a client; nil if it is another one now.
    func beginning(_ session: SignInSession) -> Provider? {
        let (id, binding) = (session.request.providerID, session.binding)
        guard let configured = self[id] else { return nil }
        guard configured.server != nil else { return isCurrent(binding, for: configured) ? configured : nil }
        guard var provider = configured.located(by: binding) else { return nil }
        if let found = located[id]?.provider, found.issuer == provider.issuer, found.server == provider.server { provider = found }
        // A client that is registered now must be permitted to request them.
        provider.scopes = session.request.scopes
        return provider
    }

    /// The first configured MCP server with this URL, however it is written; nil if there is none. One that only covers it is another.
    func server(at url: EndpointURL) -> Provider? { all.first { $0.server?.isAt(url) == true } }
}
