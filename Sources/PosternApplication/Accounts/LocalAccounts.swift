import PosternConfiguration
import PosternCore

/// The accounts of this machine, which need no network: the rules of ``AccountRules``, with each change one transaction of the store.
@DaemonActor
final class LocalAccounts: Grounded, AccountAuthority {
    let ground: Ground
    let providers: ProviderDirectory
    let phone: PhoneSender
    let userTokens: UserTokens
    /// For credentials whose user is gone.
    let revocation: Revocation
    let hashing: PasswordHashing
    let beginsInStore = true

    init(
        _ ground: Ground, providers: ProviderDirectory, phone: PhoneSender, userTokens: UserTokens, revocation: Revocation,
        hashing: PasswordHashing
    ) {
        self.ground = ground
        self.providers = providers
        self.phone = phone
        self.userTokens = userTokens
        self.revocation = revocation
        self.hashing = hashing
    }

    /// The configuration is read when it is needed.
    func configurationChanged() {}

    var awaitsCode: Bool { false }

    /// `[accounts]`, as it is in force.
    var accountSettings: Configuration.Accounts { settings.configuration.accounts }

    /// The issuer that authenticator apps show.
    var issuer: String { settings.configuration.secondFactors.issuer }

    // MARK: Credentials of providers

    func settle(_ source: CredentialSource, intent: Intent, app: AppName) async throws(AccountFailure) -> Settlement? {
        var asked = try AccountRequest(intent: intent, app: app, settings: accountSettings, platform: platform)
        switch source {
        case .session(let session, let standing, let expiresAt, let isAbandoned):
            asked.moment = isAbandoned ? .abandoned(session.request.owner) : .earlier(session.request.owner)
            let spending = platform.spending(of: standing.completed)
            let (outcome, credential) = try await store.forAccounts.finish(
                sessionID: session.id, expiresAt: expiresAt
            ) { [asked] accounts throws(AccountFailure) in
                var (outcome, changes) = try asked.outcome(of: standing, accounts)
                changes.spends = spending
                return (outcome, changes)
            }
            releaseReplaced(by: outcome)
            return Settlement(outcome: outcome, binding: standing.binding, credential: credential)
        case .handle(let handle):
            guard let standing = try await providers.standing(handle: handle, for: app) else { return nil }
            let (now, cryptography) = (asked.now, platform.cryptography)
            let settled: Settlement?? = try await store.forAccounts.change(handle: handle, now: asked.now) {
                [asked] record, accounts throws(AccountFailure) in
                guard try !record.isSpent(accounts, now: now, cryptography: cryptography) else { return (nil, AccountChanges()) }
                var (outcome, changes) = try asked.outcome(of: standing, accounts)
                try outcome.requireCredentialUsed(app: app)
                changes.spends = AccountChanges.Spending(of: standing.completed, now: now, cryptography: cryptography)
                return (Settlement(outcome: outcome, binding: standing.binding), changes)
            }
            guard case .some(.some(let settlement)) = settled else { return nil }
            releaseReplaced(by: settlement.outcome)
            return settlement
        case .presented(let standing, let token, let owner):
            if intent != .signIn { asked.moment = .earlier(owner) }
            let settlement: Settlement? = try await store.forAccounts.change { [asked] accounts throws(AccountFailure) in
                if let token, try accounts.isSpent(token.hash, now: asked.now) { return (nil, AccountChanges()) }
                var (outcome, changes) = try asked.outcome(of: standing, accounts)
                try outcome.requireCredentialUsed(app: app)
                changes.spends = token.map { AccountChanges.Spending($0, now: asked.now) }
                return (Settlement(outcome: outcome, binding: standing.binding), changes)
            }
            if let settlement { releaseReplaced(by: settlement.outcome) }
            return settlement
        }
    }

    /// What belonged to the previous user of the address is no longer of use to any app.
    private func releaseReplaced(by outcome: SignInOutcome) {
        if case .completed(let completed) = outcome { releaseReplaced(by: completed) }
    }

    func releaseReplaced(by completed: CompletedSignIn) {
        revocation.release(completed.released)
    }

    func currentUser(app: AppName) async throws(AccountFailure) -> User? {
        try await store.ask { store throws(StoreError) in try await store.current(app: app)?.user }
    }

    func pageOwner(app: AppName) async throws(AccountFailure) -> PageOwner? {
        try await store.ask { store throws(StoreError) in try await store.current(app: app).map(PageOwner.init) }
    }

    func signOut(app: AppName) async throws(AccountFailure) {
        let uid = try await store.ask { store throws(StoreError) in try await store.signOut(app: app) }
        events.report(.signedOut, "the app has no current user now", uid: uid, app: app)
    }

    /// What is asked of the accounts, with all that the rules need to decide it: the daemon's state cannot be read in the transaction.
    struct AccountRequest: Sendable {
        var intent: Intent
        var app: AppName
        var oneAccountPerEmail: Bool
        var moment = AskedMoment.now
        var secondFactor: String?
        var newUID: String
        var newSignIn: String
        var isRecent: @Sendable (AppSignIn) -> Bool
        var now: Timestamp

        @DaemonActor
        init(
            intent: Intent, app: AppName, settings: Configuration.Accounts, platform: Platform, secondFactor: String? = nil
        ) throws(AccountFailure) {
            self.intent = intent
            self.app = app
            oneAccountPerEmail = settings.oneAccountPerEmail
            self.secondFactor = secondFactor
            newUID = try platform.newUID()
            newSignIn = try platform.newSignInID()
            // First: what is recent is decided by the moments that are known then.
            now = platform.signIns.now
            isRecent = platform.signIns.recency
        }

        /// What the rules make of a credential, and what to write.
        func outcome(
            of standing: StandingCredential, _ accounts: borrowing AccountSnapshot
        ) throws(AccountFailure) -> (SignInOutcome, AccountChanges) {
            let completed = standing.completed
            guard completed.profile.namesPerson else { return (.refused(.personUnknown, completed), AccountChanges()) }
            let identity = completed.profile.identity
            let facts = try accounts.facts(for: identity, app: app)
            let request = IdentityRequest(
                identity: identity, isAuthority: standing.provider.vouches(for: completed.profile), intent: intent, app: app,
                oneAccountPerEmail: oneAccountPerEmail, asked: moment, proof: completed.proof, secondFactor: secondFactor,
                newUID: newUID, newSignIn: newSignIn, isRecent: isRecent, now: now)
            let decision: AccountRules.Decision
            do throws(AccountRefusal) { decision = try AccountRules.decide(request, facts) } catch {
                return (.refused(error, completed), AccountChanges())
            }
            var changes = decision.changes
            changes.credential = CredentialWrite(of: standing, for: .app(app), beside: facts.held, now: now)
            var ended = completed
            ended.user = decision.user
            ended.isNewUser = decision.isNewUser
            ended.released = try accounts.released(changes.released)
            ended.review = decision.review
            return (.completed(ended), changes)
        }
    }
}
