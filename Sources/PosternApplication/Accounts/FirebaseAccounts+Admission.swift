import PosternCore

/// A sign-in that the project accepted, and what to write about it.
struct FirebaseAdmission: Sendable {
    var session: FirebaseSession
    var isNewUser: Bool
    /// The app's sign-in that this one continues, by its id; nil for a new one.
    var continues: String?

    /// To be called inside the transaction that writes it.
    ///
    /// - Throws: ``AccountRefusal/noCurrentUser`` if the app has signed out, or signed in otherwise, meanwhile.
    func changes(_ accounts: borrowing AccountSnapshot) throws(AccountFailure) -> AccountChanges {
        if let continues, try accounts.firebaseSession(app: session.app, project: session.project)?.id != continues {
            throw .refused(.noCurrentUser, app: session.app)
        }
        var changes = AccountChanges()
        changes.firebaseSession = session
        return changes
    }

    /// The same with the credential of a provider, which we keep.
    func outcome(
        of completed: CompletedSignIn, boundTo binding: ProviderBinding, _ accounts: borrowing AccountSnapshot
    ) throws(AccountFailure) -> (SignInOutcome, AccountChanges) {
        var completed = completed
        var changes: AccountChanges
        do throws(AccountFailure) { changes = try self.changes(accounts) } catch {
            guard case .refused(let refusal, _) = error else { throw error }
            return (.refused(refusal, completed), AccountChanges())
        }
        let identity = completed.profile.identity
        let held = try accounts.credential(providerID: identity.providerID, subject: identity.subject)
        changes.upsertCredential = StoredCredential.kept(of: completed, boundTo: binding, beside: held)
        completed.user = session.user
        completed.isNewUser = isNewUser
        return (.completed(completed), changes)
    }
}

extension FirebaseAccounts {
    /// Queries the project about the user whose tokens were received.
    ///
    /// - Parameters:
    ///   - current: the app's sign-in that this one continues: a link or a reauthentication.
    ///   - proof: what the project was shown.
    ///   - provisional: what is known of the user, if the project cannot be reached just now. The project has signed the user in, so the
    ///     sign-in is kept here.
    func admit(
        _ tokens: FirebaseTokens, isNewUser: Bool, app: String, intent: Intent, current: FirebaseSession?, proof: CredentialProof,
        withSecondFactor: Bool = false, provisional: User
    ) async throws(AccountFailure) -> FirebaseAdmission {
        try check(tokens)
        if let current, current.user.uid != tokens.uid { throw .refused(.userMismatch) }
        let id = if let current { current.id } else { try randomID() }
        let before = if let current { current } else { try await session(app: app) }
        var session = FirebaseSession(
            id: id, app: app, project: try configured().name, user: provisional, tokens: tokens,
            isProvisional: true,
            presentAt: FirebaseSession.presence(
                of: tokens.uid, by: proof, withSecondFactor: withSecondFactor, intent: intent, after: before, now: platform.signIns.now))
        do throws(AccountFailure) {
            let answer = try await ask { $0.lookUp(tokens.idToken) }
            session.user = try AccountFailure.wrapping(project: User(lookup: answer, now: platform.now))
            session.isProvisional = false
        } catch {
            guard let refusal = error.firebase, refusal.code == .networkError else { throw error }
            events.report(.providerProblem, "the Firebase project did not say who signed in, and will be asked again: \(refusal)")
        }
        guard session.user.uid == tokens.uid else { throw .firebase(.malformed("it is about another user")) }
        return FirebaseAdmission(session: session, isNewUser: isNewUser, continues: current?.id)
    }

    /// Writes it, for sign-ins without a provider.
    func keep(_ admission: FirebaseAdmission, intent: Intent) async throws(AccountFailure) -> AccountResult {
        try await store.change { accounts throws(AccountFailure) in ((), try admission.changes(accounts)) }
        let session = admission.session
        events.report(
            .signInCompleted, "signed in to the Firebase project", providerID: session.tokens.signInProvider, uid: session.user.uid,
            app: session.app)
        return AccountResult(user: session.user, isNewUser: admission.isNewUser, completed: nil, intent: intent)
    }
}

extension User {
    /// What the answer to a sign-in says about a user, until the project is queried for the rest.
    init(provisional signedIn: FirebaseSignedIn, identity: Identity?, beside current: User?, now: Timestamp) {
        self =
            current
            ?? User(
                uid: signedIn.tokens.uid, displayName: signedIn.displayName, email: signedIn.email, photoURL: signedIn.photoURL,
                createdAt: now, lastSignInAt: now)
        if let identity {
            identities.removeAll { $0.providerID == identity.providerID }
            identities.append(identity)
        } else if signedIn.email != nil {
            email = signedIn.email
            hasPassword = true
        }
        isAnonymous = identities.isEmpty && !hasPassword && email == nil
    }
}
