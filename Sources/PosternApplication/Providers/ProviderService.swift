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
        if let seconds = checks.wait(providerID: provider.id, now: platform.now) {
            throw .tooManyAttempts(
                message: "\(provider.id) was checked too often; try again in \(seconds) s", retryAfterSeconds: Int(seconds))
        }
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
        throw .invalidParameter("url")
    }

    /// Examines a provider that is not configured yet, or is to have another issuer.
    private func examine(issuer: String, as providerID: String) async throws(InterfaceError) -> Interface.CheckProvider.Reply {
        guard 1...2048 ~= issuer.utf8.count else { throw .invalidParameter("issuer") }
        // They share one rate limit, because the caller chooses the names.
        if let seconds = checks.wait(providerID: "", now: platform.now) {
            throw .tooManyAttempts(message: "issuers were checked too often; try again in \(seconds) s", retryAfterSeconds: Int(seconds))
        }
        let caFile = providers.directory[providerID]?.caFile
        let examination = await platform.work.count {
            await ProviderExamination.of(issuer: issuer, caFile: caFile, by: providers.exchange)
        }
        return Interface.CheckProvider.Reply(findings: examination.findings.map(Interface.ProviderFinding.init), authorizationURL: nil)
    }
}
