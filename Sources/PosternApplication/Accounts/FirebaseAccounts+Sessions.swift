import PosternCore

extension FirebaseAccounts {
    // MARK: Who is signed in

    func session(app: AppName) async throws(AccountFailure) -> FirebaseSession? {
        let project = try configured().name
        return try await store.ask { store throws(StoreError) in try await store.firebaseSession(app: app, project: project) }
    }

    /// - Throws: ``AccountRefusal/noCurrentUser`` if nobody is signed in to the app.
    func signedIn(_ app: AppName) async throws(AccountFailure) -> FirebaseSession {
        guard let session = try await session(app: app) else { throw .refused(.noCurrentUser, app: app) }
        return session
    }

    func currentUser(app: AppName) async throws(AccountFailure) -> User? { try await session(app: app)?.user }

    func pageOwner(app: AppName) async throws(AccountFailure) -> PageOwner? { try await session(app: app)?.owner }

    func signOut(app: AppName) async throws(AccountFailure) {
        let uid = try await signOut(app, project: try configured().name, id: nil)
        events.report(.signedOut, "the app has no current user now", uid: uid, app: app)
    }

    /// The project says that the tokens are no longer valid.
    func forget(_ session: FirebaseSession, because refusal: FirebaseRefusal) async throws(AccountFailure) {
        // Nobody has the accounts of a user that is gone. The user may have been deleted from here, before a crash.
        if refusal.code == .userNotFound {
            await giveUp(session.user.identities, of: [session])
            try await changeLinks { links in links.forget(uid: session.user.uid, project: session.project) }
        }
        guard try await signOut(session.app, project: session.project, id: session.id) != nil else { return }
        events.report(.signInEndedByProject, "the Firebase project ended the sign-in: \(refusal)", uid: session.user.uid, app: session.app)
    }

    /// - Parameters:
    ///   - id: only this sign-in; nil for any.
    ///   - isDeletion: the user exists no more.
    func signOut(_ app: AppName, project: String, id: String?, isDeletion: Bool = false) async throws(AccountFailure) -> String? {
        let uid = try await store.ask { store throws(StoreError) in
            try await store.signOutOfFirebase(app: app, project: project, id: id, isDeletion: isDeletion)
        }
        if uid != nil { resolvers.removeAll { $0.app == app } }
        return uid
    }

    // MARK: Tokens

    /// The app's session, with tokens that are valid for at least five minutes, and a user of whom everything is known.
    func ready(_ app: AppName) async throws(AccountFailure) -> FirebaseSession {
        let session = try await renewed(try await signedIn(app))
        return session.isProvisional ? try await lookedUp(session) : session
    }

    /// With the user as the project has it now.
    func lookedUp(_ session: FirebaseSession) async throws(AccountFailure) -> FirebaseSession {
        let answer = try await ask(as: session) { $0.lookUp($1) }
        let user = try AccountFailure.wrapping(project: User(lookup: answer, now: platform.now))
        guard user.uid == session.user.uid else { throw .firebase(.malformed("it is about another user")) }
        // Before the session forgets them: they may have been unlinked from here, before a crash.
        await giveUp(session.identities(goneFrom: user), of: [session])
        return try await changed(session) {
            let wasAnonymous = $0.user.isAnonymous
            $0.user = user
            // As in the SDKs: a user who loses the last way to sign in is somebody still.
            $0.user.isAnonymous = user.isAnonymous && wasAnonymous
            $0.isProvisional = false
        }
    }

    /// The session as it is, or with fresh tokens that are on disk.
    func renewed(_ session: FirebaseSession) async throws(AccountFailure) -> FirebaseSession {
        guard !session.tokens.isGood(now: platform.now) else { return session }
        return try await renewal.once(session.id) { () async throws(AccountFailure) in
            // Another call may have renewed them before our turn came.
            guard let fresh = try await self.session(app: session.app), fresh.id == session.id else {
                throw .refused(.noCurrentUser, app: session.app)
            }
            guard !fresh.tokens.isGood(now: platform.now) else { return fresh }
            return try await self.renew(fresh)
        }
    }

    private func renew(_ session: FirebaseSession) async throws(AccountFailure) -> FirebaseSession {
        let isUsable = session.tokens.expiresAt > platform.now
        if let seconds = renewal.pause(of: session.id) {
            guard !isUsable else { return session }
            throw .firebase(FirebaseRefusal(.networkError, detail: "it could not be reached a moment ago", retryAfterSeconds: seconds))
        }
        let tokens: FirebaseTokens
        do throws(AccountFailure) {
            try requireConfigured(session.project)
            let answer = try await ask { $0.refresh(session.tokens.refreshToken) }
            tokens = try AccountFailure.wrapping(project: FirebaseTokens.refreshed(answer, now: platform.now))
            try check(tokens)
        } catch {
            guard let refusal = error.firebase else { throw error }
            if refusal.endsSession { try await forget(session, because: refusal) }
            guard refusal.code == .networkError else { throw error }
            renewal.failed(session.id, retryAfterSeconds: refusal.retryAfterSeconds)
            guard isUsable else { throw error }
            return session
        }
        renewal.succeeded(session.id)
        guard tokens.uid == session.user.uid, tokens.audience == session.tokens.audience else {
            throw .firebase(.malformed("its tokens are another user's"))
        }
        let renewed = try await changed(session) { $0.tokens = tokens }
        events.report(.tokenRefreshed, "the token of a Firebase user was renewed", uid: session.user.uid, app: session.app)
        return renewed
    }

    /// - Throws: if the tokens are for another project than the configured one.
    func check(_ tokens: FirebaseTokens) throws(AccountFailure) {
        guard let projectID = try configured().projectID, tokens.audience != projectID else { return }
        throw .firebase(
            FirebaseRefusal(
                .customTokenMismatch,
                detail: "the API key is of the project \(tokens.audience), and [accounts] project-id says \(projectID)"))
    }

    /// - Parameter endsPending: what the user began and has not finished becomes void, in all apps. It also does if the project says that
    ///   the user has lost a way to sign in, or the address.
    /// - Throws: ``AccountRefusal/noCurrentUser`` if the app has signed out, or signed in otherwise, meanwhile.
    func changed(
        _ session: FirebaseSession, endsPending: Bool = false, _ change: @Sendable @escaping (inout FirebaseSession) -> Void
    ) async throws(AccountFailure) -> FirebaseSession {
        let stored = try await store.ask { store throws(StoreError) in
            try await store.updateFirebaseSession(
                app: session.app, project: session.project, id: session.id, endsPending: endsPending, change: change)
        }
        guard let stored else { throw .refused(.noCurrentUser, app: session.app) }
        if stored.generation != session.generation { forgetWaiting() }
        return stored
    }

    func userToken(audience: TokenAudience, app: AppName) async throws(AccountFailure) -> UserToken {
        let session = try await signedIn(app)
        // Firebase's tokens are for its own project only.
        guard audience.text == session.tokens.audience else { throw .audienceRefused }
        let tokens = try await renewed(session).tokens
        return UserToken(idToken: tokens.idToken, expiresAt: tokens.expiresAt)
    }
}
