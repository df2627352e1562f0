import PosternConfiguration
import PosternCore
import PosternInterface

/// Knows the state of each credential, and reports when it changes.
///
/// What is reported is decided by the ``AttentionLedger``, which is kept in the store: a daemon that restarts often reports nothing twice.
@DaemonActor
final class CredentialStates: Grounded, CredentialCacheObserver {
    /// Timers do not run while the machine sleeps, so the state is also checked at this interval. In milliseconds.
    private static let longestWait: Int64 = 6 * 3_600_000

    private let cache: CredentialCache
    let ground: Ground
    private let providers: ProviderDirectory

    private var ledger = AttentionLedger()
    /// As it is on disk.
    private var kept = AttentionLedger()
    private(set) var isOpen = false
    private var isWriting = false
    private var timer: (any PendingTimer)?
    /// Notifies the user; set once all parts exist.
    var attention: Attention?
    /// Renews credentials that no program asks for; set in the same way.
    var fresh: FreshAccounts?

    init(_ ground: Ground, cache: CredentialCache, providers: ProviderDirectory) {
        self.cache = cache
        self.ground = ground
        self.providers = providers
        cache.observer = self
    }

    private var configured: Configuration.Attention { settings.configuration.attention }

    // MARK: What happens

    func storeOpened(with ledger: AttentionLedger) {
        self.ledger = ledger
        kept = ledger
        isOpen = true
        look()
    }

    /// No credential's state is known until the store is open again.
    func storeClosed() {
        isOpen = false
        timer?.cancel()
        attention?.withdrawAll()
        fresh?.storeClosed()
        ledger = AttentionLedger()
        kept = ledger
    }

    func signedIn(_ key: CredentialCache.Key) {
        ledger.signedIn(key)
        attention?.signedIn(key)
    }

    func credentialsChanged() { look() }

    /// The provider no longer renews this credential.
    ///
    /// - Parameter isOfAccessToken: nor does it accept its access token.
    func refused(_ credential: StoredCredential, reason: String, isOfAccessToken: Bool = false) {
        ledger.refused(
            CredentialKey(credential),
            CredentialTrouble.Refusal(generation: credential.generation, reason: reason, isOfAccessToken: isOfAccessToken))
        look()
    }

    /// To be called before the renewed credential is in the cache.
    func renewed(from old: StoredCredential, to new: StoredCredential, dialect: any ProviderDialect) {
        ledger.renewed(CredentialKey(new), from: old.grant, to: new.grant, dialect: dialect)
    }

    // MARK: Standings

    func status(of credential: StoredCredential) -> CredentialStatus { status(of: credential, as: named(credential)) }

    /// - Parameter named: the account's section in the configuration, given if many are checked at once.
    func status(of credential: StoredCredential, as named: NamedAccount?) -> CredentialStatus {
        let account = CredentialKey(credential)
        return CredentialStatus(
            of: credential, trouble: ledger.trouble(of: account), wanted: named?.scopes ?? [],
            provider: dialect(of: credential), now: platform.now, warnBefore: configured.warnBefore.components.seconds)
    }

    /// Whether it gives no more tokens until the user signs in, even with the configured scopes set aside.
    func isSignInNeeded(for credential: StoredCredential) -> Bool {
        if case .signInNeeded(let reason) = status(of: credential, as: nil) { !reason.isAboutScopes } else { false }
    }

    /// The credential without its secrets.
    ///
    /// - Parameter account: the named account that claims it.
    func described(_ credential: StoredCredential, as account: NamedAccount?) -> Interface.StoredCredential {
        Interface.StoredCredential(
            credential, account: account?.name, status: status(of: credential, as: account),
            renewsItself: providers[credential.providerID]?.dialect.accessTokenRenewsItself ?? false,
            advice: renewalAdvice(for: credential, as: account), now: platform.now)
    }

    /// What would bring the person a refresh token; nil if there is one, or none is needed.
    private func renewalAdvice(for credential: StoredCredential, as account: NamedAccount?) -> String? {
        // There may be thousands, and nearly all have one.
        guard credential.grant.refreshToken == nil, credential.keepers.isPerson, let provider = providers[credential.providerID] else {
            return nil
        }
        return RenewalAdvice.text(
            for: credential.grant, at: provider, metadata: providers.memories[provider.id]?.knownMetadata, as: account,
            signIn: signInWords(for: credential, as: account))
    }

    /// The arguments of `postern sign-in` that mean this account and, as far as words can say it, no other.
    func signInWords(for credential: StoredCredential, as named: NamedAccount?) -> String {
        if let named { return named.name }
        let providerID = credential.providerID
        let only = cache.onlyCredential(providerID: providerID)?.credential
        guard only.map(CredentialKey.init) != CredentialKey(credential) else { return providerID }
        let word = [credential.email, credential.username, credential.subject].compactMap(\.self).first(where: Self.isPlain)
        return word.map { "\(providerID) --login-hint \($0)" } ?? providerID
    }

    /// A provider's words are pasted into a shell: none with a meaning there.
    static func isPlain(_ word: String) -> Bool {
        !word.isEmpty && word.utf8.first != UInt8(ascii: "-") && word.utf8.allSatisfy { plainBytes.contains($0) }
    }

    private static let plainBytes = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@._+-".utf8)

