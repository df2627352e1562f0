import PosternCore

/// A sign-in that the project accepted, and what to write about it.
struct FirebaseAdmission: Sendable {
    var session: FirebaseSession
    var isNewUser: Bool
    /// The app's sign-in that this one continues; nil for a new one.
    var continues: PageOwner?
    /// When it was asked for.
    var asked: AskedMoment
    var intent: Intent
    /// The account, if it is one at a provider.
    var providerID: String?
    /// When the user was seen, by what was presented to the project; nil if nobody was.
    var seenAt: Timestamp?
    /// The user was present a moment before a link; or nobody could be yet.
    var isLinkProved: Bool
    /// Nobody was seen as the user before a link, in this app.
    var isLinkOfNobody: Bool
    var now: Timestamp

    /// To be called inside the transaction that writes it.
    ///
    /// - Throws: ``AccountRefusal/noCurrentUser`` if the app has signed out, or signed in otherwise, meanwhile.
    func changes(_ accounts: borrowing AccountSnapshot) throws(AccountFailure) -> AccountChanges {
        let present = try accounts.firebaseSession(app: session.app, project: session.project)
        if let continues, present?.owner != continues { throw .refused(.noCurrentUser, app: session.app) }
        if intent == .signIn { try AccountFailure.wrapping(rule: asked.requireReplaceable(present?.owner)) }
        var changes = AccountChanges()
        changes.firebaseSession = session
        changes.firebaseLinks = try links(accounts)
        return changes
    }

    /// - Returns: nil if they stay as they are.
    private func links(_ accounts: borrowing AccountSnapshot) throws(AccountFailure) -> FirebaseLinks? {
        guard intent == .link, let providerID, let continues else { return nil }
        var links = try accounts.firebaseLinks()
        let link = IdentityLink(at: now, signIn: continues.signIn, isProved: isLinkProved, isOfNobody: isLinkOfNobody)
        let entry = FirebaseLinks.Entry(project: session.project, uid: session.user.uid, providerID: providerID, link: link)
        do throws(AccountRefusal) { try links.linked(entry, now: now) } catch { throw .refused(error, app: session.app) }
        return links
    }

    /// What the page asks the user about linked accounts.
    private func review(_ accounts: borrowing AccountSnapshot) throws(AccountFailure) -> LinkReview? {
        guard intent != .link, let seenAt else { return nil }
        let links = try accounts.firebaseLinks()
        let (user, project) = (session.user, session.project)
        let link = providerID.flatMap { links.link(of: $0, uid: user.uid, project: project) }
        guard link?.showsUser(now: now) ?? true else { return nil }
        return links.review(
            of: user, project: project, generation: session.generation, shownBy: providerID, seenAt: seenAt, now: now)
    }

    /// The same with the credential of a provider, which we keep.
    func outcome(
        of standing: StandingCredential, _ accounts: borrowing AccountSnapshot
    ) throws(AccountFailure) -> (SignInOutcome, AccountChanges) {
        var completed = standing.completed
        var changes: AccountChanges
        do throws(AccountFailure) { changes = try self.changes(accounts) } catch {
            guard case .refused(let refusal, _) = error else { throw error }
            return (.refused(refusal, completed), AccountChanges())
        }
        let identity = completed.profile.identity
        let held = try accounts.credential(providerID: identity.providerID, subject: identity.subject)
        changes.credential = CredentialWrite(of: standing, for: .app(session.app), beside: held, now: now)
        completed.user = session.user
        completed.isNewUser = isNewUser
        completed.review = try review(accounts)
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
        _ tokens: FirebaseTokens, isNewUser: Bool, app: AppName, intent: Intent, current: FirebaseSession?, proof: Proof,
        withSecondFactor: Bool = false, providerID: String?, asked: AskedMoment = .now, provisional: User
    ) async throws(AccountFailure) -> FirebaseAdmission {
        try check(tokens)
        if let current, current.user.uid != tokens.uid { throw .refused(.userMismatch) }
        let id = if let current { current.id } else { try randomID() }
        let before = if let current { current } else { try await session(app: app) }
        let link = try await link(of: providerID, uid: tokens.uid)
        let now = platform.signIns.now
        var session = FirebaseSession(
            id: id, app: app, project: try configured().name, user: provisional, tokens: tokens,
            isProvisional: true,
            presentAt: FirebaseSession.presence(
                of: tokens.uid, by: proof, withSecondFactor: withSecondFactor, intent: intent, after: before, link: link, now: now),
            generation: current?.generation ?? 0)
        do throws(AccountFailure) {
            let answer = try await ask { $0.lookUp(tokens.idToken) }
            session.user = try AccountFailure.wrapping(project: User(lookup: answer, now: platform.now))
            session.isProvisional = false
        } catch {
            guard let refusal = error.firebase, refusal.code == .networkError else { throw error }
            events.report(.providerProblem, "the Firebase project did not say who signed in, and will be asked again: \(refusal)")
        }
        guard session.user.uid == tokens.uid else { throw .firebase(.malformed("it is about another user")) }
        return FirebaseAdmission(
            session: session, isNewUser: isNewUser, continues: current?.owner, asked: asked, intent: intent, providerID: providerID,
            seenAt: proof.seen(withSecondFactor: withSecondFactor, now: now), isLinkProved: current.map(isLinkProved) ?? true,
            isLinkOfNobody: current.map(isOfNobody) ?? false, now: now)
    }

