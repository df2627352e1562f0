import PosternCore

/// Users with an address and a password.
///
/// Hashing takes time, so each change is decided twice: before it, to save the work, and after it, inside the transaction.
extension LocalAccounts {
    func createUser(email: String, password: Secret, displayName: String?, app: AppName) async throws(AccountFailure) -> AccountResult {
        guard let email = EmailAddress.normalized(email) else { throw .password(.invalidEmail) }
        let name = displayName.flatMap { $0.isEmpty ? nil : $0 }
        try Self.requireStrong(password, email: email, displayName: name)
        try await store.forAccounts.change { accounts throws(AccountFailure) in
            try AccountRules.requireFree(email: email, namesakes: try accounts.users(email: email))
            return ((), AccountChanges())
        }
        let now = platform.signIns.now
        let hash = try await hashing.hash(password, now: now)
        let (uid, signIn) = (try platform.newUID(), try platform.newSignInID())
        let decision = try await store.decide { accounts throws(AccountFailure) in
            try AccountRules.createUser(
                email: email, displayName: name, password: hash, app: app, newUID: uid, newSignIn: signIn,
                namesakes: try accounts.users(email: email), now: now)
        }
        return ended(decision, intent: .signIn, app: app, "a user was created with an address and a password")
    }

    func signIn(email: String, password: Secret, intent: Intent, app: AppName) async throws(AccountFailure) -> AccountResult {
        guard let email = EmailAddress.normalized(email) else { throw .password(.invalidEmail) }
        if intent == .link { return try await link(email: email, password: password, app: app) }
        guard PasswordRules.canBeRight(password) else { throw .password(.wrongPassword) }
        let guess = PasswordGuess(
            email: email, intent: intent, app: app, newSignIn: try platform.newSignInID(), now: platform.signIns.now)
        var kept = try await store.forAccounts.change { accounts throws(AccountFailure) in try guess.begun(accounts) }
        // Another program may change the password, or its hash's cost, while this one is checked. If so, it is checked again.
        for _ in 0..<3 {
            let isRight = try await hashing.matches(password, kept.hash)
            guard let user = kept.user else {
                events.report(.signInFailed, "a password was tried for an unknown address", app: app)
                throw .refused(intent == .reauthenticate ? .userMismatch : .userNotFound)
            }
            guard isRight, let hash = kept.hash else {
                events.report(.signInFailed, "a wrong password was tried", uid: user.uid, app: app)
                throw .password(.wrongPassword)
            }
            var raised: PasswordHash?
            if hash.parameters.isWeaker(than: PasswordHashing.parameters) {
                raised = try await hashing.hash(password, now: hash.changedAt)
            }
            let end = try await store.forAccounts.change { [raised] accounts throws(AccountFailure) in
                try guess.ended(user: user, hash: hash, raised: raised, accounts)
            }
            switch end {
            case .signedIn(let decision): return ended(decision, intent: intent, app: app, "signed in with a password")
            case .secondFactor(let user):
                throw .secondFactorNeeded(
                    SecondFactorDemand(
                        uid: user.uid, hints: user.secondFactors, generation: user.generation, intent: intent, app: app))
            case .refused(let refusal): throw .refused(refusal)
            case .changed(let now): kept = now
            }
        }
        throw .password(.tooManyAttempts(retryAfterSeconds: 1))
    }

    private func link(email: String, password: Secret, app: AppName) async throws(AccountFailure) -> AccountResult {
        let isRecent = platform.signIns.recency
        let user = try await store.forAccounts.change { accounts throws(AccountFailure) in
            let current = try AccountRules.requirePasswordLinkable(
                email: email, to: try accounts.current(app: app), isRecent: isRecent, namesakes: try accounts.users(email: email))
            return (current.user, AccountChanges())
        }
        try Self.requireStrong(password, email: email, displayName: user.displayName)
        let hash = try await hashing.hash(password, now: platform.now)
        let decision = try await store.decide { accounts throws(AccountFailure) in
            let decision = try AccountRules.linkPassword(
                hash, email: email, to: try accounts.current(app: app), isRecent: isRecent, namesakes: try accounts.users(email: email))
            // Another user may have signed in to the app while the password was hashed: the request was not about that user.
            guard decision.user.uid == user.uid else { throw .refused(.userMismatch) }
            return decision
        }
        return ended(decision, intent: .link, app: app, "an address and a password were linked")
    }

