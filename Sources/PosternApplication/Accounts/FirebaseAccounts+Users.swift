import PosternCore

extension FirebaseAccounts {
    func updateUser(_ update: UserUpdate, app: AppName) async throws(AccountFailure) -> User {
        if let password = update.password, password.isEmpty { throw Self.emptyPassword }
        if update.email?.isEmpty == true { throw .firebase(FirebaseRefusal(.missingEmail)) }
        return try await aloneForUser(of: app) { () async throws(AccountFailure) in
            let session = try await self.ready(app)
            if update.email != nil || update.password != nil { try session.requireRecent(platform.signIns.recency) }
            var asked = FirebaseUpdate()
            (asked.displayName, asked.photoURL) = (update.displayName, update.photoURL)
            (asked.email, asked.password) = (update.email, update.password)
            let request = asked
            let answer = try await self.naming(update.email) { () async throws(AccountFailure) in
                try await self.ask(as: session) { $0.update($1, request) }
            }
            let endsPending = update.email != nil || update.password != nil
            return try await self.kept(answer, of: session, endsPending: endsPending) { user in
                if let name = update.displayName { user.displayName = name.isEmpty ? nil : name }
                if let photo = update.photoURL { user.photoURL = photo.isEmpty ? nil : photo }
                if let email = update.email { (user.email, user.addressProof) = (EmailAddress.lowercased(email), .none) }
                if update.password != nil { (user.hasPassword, user.isAnonymous) = (true, false) }
            }
        }
    }

    /// Firebase lets a user unlink the last provider, and so do we: the user is then reachable with its present tokens only.
    func unlink(providerID: String, app: AppName) async throws(AccountFailure) -> User {
        try await unlink(providerID: providerID, app: app, reviewed: nil)
    }

    func answered(
        _ answer: LinkReview.Answer, about item: LinkReview.Item, of review: LinkReview, app: AppName
    ) async throws(AccountFailure) -> Bool {
        guard let link = item.identity.link, review.isTimely(platform.signIns.recency, app: app) else { return false }
        let (providerID, uid) = (item.identity.providerID, review.uid)
        switch answer {
        case .keep:
            // As the project has them now: another account of the provider may have taken the place of the one that was asked about.
            let session = try await lookedUp(try await ready(app))
            guard session.user.uid == uid, session.user.has(item.identity) else { return false }
            let project = session.project
            return try await changeLinks { links throws(AccountRefusal) in links.keep(link, of: providerID, uid: uid, project: project) }
        case .remove:
            do throws(AccountFailure) {
                _ = try await unlink(providerID: providerID, app: app, reviewed: (uid, item.identity))
                return true
            } catch {
                guard case .refused(let refusal, _) = error else { throw error }
                // An earlier answer got there, and ours got lost.
                return refusal.reason == .noSuchProvider
            }
        }
    }

    /// - Parameter reviewed: the account that this user was asked about on a page, and does not keep; nil if a program unlinks it.
    /// - Throws: ``AccountRefusal/userMismatch`` if the app's user, or the linked account, is another one by now.
    private func unlink(
        providerID: String, app: AppName, reviewed: (uid: String, identity: Identity)?
    ) async throws(AccountFailure) -> User {
        try await aloneForUser(of: app) { () async throws(AccountFailure) in
            var session = try await self.ready(app)
            if let reviewed, session.user.uid != reviewed.uid { throw .refused(.userMismatch, app: app) }
            guard session.user.providerIDs.contains(providerID) else { throw .refused(.noSuchProvider(providerID: providerID)) }
            let link = try await self.link(of: providerID, uid: session.user.uid)
            let isAnswer = reviewed != nil
            let isRecent = platform.signIns.recency
            try session.requireUnlinkable(link, isAnswer: isAnswer, isRecent: isRecent)
            // The user may have got a second factor in another app since.
            session = try await self.lookedUp(session)
            try session.requireUnlinkable(link, isAnswer: isAnswer, isRecent: isRecent)
            if let reviewed, link != reviewed.identity.link || !session.user.has(reviewed.identity) {
                throw .refused(.userMismatch, app: app)
            }
            var asked = FirebaseUpdate()
            asked.deletedProviders = [providerID]
            let request = asked
            let sessions = try await self.sessions(beside: session)
            let answer = try await self.ask(as: session) { $0.update($1, request) }
            let (uid, project) = (session.user.uid, session.project)
            try await self.changeLinks { links throws(AccountRefusal) in links.notLinked(providerID, uid: uid, project: project) }
            // While the session still says what there is to give up.
            await self.giveUp(session.user.identities.filter { $0.providerID == providerID }, of: sessions, inTurnOf: app)
            return try await self.kept(answer, of: session, endsPending: true) { user in
                user.identities.removeAll { $0.providerID == providerID }
                if providerID == User.passwordProviderID { user.hasPassword = false }
            }
        }
    }

