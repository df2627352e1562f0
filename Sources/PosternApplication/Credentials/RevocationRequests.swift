import PosternCore

/// Asks providers to take grants back.
@DaemonActor
final class RevocationRequests {
    private let providers: ProviderDirectory
    private let platform: Platform
    private let log: DaemonLog

    init(providers: ProviderDirectory, platform: Platform, log: DaemonLog) {
        self.providers = providers
        self.platform = platform
        self.log = log
    }

    /// A refresh under way when its credential was taken back brought another grant.
    func discard(_ grant: Grant, providerID: String, binding: ProviderBinding) async {
        await platform.work.count(.toBeKept) { _ = await revoke(grant, providerID: providerID, binding: binding) }
    }

    /// - Returns: whether the provider has taken it back.
    func revoke(_ grant: Grant, providerID: String, binding: ProviderBinding) async -> Bool {
        do throws(SignInFailure) {
            let provider = try providers.provider(providerID, boundTo: binding)
            let resolved = try await providers.resolveForRevocation(provider)
            var outcomes: [RevocationOutcome] = []
            let requests = provider.dialect.revocationRequests(for: grant, at: resolved, cryptography: platform.cryptography)
            for request in requests {
                let answer = try await providers.send(request, authorizedBy: grant, at: resolved)
                outcomes.append(provider.dialect.revocationOutcome(of: answer, now: platform.now))
            }
            return RevocationOutcome.isRevoked(outcomes)
        } catch {
            log.warning("the provider did not take a credential back: \(error)", event: .refreshFailed, providerID: providerID)
            return false
        }
    }
}
