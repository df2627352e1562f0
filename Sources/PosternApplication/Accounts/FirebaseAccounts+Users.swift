import PosternCore
import PosternInterface

extension FirebaseAccounts {
    func updateUser(_ update: UserUpdate, app: String) async throws -> User {
        if let password = update.password, password.isEmpty { throw Self.emptyPassword }
        if update.email?.isEmpty == true { throw FirebaseRefusal(.missingEmail) }
        return try await alone(app) {
            let session = try await self.ready(app)
            if update.email != nil || update.password != nil { try session.requireRecent(platform.signIns.recency) }
            var asked = FirebaseUpdate()
            (asked.displayName, asked.photoURL) = (update.displayName, update.photoURL)
            (asked.email, asked.password) = (update.email, update.password)
            let request = asked
            let answer = try await self.naming(update.email) { try await self.ask(as: session) { $0.update($1, request) } }
            return try await self.kept(answer, of: session) { user in
                if let name = update.displayName { user.displayName = name.isEmpty ? nil : name }
                if let photo = update.photoURL { user.photoURL = photo.isEmpty ? nil : photo }
                if let email = update.email { (user.email, user.addressProof, user.isAnonymous) = (email.lowercased(), .none, false) }
                if update.password != nil { user.hasPassword = true }
            }
        }
    }

    /// Firebase shuts the last way in as well, and so it is here: the user is reachable by its present tokens alone then.
    func unlink(providerID: String, app: String) async throws -> User {
        try await alone(app) {
            let session = try await self.ready(app)
            guard session.user.providerIDs.contains(providerID) else { throw AccountRefusal.noSuchProvider(providerID: providerID) }
            var asked = FirebaseUpdate()
            asked.deletedProviders = [providerID]
            let request = asked
            let answer = try await self.ask(as: session) { $0.update($1, request) }
            return try await self.kept(answer, of: session) { user in
                user.identities.removeAll { $0.providerID == providerID }
                if providerID == User.passwordProviderID { user.hasPassword = false }
            }
        }
    }

    /// Takes up what the project changed: new tokens first, which may be the only ones that are good now; then the user as it is there.
    ///
    /// - Parameter patch: the change, for the time until the project can be asked.
    func kept(
        _ answer: FirebaseAnswer, of session: FirebaseSession, _ patch: @Sendable @escaping (inout User) -> Void
    ) async throws -> User {
        let tokens = try answer.tokens(now: platform.now)
        if let tokens {
            try check(tokens)
            guard tokens.uid == session.user.uid else { throw FirebaseRefusal.malformed("its tokens are another user's") }
        }
        let session = try await changed(session) {
            if let tokens { $0.tokens = tokens }
            patch(&$0.user)
            $0.isProvisional = true
        }
        events.report(.userChanged, "the user was changed at the Firebase project", uid: session.user.uid, app: session.app)
        do { return try await ready(session.app).user } catch let refusal as FirebaseRefusal where refusal.code == .networkError {
            return session.user
        }
    }

    /// Empty also where the project tells nobody who is registered (email enumeration protection).
    func providers(ofEmail email: String) async throws -> [String] {
        guard !email.isEmpty else { throw FirebaseRefusal(.missingEmail) }
        return try await ask { $0.providers(ofEmail: email) }.providerIDs()
    }

    /// There first, then here. The credentials at other providers are the person's, and stay.
    func deleteUser(app: String) async throws -> User? {
        try await alone(app) {
            let session = try await self.renewed(try await self.signedIn(app))
            try session.requireRecent(platform.signIns.recency)
            _ = try await self.ask(as: session) { $0.delete($1) }
            _ = try await self.store.opened().signOutOfFirebase(app: app, project: session.project, id: session.id)
            self.events.report(.userDeleted, "the user was deleted at the Firebase project", uid: session.user.uid, app: app)
            return nil
        }
    }
}
