import PosternCore

/// The app's user: profile, linked providers, creation and deletion.
extension LocalAccounts {
    func signInAnonymously(app: AppName) async throws(AccountFailure) -> AccountResult {
        let (uid, signIn) = (try platform.newUID(), try platform.newSignInID())
        let now = platform.signIns.now
        let decision = try await store.decide { accounts throws(AccountFailure) in
            try AccountRules.signInAnonymously(
                try accounts.current(app: app), anonymousApps: try accounts.anonymousApps(), app: app, newUID: uid, newSignIn: signIn,
                now: now)
        }
        if decision.isNewUser {
            events.report(
                .signInCompleted, "an anonymous user was created", providerID: AppSignIn.anonymousProviderID, uid: decision.user.uid,
                app: app)
        }
        return AccountResult(user: decision.user, isNewUser: decision.isNewUser, completed: nil, intent: .signIn)
    }

    func updateUser(_ update: UserUpdate, app: AppName) async throws(AccountFailure) -> User {
        var wanted = ProfileUpdate(displayName: update.displayName, photoURL: update.photoURL, setsPassword: update.password != nil)
        if let email = update.email {
            guard let email = EmailAddress.normalized(email) else { throw .password(.invalidEmail) }
            wanted.email = email
        }
        let isRecent = platform.signIns.recency
        guard let password = update.password else {
            return try await change(wanted, password: nil, app: app, isRecent: isRecent).user
        }
        let before = try await store.forAccounts.change { [wanted] accounts throws(AccountFailure) in
            let user = try AccountRules.updated(
                wanted, of: try accounts.current(app: app), isRecent: isRecent, namesakes: try accounts.namesakes(of: wanted))
            return (user, AccountChanges())
        }
        try Self.requireStrong(password, email: before.email, displayName: before.displayName)
        let hash = try await hashing.hash(password, now: platform.now)
        return try await change(wanted, password: hash, of: before.uid, app: app, isRecent: isRecent).user
    }

    /// - Parameter uid: the user that the request was about; another program may have signed in somebody else since.
    private func change(
        _ update: ProfileUpdate, password: PasswordHash?, of uid: String? = nil, app: AppName,
        isRecent: @escaping @Sendable (AppSignIn) -> Bool
    ) async throws(AccountFailure) -> AccountRules.Decision {
        let decision = try await store.decide { accounts throws(AccountFailure) in
            let decision = try AccountRules.update(
                update, password: password, of: try accounts.current(app: app), isRecent: isRecent,
                namesakes: try accounts.namesakes(of: update))
            guard uid == nil || decision.user.uid == uid else { throw .refused(.userMismatch) }
            return decision
        }
        let words = decision.changes.signsOutOtherApps ? "the user was changed, and signed out of its other apps" : "the user was changed"
        events.report(.userChanged, words, uid: decision.user.uid, app: app)
        return decision
    }

    func unlink(providerID: String, app: AppName) async throws(AccountFailure) -> User {
        let isRecent = platform.signIns.recency
        let (user, released) = try await store.forAccounts.change { accounts throws(AccountFailure) in
            let decision = try AccountRules.unlink(providerID, from: try accounts.current(app: app), isRecent: isRecent)
            return ((decision.user, try accounts.released(decision.changes.released)), decision.changes)
        }
        events.report(.userChanged, "\(providers.displayName(providerID)) was unlinked", providerID: providerID, uid: user.uid, app: app)
        revocation.release(released)
        return user
    }

    func answered(
        _ answer: LinkReview.Answer, about item: LinkReview.Item, of review: LinkReview, app: AppName
    ) async throws(AccountFailure) -> Bool {
        let (identity, isRecent) = (item.identity, platform.signIns.recency)
        let released: ReleasedCredentials? = try await store.forAccounts.change { accounts throws(AccountFailure) in
            let owner = try accounts.user(identity: identity.providerID, subject: identity.subject)
            let decision = AccountRules.answer(
                answer, about: item, of: review, user: try accounts.user(uid: review.uid), owner: owner, app: app, isRecent: isRecent)
            guard let decision else { return (nil, AccountChanges()) }
            return (try accounts.released(decision.changes.released), decision.changes)
        }
        guard let released else { return false }
        revocation.release(released)
        return true
    }

    func providers(ofEmail email: String) async throws(AccountFailure) -> [String] {
        guard let email = EmailAddress.normalized(email) else { throw .password(.invalidEmail) }
        let oneAccountPerEmail = accountSettings.oneAccountPerEmail
        let users = try await store.ask { store throws(StoreError) in
            oneAccountPerEmail ? try await store.users(anyEmail: email) : try await store.users(email: email)
        }
        return AccountRules.providers(of: users, oneAccountPerEmail: oneAccountPerEmail)
    }

    func deleteUser(app: AppName) async throws(AccountFailure) -> User? {
        let isRecent = platform.signIns.recency
        let (user, released) = try await store.forAccounts.change { accounts throws(AccountFailure) in
            let decision = try AccountRules.deleteUser(try accounts.current(app: app), isRecent: isRecent)
            return ((decision.user, try accounts.released(decision.changes.released)), decision.changes)
        }
        let count = released.gone.count
        let words =
            count == 0 ? "a user was deleted" : "a user was deleted; \(count) of its credentials are being revoked at their providers"
        events.report(.userDeleted, words, uid: user.uid, app: app)
        // Before the caller is answered. Nobody waits for providers that cannot be reached: the user is gone whatever they say.
        revocation.release(released)
        return user
    }
}

extension AccountReading where Self: ~Copyable {
    fileprivate func namesakes(of update: ProfileUpdate) throws(AccountFailure) -> [User] {
        guard let email = update.email else { return [] }
        return try users(email: email)
    }
}
