import PosternCore

/// Asks providers to revoke grants.
@DaemonActor
final class RevocationRequests: Grounded {
    private let cache: CredentialCache
    let ground: Ground
    private let providers: ProviderDirectory

    init(_ ground: Ground, cache: CredentialCache, providers: ProviderDirectory) {
        self.cache = cache
        self.ground = ground
        self.providers = providers
    }

    /// Handles a grant that is not kept. It is revoked, unless that could end a credential that is kept: ``UnwantedGrant``.
    ///
    /// - Parameter subject: the account that it belongs to; nil if that is not known for certain.
    func discard(_ grant: Grant, of subject: String?, providerID: String, binding: ProviderBinding) {
        // Nor can this be decided before all of them are known.
        let kept = store.isClosed || !cache.isComplete ? nil : cache.credentials(providerID: providerID).map(\.subject)
        if let reason = UnwantedGrant.reasonToLeaveIt(of: subject, kept: kept) {
            let name = providers.displayName(providerID)
            events.report(
                .providerProblem, "tokens of \(name) that were not stored are not revoked and will expire: \(reason)", level: .notice,
                providerID: providerID)
            return
        }
        platform.work.start(.toBeKept) { _ = await self.revoke(grant, providerID: providerID, binding: binding) }
    }

    /// Tries every request: if one gets no answer, the next may.
    ///
    /// A provider's refusals are logged.
    func revoke(_ grant: Grant, providerID: String, binding: ProviderBinding) async -> RevocationResult {
        do throws(ProviderFailure) {
            let provider = try providers.provider(providerID, boundTo: binding)
            let resolved = try await providers.resolveForRevocation(provider)
            var outcomes: [RevocationOutcome] = []
            let requests = provider.dialect.revocationRequests(for: grant, at: resolved, cryptography: platform.cryptography)
            for request in requests {
                do throws(ProviderFailure) {
                    let answer = try await providers.send(request, authorizedBy: grant, at: resolved)
                    outcomes.append(provider.dialect.revocationOutcome(of: answer, now: platform.now))
                } catch {
                    warn("\(error)", providerID)
                    outcomes.append(.unanswered)
                }
                if let problem = outcomes.last?.problem, outcomes.last != .unanswered { warn(problem, providerID) }
            }
            return RevocationResult(outcomes)
        } catch {
            warn("\(error)", providerID)
            return .failed(reason: "\(error)")
        }
    }

    private func warn(_ problem: String, _ providerID: String) {
        events.report(
            .revocationFailed, "\(providers.displayName(providerID)) did not revoke a credential: \(problem)", providerID: providerID)
    }
}
