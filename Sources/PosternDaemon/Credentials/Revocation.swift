import PosternCore
import PosternInterface

/// Takes credentials back at their providers, and forgets them here.
@DaemonActor
final class Revocation {
    private let shelf: CredentialShelf
    private let store: StoreAccess
    private let providers: ProviderDirectory
    private let tokens: AccessTokens
    private let cryptography: any Cryptography
    private let feed: EventFeed
    private let log: DaemonLog
    private var underWay = 0
    /// Ends the person's session at the provider too, where that is wanted.
    var endSession: @DaemonActor (Grant, _ providerID: String, ProviderBinding) async -> Void = { _, _, _ in }

    init(
        shelf: CredentialShelf, store: StoreAccess, providers: ProviderDirectory, tokens: AccessTokens, cryptography: any Cryptography,
        feed: EventFeed, log: DaemonLog
    ) {
        self.shelf = shelf
        self.store = store
        self.providers = providers
        self.tokens = tokens
        self.cryptography = cryptography
        self.feed = feed
        self.log = log
    }

    var isBusy: Bool { underWay > 0 }

    /// Forgets the credential even where the provider cannot be reached, or is not configured any more: who takes a credential
    /// back does not want it kept.
    ///
    /// - Returns: whether the provider has taken it back too.
    func revoke(_ credential: StoredCredential) async throws(InterfaceError) -> Bool {
        underWay += 1
        defer { underWay -= 1 }
        let key = CredentialShelf.Key(credential)
        let deleted: StoredCredential?
        do { deleted = try await store.opened().deleteCredential(providerID: key.providerID, subject: key.subject) } catch {
            throw InterfaceError(error)
        }
        let last = tokens.takeUnsaved(key) ?? deleted ?? shelf[key] ?? credential
        shelf.removed(key)
        let isRevoked = await revokeAtProvider(last.grant, providerID: key.providerID, binding: last.binding)
        await endSession(last.grant, key.providerID, last.binding)
        let name = providers.displayName(key.providerID)
        feed.post(
            .credentialRevoked, isRevoked ? "\(name) took a credential back" : "a credential of \(name) was forgotten here",
            providerID: key.providerID)
        return isRevoked
    }

    /// These are gone from the store already, with the accounts that they belonged to.
    ///
    /// Best effort: a provider that cannot be reached now is not asked again, and a person can still take the access back there.
    func takeBack(forgotten credentials: [StoredCredential]) async {
        underWay += 1
        defer { underWay -= 1 }
        // All of them first, so that no token of theirs is handed out while a provider takes its time. One that came meanwhile stays.
        for credential in credentials where (shelf[CredentialShelf.Key(credential)]?.generation ?? .max) <= credential.generation {
            shelf.removed(CredentialShelf.Key(credential))
        }
        for credential in credentials {
            let key = CredentialShelf.Key(credential)
            // The person signed in there anew: some providers would take that back too.
            guard shelf[key] == nil else { continue }
            let last = tokens.takeUnsaved(key) ?? credential
            let isRevoked = await revokeAtProvider(last.grant, providerID: key.providerID, binding: last.binding)
            let name = providers.displayName(key.providerID)
            let words =
                isRevoked
                ? "\(name) took back a credential whose user is gone"
                : "a credential whose user is gone was forgotten here; whether \(name) still honours it is not known"
            log.notice(words, event: .signInCompleted)
            feed.post(.credentialRevoked, words, providerID: key.providerID)
        }
    }

    /// A grant came that nobody wants any more, because its sign-in was cancelled meanwhile.
    ///
    /// Not where a credential of the same account is kept: some providers take back all that a client has of an account.
    func discard(_ exchanged: ExchangedCode, of session: SignInSession) async {
        let identity = exchanged.profile.identity
        guard shelf[CredentialShelf.Key(providerID: identity.providerID, subject: identity.subject)] == nil else { return }
        await discard(exchanged.grant, providerID: identity.providerID, binding: session.binding)
    }

    /// A refresh under way when its credential was taken back brought another grant.
    func discard(_ grant: Grant, providerID: String, binding: ProviderBinding) async {
        underWay += 1
        defer { underWay -= 1 }
        _ = await revokeAtProvider(grant, providerID: providerID, binding: binding)
    }

    private func revokeAtProvider(_ grant: Grant, providerID: String, binding: ProviderBinding) async -> Bool {
        do throws(SignInFailure) {
            let provider = try providers.provider(providerID, boundTo: binding)
            let resolved = try await providers.resolveForRevocation(provider)
            var outcomes: [RevocationOutcome] = []
            let requests = provider.dialect.revocationRequests(for: grant, at: resolved, cryptography: cryptography)
            for request in requests {
                let answer = try await providers.send(request, authorizedBy: grant, at: resolved)
                outcomes.append(provider.dialect.revocationOutcome(of: answer, now: WallClock.now))
            }
            return RevocationOutcome.isRevoked(outcomes)
        } catch {
            log.warning("the provider did not take a credential back: \(error)", event: .refreshFailed, providerID: providerID)
            return false
        }
    }
}