    static func requireStrong(_ password: Secret, email: String?, displayName: String?) throws(AccountFailure) {
        if let weakness = PasswordRules.weakness(of: password, email: email, displayName: displayName) {
            throw .password(.weakPassword(weakness))
        }
    }

    private func ended(
        _ decision: AccountRules.Decision, intent: Intent, app: AppName, _ words: String
    ) -> AccountResult {
        let uid = decision.user.uid
        events.report(.signInCompleted, words, providerID: User.passwordProviderID, uid: uid, app: app)
        return AccountResult(user: decision.user, isNewUser: decision.isNewUser, completed: nil, intent: intent)
    }
}

/// One attempt at the password of an address.
private struct PasswordGuess: Sendable {
    var email: String
    var intent: Intent
    var app: AppName
    var newSignIn: String
    var now: Timestamp

    /// What the password is compared with; both nil if no user has the address, the hash nil if the user has no password.
    struct Kept: Sendable {
        var user: User?
        var hash: PasswordHash?
    }

    enum End: Sendable {
        case signedIn(AccountRules.Decision)
        case secondFactor(of: User)
        /// The password was right, but the request is refused for another reason.
        case refused(AccountRefusal)
        /// The stored password was changed since it was read.
        case changed(Kept)
    }

    /// Counts the attempt on disk before its outcome is known.
    func begun(_ accounts: borrowing AccountSnapshot) throws(AccountFailure) -> (Kept, AccountChanges) {
        if intent == .reauthenticate, try accounts.current(app: app) == nil { throw .refused(.noCurrentUser) }
        var changes = AccountChanges()
        changes.attempts = try attempts(accounts).counted(email: email, now: now)
        return (try kept(accounts), changes)
    }

    /// - Parameter hash: the hash that the password matched.
    func ended(
        user: User, hash: PasswordHash, raised: PasswordHash?, _ accounts: borrowing AccountSnapshot
    ) throws(AccountFailure) -> (End, AccountChanges) {
        let kept = try kept(accounts)
        guard let now = kept.user, now.uid == user.uid, kept.hash == hash else { return (.changed(kept), AccountChanges()) }
        let succeeded = try attempts(accounts).succeeded(email: email, now: self.now)
        let current = try accounts.current(app: app)
        var changes = AccountChanges()
        do throws(AccountRefusal) {
            let decision = try AccountRules.signIn(
                byPassword: now, intent: intent, app: app, newSignIn: newSignIn, current: current, now: self.now)
            changes = decision.changes
            if let raised { changes.password = .set(raised) }
            changes.attempts = succeeded
            return (.signedIn(decision), changes)
        } catch {
            changes.attempts = succeeded
            return (error.reason == .secondFactorRequired ? .secondFactor(of: now) : .refused(error), changes)
        }
    }

    private func kept(_ accounts: borrowing AccountSnapshot) throws(AccountFailure) -> Kept {
        let user = AccountRules.passwordUser(among: try accounts.users(email: email))
        guard let user, user.hasPassword else { return Kept(user: user) }
        return Kept(user: user, hash: try accounts.password(uid: user.uid))
    }

    private func attempts(_ accounts: borrowing AccountSnapshot) throws(AccountFailure) -> PasswordAttempts {
        PasswordAttempts(
            ofAddress: try accounts.attempts(of: .password(email: email)), inAll: try accounts.attempts(of: .passwords))
    }
}