    private func isOfNobody(_ current: FirebaseSession) -> Bool { !current.user.isAnonymous && current.isUnseen }

    private func isLinkProved(_ current: FirebaseSession) -> Bool {
        do throws(AccountFailure) { try current.requireRecent(platform.signIns.recency) } catch { return false }
        return true
    }

    /// An account that shows nobody's presence is known as one before the project links it: the project's answer may get lost.
    func recordingLink(
        of providerID: String, to current: FirebaseSession, _ request: @DaemonActor () async throws(AccountFailure) -> FirebaseSignIn
    ) async throws(AccountFailure) -> FirebaseSignIn {
        if isLinkProved(current) { return try await request() }
        let known = try await link(of: providerID, uid: current.user.uid)
        let now = platform.signIns.now
        // Of no sign-in: nobody may undo it as their own, and no other link is taken for it.
        let entry = FirebaseLinks.Entry(
            project: current.project, uid: current.user.uid, providerID: providerID,
            link: IdentityLink(at: now, signIn: "asked:\(try randomID())", isProved: false, isOfNobody: isOfNobody(current)))
        try await changeLinks { links throws(AccountRefusal) in try links.linked(entry, now: now) }
        func forget() async throws(AccountFailure) {
            try await changeLinks { links throws(AccountRefusal) in
                guard links.link(of: providerID, uid: entry.uid, project: entry.project) == entry.link else { return }
                links.notLinked(providerID, uid: entry.uid, project: entry.project)
                guard let known else { return }
                try links.linked(
                    FirebaseLinks.Entry(project: entry.project, uid: entry.uid, providerID: providerID, link: known), now: now)
            }
        }
        do throws(AccountFailure) {
            let answer = try await request()
            switch answer {
            case .signedIn, .secondFactor: break
            case .alreadyLinked, .confirmationNeeded: try await forget()
            }
            return answer
        } catch {
            // An answer that did not come, or that nobody understands, may be a yes.
            if let code = error.firebase?.code, code != .networkError, code != .internalError { try await forget() }
            throw error
        }
    }

    func changeLinks<Value: Sendable>(
        _ change: @Sendable @escaping (inout FirebaseLinks) throws(AccountRefusal) -> Value
    ) async throws(AccountFailure) -> Value {
        try await store.forAccounts.change { accounts throws(AccountFailure) in
            var links = try accounts.firebaseLinks()
            let value = try AccountFailure.wrapping(rule: change(&links))
            var changes = AccountChanges()
            changes.firebaseLinks = links
            return (value, changes)
        }
    }

    /// How an account came to a user, as far as is known here.
    func link(of providerID: String?, uid: String) async throws(AccountFailure) -> IdentityLink? {
        guard let providerID else { return nil }
        let project = try configured().name
        return try await store.forAccounts.change { accounts throws(AccountFailure) in
            (try accounts.firebaseLinks().link(of: providerID, uid: uid, project: project), AccountChanges())
        }
    }

    /// The store has judged it. If the user turned out to have lost a way to sign in, or the address, first factors are void as well.
    func stored(_ admission: FirebaseAdmission) async {
        let session = admission.session
        // If that cannot be known now, none is kept.
        let present = try? await self.session(app: session.app)
        if present?.id != session.id || present?.generation != session.generation { forgetWaiting() }
    }

    /// Writes it, for sign-ins without a provider.
    func keep(_ admission: FirebaseAdmission, intent: Intent) async throws(AccountFailure) -> AccountResult {
        try await store.forAccounts.change { accounts throws(AccountFailure) in ((), try admission.changes(accounts)) }
        await stored(admission)
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
        isAnonymous = !hasWayIn
    }
}
