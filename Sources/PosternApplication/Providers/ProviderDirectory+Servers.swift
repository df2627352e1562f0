import PosternCore

/// MCP servers: who issues their tokens is asked when a sign-in begins (RFC 9728).
extension ProviderDirectory {
    /// The provider for a sign-in that begins now. One that the configuration names as a provider needs nothing.
    ///
    /// - Parameter kept: of the credential that it would replace. A server that names another issuer now may have been taken over: nothing is
    ///   begun there by itself.
    func ready(_ provider: Provider, replacing kept: ProviderBinding?) async throws(ProviderFailure) -> Provider {
        guard let server = provider.server else { return provider }
        let found = try await ready(provider)
        guard let kept, kept.server == server.url.text, kept.authority != found.issuer else { return found }
        throw .providerNotConfigured(
            message: "\(provider.displayName) names \(found.issuer ?? "another issuer") as its issuer now, and no longer "
                + "\(kept.authority), which issued the stored token; if that is right, forget the token first: "
                + "postern revoke \(provider.id)")
    }

    private func ready(_ provider: Provider) async throws(ProviderFailure) -> Provider {
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

    /// What the server and its issuer say now.
    private func locate(_ provider: Provider) async throws(ProviderFailure) -> LocatedServer {
        let found = try await lookUp(provider)
        if self[provider.id]?.server == provider.server { located[provider.id] = found }
        return found
    }

    /// The same, and nothing is remembered: also for a server that is not configured.
    ///
    /// - Parameter challenge: the values of `WWW-Authenticate` in an answer of the server; nil if it is to be asked.
    func lookUp(
        _ provider: Provider, challenge: [String]? = nil, noting note: (ResourceServer) -> Void = { _ in }
    ) async throws(ProviderFailure) -> LocatedServer {
        guard let mcp = provider.server else { throw .internal(message: "\(provider.displayName) is no MCP server") }
        let server = try await self.server(at: mcp.url, of: provider, challenge: challenge)
        note(server)
        let issuer: String
        do throws(ResourceError) { issuer = try server.issuer(configured: mcp.issuer) } catch {
            throw error.providerFailure(at: provider.displayName)
        }
        var located = provider.located(at: issuer, for: server.resource)
        let metadata = try await readMetadata(of: located)
        // One without a document may write its origin with a slash.
        if metadata.issuer != issuer { located = provider.located(at: metadata.issuer, for: server.resource) }
        let scopes = ResourceScopes(configured: provider.hasChosenScopes ? provider.scopes : nil, at: server, of: metadata)
        located.scopes = scopes.requested
        located.resourceScopes = server.scopesSupported ?? []
        if server.usesDPoP { located.extensions.usesDPoP = true }
        return LocatedServer(server: server, issuer: metadata, scopes: scopes, provider: located)
    }

    private func readMetadata(of located: Provider) async throws(ProviderFailure) -> ProviderMetadata {
        try await readAnew(located).metadata()
    }

    private func server(
        at url: EndpointURL, of provider: Provider, challenge: [String]?
    ) async throws(ProviderFailure) -> ResourceServer {
        var discovery = ResourceDiscovery(url: url, challenge: challenge)
        var step = discovery.first
        while true {
            switch step {
            case .ask(let request):
                // Nothing of what is sent for a document is valid only once.
                let response: ProviderResponse
                do throws(ProviderFailure) { response = try await send(request, to: provider) } catch { throw error.after(.notSent) }
                step = discovery.answered(response, now: platform.now)
            case .found(let server): return server
            case .failed(let error): throw error.providerFailure(at: provider.displayName)
            }
        }
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

    /// The configured MCP server that a URL is of, the closest; nil if it is of none.
    ///
    /// - Parameter name: the one that is meant; nil: any.
    func server(for url: URLPrefix.AskedURL, named name: String?) -> Provider? {
        all.lazy.filter { $0.server != nil && (name ?? $0.id) == $0.id }
            .compactMap { provider in provider.serves.lazy.compactMap { $0.closeness(to: url) }.max().map { (provider, $0) } }
            .max { $0.1 < $1.1 }?.0
    }
}
