import PosternConfiguration
import PosternCore
import PosternInterface

/// The methods about providers.
@DaemonActor
final class ProviderService: Grounded, ProviderMethods {
    private let providers: ProviderRoom
    private let addresses: any AddressSeeking
    let ground: Ground
    /// A check sends the provider the client's secret, and an invalid code with it.
    private var checks = ProviderPace(capacity: 10, secondsPerRequest: 6)

    init(_ ground: Ground, providers: ProviderRoom, addresses: any AddressSeeking) {
        self.providers = providers
        self.addresses = addresses
        self.ground = ground
    }

    func listProviders(_ call: Interface.ListProviders) async throws(InterfaceError) -> Interface.ListProviders.Reply {
        await addresses.seekMissing()
        let described = providers.directory.all.map { provider in
            var provider = provider
            // Reported only if the user would be affected: one who signs in with a code needs no address.
            let flow = provider.flow ?? settings.configuration.signIn.flow
            if flow == .browser { provider.problem = provider.problem ?? providers.origins.problem(of: provider) }
            return Interface.Provider(
                provider, flows: providers.directory.flows(of: provider),
                redirectURI: providers.origins.registrableRedirectURI(of: provider),
                lastRefusal: providers.directory.refusals[provider.id])
        }
        return Interface.ListProviders.Reply(providers: described)
    }

    func checkProvider(_ call: Interface.CheckProvider) async throws(InterfaceError) -> Interface.CheckProvider.Reply {
        if let issuer = call.issuer { return try await examine(issuer: issuer, as: call.providerID) }
        let provider = try providers.directory.named(call.providerID)
        if let server = provider.server {
            let found = try await resolveResource(Interface.ResolveResource(url: server.url.text, name: provider.id))
            return Interface.CheckProvider.Reply(findings: found.findings, authorizationURL: nil)
        }
        try pace(provider.id, "\(provider.id) was")
        let examination = await platform.work.count {
            await addresses.seekMissing()
            return await ProviderExamination.of(
                provider, redirectURI: providers.origins.redirectURI(of: provider),
                callbackProblem: providers.origins.problem(of: provider),
                by: providers.exchange)
        }
        if examination.acceptsClient { providers.directory.succeeded(at: provider.id) }
        return Interface.CheckProvider.Reply(
            findings: examination.findings.map(Interface.ProviderFinding.init), authorizationURL: examination.page)
    }

    func resolveResource(_ call: Interface.ResolveResource) async throws(InterfaceError) -> Interface.ResolveResource.Reply {
        guard let url = try? EndpointURL(call.url), (try? URLPrefix.AskedURL(call.url)) != nil else { throw .invalidParameter("url") }
        guard call.challenge.map(AuthenticationChallenge.isBounded) ?? true else { throw .invalidParameter("challenge") }
        let configured: Provider?
        if let name = call.name {
            let named = try providers.directory.named(name)
            guard named.server?.isAt(url) == true else { throw .invalidParameter("name") }
            configured = named
        } else {
            configured = providers.directory.server(at: url)
        }
        try pace(configured?.id ?? "", "servers were")
        var provider = Provider(id: "", of: MCPServer(url: url))
        provider.caFile = configured?.caFile
        // What a section says of its server is not true of every server with its URL: another section may be meant, or none yet.
        if call.name != nil, let configured { provider = configured }
        let (directory, redirectURI) = (providers.directory, providers.origins.redirectURI(of: provider))
        var kept: StoredCredential?
        if let configured { kept = await providers.loader.credential(ofServer: configured.id) }
        let credential = kept
        let examination = await platform.work.count {
            await addresses.seekMissing()
            return await ServerExamination.of(
                provider, challenge: call.challenge, redirectURI: redirectURI, kept: credential, by: directory)
        }
        let found = examination.found
        return Interface.ResolveResource.Reply(
            resource: found?.provider.extensions.resources.first, name: configured?.id, issuer: found?.provider.issuer,
            endpointHosts: examination.hostsToAgreeTo.isEmpty ? nil : examination.hostsToAgreeTo.map(\.description),
            scopes: found?.scopes.requested ?? [], registration: .init(examination.client), signedIn: kept != nil,
            findings: examination.findings.map(Interface.ProviderFinding.init))
    }

    private func pace(_ providerID: String, _ what: String) throws(InterfaceError) {
        guard let seconds = checks.wait(providerID: providerID, now: platform.now) else { return }
        throw .tooManyAttempts(message: "\(what) checked too often; try again in \(seconds) s", retryAfterSeconds: Int(seconds))
    }

    /// Examines a provider that is not configured yet, or is to have another issuer.
    private func examine(issuer: String, as providerID: String) async throws(InterfaceError) -> Interface.CheckProvider.Reply {
        guard 1...2048 ~= issuer.utf8.count else { throw .invalidParameter("issuer") }
        // They share one rate limit, because the caller chooses the names.
        try pace("", "issuers were")
        let caFile = providers.directory[providerID]?.caFile
        let examination = await platform.work.count {
            await ProviderExamination.of(issuer: issuer, caFile: caFile, by: providers.exchange)
        }
        return Interface.CheckProvider.Reply(findings: examination.findings.map(Interface.ProviderFinding.init), authorizationURL: nil)
    }
}

extension Interface.ResolveResource.Reply.Registration {
    init(_ client: ServerExamination.Client) {
        self =
            switch client {
            case .configured: .configured
            case .document: .document
            case .dynamic: .dynamic
            case .none: .none
            }
    }
}