    /// The account's section in the configuration.
    func named(_ credential: StoredCredential) -> NamedAccount? {
        let directory = settings.configuration.namedAccounts
        guard directory.accounts.contains(where: { $0.providerID == credential.providerID }) else { return nil }
        return directory.owner(of: credential, among: cache.choosable(providerID: credential.providerID))
    }

    /// The sections of all stored accounts that have one. A provider may have thousands of credentials, and all are checked after each
    /// change.
    func namedAccounts() -> [CredentialCache.Key: NamedAccount] {
        let directory = settings.configuration.namedAccounts
        var named: [CredentialCache.Key: NamedAccount] = [:]
        for providerID in Set(directory.accounts.map(\.providerID)) {
            named.merge(directory.owners(of: cache.choosable(providerID: providerID), at: providerID)) { $1 }
        }
        // An MCP server's account has the server's name.
        for server in providers.all where server.server?.keepsFresh == true {
            var account = NamedAccount(name: server.id, providerID: server.id)
            account.keepsFresh = true
            for credential in cache.choosable(providerID: server.id) { named[CredentialCache.Key(credential)] = account }
        }
        return named
    }

    /// Nil if the provider is another one now. One that is not configured, or lacks something just now, says nothing about the credential.
    private func dialect(of credential: StoredCredential) -> (any ProviderDialect)? {
        guard let configured = providers.configured[credential.providerID] else { return StandardDialect() }
        guard configured.provider.problem == nil else { return configured.provider.dialect }
        return providers.client(of: configured, boundTo: credential.binding)?.provider.dialect
    }

    // MARK: Telling

    /// Reports what has changed since the last report.
    func look() {
        // Those that are not in the cache yet are not gone.
        guard isOpen, cache.isComplete else { return }
        let now = platform.now
        let pace = AttentionLedger.Pace(notifies: configured.notifies, remindEvery: configured.remindEvery.components.seconds)
        let named = namedAccounts()
        let warnBefore = configured.warnBefore.components.seconds
        // Of thousands nearly all are valid, and there is nothing to report about them.
        var notable: [(account: CredentialKey, status: CredentialStatus)] = []
        var next: Timestamp?
        cache.forEach { credential in
            let key = CredentialCache.Key(credential)
            let status = status(of: credential, as: named[key])
            if status.state != .good || ledger.entries[key] != nil { notable.append((key, status)) }
            let span = CredentialSpan(of: credential.grant)
            for case let moment? in [span.warning(warnBefore: warnBefore), span.end] where moment > now {
                next = min(next ?? moment, moment)
            }
        }
        let statuses = notable.sorted { $0.account < $1.account }
        if !pace.notifies { attention?.withdrawAll() }
        for action in ledger.looked(at: statuses, pace: pace, now: now) { perform(action, named) }
        wait(for: next, pace: pace, now: now)
        save()
        fresh?.look()
    }

    private func perform(_ action: AttentionLedger.Action, _ accounts: [CredentialCache.Key: NamedAccount]) {
        switch action {
        case .changed(let account, let status):
            guard let credential = cache[account] else { break }
            let named = accounts[account]
            tell(status, of: credential, as: named)
            attention?.run(for: status, of: credential, as: named)
        case .notify(let account, let status):
            guard let credential = cache[account] else { break }
            attention?.show(
                status, of: credential, as: accounts[account], signInWords: signInWords(for: credential, as: accounts[account]))
        case .withdraw(let account): attention?.withdraw(account)
        }
    }

    private func tell(_ status: CredentialStatus, of credential: StoredCredential, as named: NamedAccount?) {
        let what = "the credential of \(credential.calling) at \(providers.displayName(credential.providerID))"
        let signIn = "`postern sign-in \(signInWords(for: credential, as: named))`"
        let words =
            switch status {
            case .good: "\(what) is good again"
            case .endsSoon(let end, _) where credential.grant.refreshToken == nil:
                "\(what) lasts until \(end); then sign in again with \(signIn)"
            case .endsSoon(let end, _): "\(what) expires at \(end) unless it is renewed before; \(signIn) replaces it"
            case .signInNeeded(let reason): "\(what) can no longer be used: \(reason); run \(signIn)"
            }
        events.report(.credentialStateChanged, words, providerID: credential.providerID, uid: credential.subject)
    }

    /// Checks again when time alone changes a state.
    ///
    /// - Parameter moment: when time changes the state of a credential.
    private func wait(for moment: Timestamp?, pace: AttentionLedger.Pace, now: Timestamp) {
        timer?.cancel()
        let notice = ledger.nextNotice(pace: pace).flatMap { $0 > now ? $0 : nil }
        guard let next = [moment, notice].compactMap({ $0 }).min() else { return }
        timer = platform.timers.after(milliseconds: min(max(1, next.milliseconds - now.milliseconds), Self.longestWait)) { [weak self] in
            self?.look()
        }
    }

    // MARK: On disk

    private func save() {
        guard ledger != kept, !isWriting else { return }
        isWriting = true
        platform.work.start(.toBeKept) {
            await self.write()
            self.isWriting = false
        }
    }

    private func write() async {
        while isOpen, ledger != kept {
            let current = ledger
            // If it cannot be written, the next change tries again: at worst something is reported twice.
            kept = current
            do { try await store.opened().keep(attention: current) } catch {
                events.report(.storeProblem, "the record of reported credentials could not be saved: \(error)", level: .warning)
            }
        }
    }
}