    /// Adopts what the project changed: first the new tokens, which may be the only valid ones now, then the user as the project has it.
    ///
    /// - Parameter patch: the change, used until the project can be queried.
    func kept(
        _ answer: FirebaseAnswer, of session: FirebaseSession, endsPending: Bool = false, _ patch: @Sendable @escaping (inout User) -> Void
    ) async throws(AccountFailure) -> User {
        let tokens = try AccountFailure.wrapping(project: answer.tokens(now: platform.now))
        if let tokens {
            try check(tokens)
            guard tokens.uid == session.user.uid else { throw .firebase(.malformed("its tokens are another user's")) }
        }
        if endsPending { forgetWaiting() }
        let session = try await changed(session, endsPending: endsPending) {
            if let tokens { $0.tokens = tokens }
            patch(&$0.user)
            $0.isProvisional = true
        }
        events.report(.userChanged, "the user was changed at the Firebase project", uid: session.user.uid, app: session.app)
        do throws(AccountFailure) { return try await ready(session.app).user } catch {
            guard error.firebase?.code == .networkError else { throw error }
            return session.user
        }
    }

    /// Also empty if the project does not say who is registered (email enumeration protection).
    func providers(ofEmail email: String) async throws(AccountFailure) -> [String] {
        guard !email.isEmpty else { throw .firebase(FirebaseRefusal(.missingEmail)) }
        let answer = try await ask { $0.providers(ofEmail: email) }
        return try AccountFailure.wrapping(project: answer.providerIDs())
    }

    /// The user's sign-ins, of all apps, before the project is asked to take something from the user.
    private func sessions(beside session: FirebaseSession) async throws(AccountFailure) -> [FirebaseSession] {
        try await store.forAccounts.change { accounts throws(AccountFailure) in
            let all = try accounts.firebaseSessions(project: session.project)
            return (all.filter { $0.user.uid == session.user.uid }, AccountChanges())
        }
    }

    /// The user no longer has these accounts, as the project says now. They may be another user's by then: only the apps of these sessions
    /// give up their shares, and only if nothing has happened to them since the project was asked.
    ///
    /// The project has decided, so a problem is only reported: the credentials stay stored, and the person can end them.
    ///
    /// - Parameter app: whose turn it is, if the project did this for it.
    func giveUp(_ identities: [Identity], of sessions: [FirebaseSession], inTurnOf app: AppName? = nil) async {
        for identity in identities {
            do throws(AccountFailure) {
                let released = try await store.forAccounts.change { accounts throws(AccountFailure) in
                    try accounts.givenUp(CredentialKey(identity), by: sessions, inTurnOf: app)
                }
                revocation.release(released)
            } catch {
                events.report(.storeProblem, "the credential of an account that a user lost is still stored: \(error)", level: .warning)
            }
        }
    }

    /// First there, then here.
    func deleteUser(app: AppName) async throws(AccountFailure) -> User? {
        try await aloneForUser(of: app) { () async throws(AccountFailure) in
            let session = try await self.renewed(try await self.signedIn(app))
            try session.requireRecent(platform.signIns.recency)
            let sessions = try await self.sessions(beside: session)
            _ = try await self.ask(as: session) { $0.delete($1) }
            // While the session still says what there is to give up: after a crash it ends the same way.
            await self.giveUp(session.user.identities, of: sessions, inTurnOf: app)
            _ = try await self.signOut(app, project: session.project, id: session.id, isDeletion: true)
            self.events.report(.userDeleted, "the user was deleted at the Firebase project", uid: session.user.uid, app: app)
            return nil
        }
    }
}
