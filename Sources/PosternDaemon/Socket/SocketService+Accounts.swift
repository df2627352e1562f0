import PosternCore
import PosternCrypto
import PosternInterface
import PosternStore
import StrictJSON
import Varlink
import VarlinkServer

extension SocketService {
    func signInWithCredential(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let parameters = try parameters(of: call, as: SignInWithCredentialParameters.self)
        let input = parameters.credential
        try daemon.store.check()
        guard let handle = input.handle else { return try signInWithIDToken(parameters, reply) }
        // A handle stands for the whole credential; anything beside it would be ignored, which nobody expects.
        let others: [(String, String?)] = [
            ("providerID", input.providerID), ("accessToken", input.accessToken), ("secret", input.secret), ("idToken", input.idToken),
            ("rawNonce", input.rawNonce), ("email", input.email), ("password", input.password),
        ]
        if let extra = others.first(where: { $0.1 != nil }) { throw VarlinkError.invalidParameter("credential.\(extra.0)") }
        let app = try app(parameters.app)
        let intent = parameters.intent ?? .signIn
        guard intent == .signIn else { throw VarlinkError.invalidParameter("intent") }
        answer(reply) { [daemon] in
            let now = WallClock.now
            let newUID = RandomIdentifier.uid(randomBytes: try RandomBytes.generate(28))
            let signedIn = try await daemon.store.opened().signIn(handle: handle, now: now) { record, accounts in
                let signedIn = try SignedIn(
                    record.credential, boundTo: record.binding, app: app, newUID: newUID, now: now, accounts: accounts)
                return (signedIn, signedIn.changes)
            }
            guard let signedIn, let user = signedIn.completed.user else {
                throw InterfaceError.invalidCredential(
                    message: "the credential handle is unknown, expired or used; a handle is good once, for five minutes: sign in again")
            }
            await daemon.accountsChanged(signedIn.completed.profile.identity)
            daemon.feed.post(
                .signInCompleted, "signed in with a credential", providerID: signedIn.completed.profile.identity.providerID,
                uid: user.uid, app: app)
            let credential = PosternInterface.Credential(signedIn.completed)
            return SignInWithCredentialReply(result: AuthResult(user: user, completed: signedIn.completed, credential: credential))
        }
    }

    func getCurrentUser(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let app = try app(try parameters(of: call, as: GetCurrentUserParameters.self).app)
        try daemon.store.check()
        answer(reply) { [daemon] in
            GetCurrentUserReply(user: try await daemon.store.opened().currentUser(app: app).map { PosternInterface.User($0) })
        }
    }

    func signOut(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let app = try app(try parameters(of: call, as: SignOutParameters.self).app)
        try daemon.store.check()
        answer(reply) { [daemon] in
            try await daemon.store.opened().setCurrentUser(app: app, uid: nil)
            daemon.feed.post(.signedOut, "the app has no current user now", app: app)
            return SignOutReply()
        }
    }

    // MARK: Credentials

    func listCredentials(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: ListCredentialsParameters.self)
        try daemon.store.check()
        let credentials = daemon.shelf.all.map { credential in
            PosternInterface.StoredCredential(
                credential, renewsItself: daemon.providers[credential.providerID]?.dialect.accessTokenRenewsItself ?? false,
                now: WallClock.now)
        }
        reply.send(ListCredentialsReply(credentials: credentials).object, continues: false)
    }

    func getAccessToken(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let parameters = try parameters(of: call, as: GetAccessTokenParameters.self)
        let minimumValidity = parameters.minimumValiditySeconds ?? 60
        guard (0...31_536_000).contains(minimumValidity) else { throw VarlinkError.invalidParameter("minimumValiditySeconds") }
        try daemon.store.check()
        let request = AccessTokens.Request(
            providerID: parameters.providerID, subject: parameters.uid, scopes: parameters.scopes ?? [],
            minimumValidity: Int64(minimumValidity), forceRefresh: parameters.forceRefresh ?? false)
        daemon.tokens.get(request) { result in
            switch result {
            case .success(let credential):
                let grant = credential.grant
                reply.send(
                    GetAccessTokenReply(
                        accessToken: grant.accessToken.reveal(), tokenType: grant.tokenType, secret: grant.tokenSecret?.reveal(),
                        expiresAt: grant.expiresAt.map { "\($0)" }, scopes: grant.scopes, uid: credential.subject
                    ).object, continues: false)
            case .failure(let error): reply.fail(VarlinkError(error))
            }
        }
    }

    func revokeCredential(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let parameters = try parameters(of: call, as: RevokeCredentialParameters.self)
        try daemon.store.check()
        // What is kept can be taken back, whatever became of its provider here.
        if daemon.shelf.credentials(providerID: parameters.providerID).isEmpty {
            _ = try daemon.providers.configured(parameters.providerID)
        }
        let credential = try daemon.tokens.credential(of: parameters.providerID, subject: parameters.uid)
        answer(reply) { [daemon] in
            RevokeCredentialReply(revokedAtProvider: try await daemon.revocation.revoke(credential))
        }
    }
}
