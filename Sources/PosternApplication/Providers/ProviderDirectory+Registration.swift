import PosternCore

extension ProviderDirectory {
    /// The provider as something that begins now uses it: if it registers its clients (RFC 7591), one is registered first.
    ///
    /// - Parameter redirectURI: the common one.
    /// - Returns: besides, the redirect URI that goes with the client.
    func withClient(
        _ provider: Provider, redirectURI: String
    ) async throws(ProviderFailure) -> (provider: Provider, redirectURI: String) {
        guard provider.extensions.registersClient else { return (provider, redirectURI) }
        let registers = try await registersClients(provider)
        switch try await clientDocument(for: provider, redirectURI: redirectURI) {
        case .usable(let url): return (provider.using(clientDocument: url), redirectURI)
        case .flawed(let url, let flaw):
            let problem = "\(provider.displayName) takes the client document, but \(url) \(flaw)"
            guard registers else { throw .providerNotConfigured(message: problem) }
            events.report(.configuration, "\(problem); a client is registered instead", level: .warning, providerID: provider.id)
        case .none:
            guard registers || provider.server == nil else {
                throw .providerNotConfigured(message: Self.unregistrable(provider, redirectURI: redirectURI))
            }
        }
        let own = provider.server == nil ? redirectURI : ownRedirectURI(below: redirectURI, of: provider)
        let registered = try await registrar.provider(provider, redirectURI: own) { () async throws(ProviderFailure) in
            try await self.register(provider, redirectURI: own)
        }
        return (registered, own)
    }

    /// The issuer's own redirect URI (RFC 9700 section 4.4.2.2). Servers name their issuers, and one could pass the user on to another's
    /// page; where that one sends no `iss`, only the place at which its answer arrives tells the two apart.
    private func ownRedirectURI(below common: String, of provider: Provider) -> String {
        let digest = cryptography.sha256(Array(provider.registrar.utf8))
        return "\(common)/\(Base64URL.encode(Array(digest.prefix(Self.issuerPathBytes))))"
    }

    /// Of the digest in an issuer's callback path: no issuer can be found that has another's.
    private static let issuerPathBytes = 16

    /// Whether the provider registers clients, as far as it says.
    func registersClients(_ provider: Provider) async throws(ProviderFailure) -> Bool {
        if provider.endpoints.registration != nil { return true }
        return try await metadata(of: provider)?.registration != nil
    }

    static func unregistrable(_ provider: Provider, redirectURI: String) -> String {
        "\(provider.issuer ?? provider.displayName) lets no program register itself; register a client there by hand, with the callback URL "
            + "\(redirectURI), and set client-id and issuer in [mcp.\(provider.id)]"
    }

    /// The configured provider as something that was begun with this binding uses it; nil if it is another one now.
    func client(of configured: ConfiguredProvider, boundTo binding: ProviderBinding) -> ConfiguredProvider? {
        let isServer = configured.provider.server != nil
        guard isServer || configured.provider.extensions.registersClient else { return configured.binding == binding ? configured : nil }
        guard let provider = isServer ? configured.provider.located(by: binding) : configured.provider else { return nil }
        guard provider.extensions.registersClient else { return provider.binding == binding ? ConfiguredProvider(provider) : nil }
        if let client = registrar.provider(provider, boundTo: binding) { return ConfiguredProvider(client) }
        // Whoever has it, and whatever the configuration names now: it is a client of nobody's making.
        let client = provider.using(clientDocument: binding.clientID)
        return (try? ClientDocument.url(binding.clientID)) != nil && client.binding == binding ? ConfiguredProvider(client) : nil
    }

    /// Whether a sign-in with this binding is one with the provider as it is configured now; also true while its client is still being
    /// registered.
    func isCurrent(_ binding: ProviderBinding, for provider: Provider) -> Bool {
        binding == provider.binding
            || (provider.extensions.registersClient && (provider.server == nil || binding.isOfTheSameProvider(as: provider.binding))
                && client(of: ConfiguredProvider(provider), boundTo: binding) != nil)
    }

    /// Something failed at a provider. One that no longer knows its own client has lost it or revoked it.
    func failed(_ failure: ProviderFailure, with binding: ProviderBinding, at providerID: String) async {
        refused(failure, at: providerID)
        if failure.reason == .scopeRejected, self[providerID]?.server != nil {
            registrar.mayNotRequestAll(binding.clientID, of: providerID)
        }
        guard failure.reason == .exchangeFailed, failure.error == "invalid_client", self[providerID]?.hasFoundClients == true
        else { return }
        await registrar.forget(binding.clientID, of: providerID, by: self[providerID]?.server == nil ? nil : binding.authority)
    }

    private func register(_ provider: Provider, redirectURI: String) async throws(ProviderFailure) -> RegisteredClient {
        var metadata = try await metadata(of: provider)
        if provider.needsDiscovery {
            // If the registration endpoint is found in the metadata, the client may also be registered for the device flow that they name.
            let missing = provider.endpoints.registration == nil && metadata?.registration == nil
            if missing { metadata = try await memory(of: provider).metadata(supplying: [\.registration, \.deviceAuthorization]) }
        }
        let hasDeviceFlow = ClientRegistrationRequest.namesDeviceFlow(for: provider, metadata: metadata)
        let wanted = ClientScopes.wanted(for: provider, metadata: metadata)
        let requested = ClientScopes.requested(for: provider, metadata: metadata)
        // Some have their own name for the grant of the device flow (glewlwyd), and refuse a registration with the standard's; others list
        // scopes that no client may have.
        for namesDeviceFlow in hasDeviceFlow ? [true, false] : [false] {
            for scopes in wanted == requested ? [requested] : [wanted, requested] {
                let isLast = !namesDeviceFlow && scopes == requested
                let answer = try await registration(
                    of: provider, metadata, redirectURI: redirectURI, scopes: scopes, namesDeviceFlow: namesDeviceFlow)
                do throws(ClientRegistrationError) { return try answer.get() } catch {
                    if !isLast, case .refused(let refusal) = error, refusal.error == "invalid_client_metadata" { continue }
                    throw error.providerFailure(at: provider.displayName)
                }
            }
        }
        throw .internal(message: "no registration was tried")
    }

    private func registration(
        of provider: Provider, _ metadata: ProviderMetadata?, redirectURI: String, scopes: [String], namesDeviceFlow: Bool
    ) async throws(ProviderFailure) -> Result<RegisteredClient, ClientRegistrationError> {
        let request: ProviderRequest
        let asked: ClientAuthentication
        do throws(ProviderProblem) {
            request = try ClientRegistrationRequest.request(
                for: provider, metadata: metadata, redirectURI: redirectURI, signedOutURI: registrar.signedOutURI,
                scopes: scopes, namesDeviceFlow: namesDeviceFlow)
            asked = try ClientRegistrationRequest.authentication(of: provider, metadata: metadata)
        } catch {
            throw .providerNotConfigured(message: "\(provider.displayName) cannot be used: \(error)")
        }
        let response = try await send(request, to: provider)
        do throws(ClientRegistrationError) {
            return .success(
                try RegisteredClient(
                    from: response, of: provider, scopes: scopes, redirectURI: redirectURI, asked: asked, now: platform.now))
        } catch {
            return .failure(error)
        }
    }
}
