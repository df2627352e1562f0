import PosternCore
import PosternInterface

/// Takes credentials back at their providers, and forgets them here.
@DaemonActor
final class Revocation {
    private let shelf: CredentialShelf
    private let store: StoreAccess
    private let providers: ProviderDirectory
    private let feed: EventFeed
    private let log: DaemonLog

    init(shelf: CredentialShelf, store: StoreAccess, providers: ProviderDirectory, feed: EventFeed, log: DaemonLog) {
        self.shelf = shelf
        self.store = store
        self.providers = providers
        self.feed = feed
        self.log = log
    }

    /// Forgets the credential even where the provider cannot be reached: who takes a credential back does not want it kept.
    ///
    /// - Returns: whether the provider has taken it back too.
    func revoke(_ credential: PosternCore.StoredCredential, of provider: PosternCore.Provider) async throws(InterfaceError) -> Bool {
        let key = CredentialShelf.Key(credential)
        do { try await store.opened().deleteCredential(providerID: key.providerID, subject: key.subject) } catch {
            throw .storeDamaged(message: "the credential could not be removed: \(error)")
        }
        // As it was on disk last: a refresh may have ended meanwhile.
        let last = shelf[key] ?? credential
        shelf.removed(key)
        let isRevoked = await revokeAtProvider(last, of: provider)
        feed.post(
            .credentialRevoked,
            isRevoked ? "\(provider.displayName) took a credential back" : "a credential of \(provider.displayName) was forgotten here",
            providerID: provider.id)
        return isRevoked
    }

    private func revokeAtProvider(_ credential: PosternCore.StoredCredential, of provider: PosternCore.Provider) async -> Bool {
        do throws(SignInFailure) {
            let resolved = try await providers.resolveForRevocation(provider)
            var outcomes: [RevocationOutcome] = []
            for request in provider.dialect.revocationRequests(for: credential.grant, at: resolved) {
                let answer = try await providers.send(request, to: provider)
                outcomes.append(provider.dialect.revocationOutcome(of: answer, now: WallClock.now))
            }
            return RevocationOutcome.isRevoked(outcomes)
        } catch {
            log.warning("the provider did not take a credential back: \(error)", event: .refreshFailed, providerID: provider.id)
            return false
        }
    }
}
