import PosternCore
import PosternInterface
import StrictJSON

extension InterfaceService {
    func signInWithCredential(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.SignInWithCredential.self)
        let intent = Intent(parameters.intent ?? .signIn)
        // What a program holds already need not be handed over to it.
        guard intent != .credential else { throw InterfaceError.invalidParameter("intent") }
        let request = CredentialRequest(input: parameters.credential, intent: intent, app: try app(parameters.app))
        try daemon.keeper.check()
        let input = parameters.credential
        if input.handle != nil { return try signInWithHandle(request, reply) }
        let hasTokens = input.idToken != nil || input.accessToken != nil
        if !hasTokens, input.email != nil || input.password != nil { return try signInWithPassword(request, reply) }
        try signInWithTokens(request, reply)
    }

    /// One of the kinds of credential that `SignInWithCredential` takes, and what is to become of it.
    struct CredentialRequest {
        var input: Interface.CredentialInput
        var intent: Intent
        var app: String

        /// Anything beside what makes this kind would be ignored, which nobody expects.
        func allowOnly(_ names: Set<String>) throws {
            let others: [(String, Any?)] = [
                ("handle", input.handle), ("providerID", input.providerID), ("accessToken", input.accessToken),
                ("secret", input.secret), ("idToken", input.idToken), ("rawNonce", input.rawNonce), ("email", input.email),
                ("password", input.password),
            ]
            if let extra = others.first(where: { $0.1 != nil && !names.contains($0.0) }) {
                throw InterfaceError.invalidParameter("credential.\(extra.0)")
            }
        }
    }

    private func signInWithHandle(_ request: CredentialRequest, _ reply: any InterfaceReply) throws {
        try request.allowOnly(["handle"])
        guard let handle = request.input.handle else { throw InterfaceError.invalidParameter("credential.handle") }
        answer(reply, app: request.app) { [daemon] in
            guard let settled = try await daemon.accounts.settle(.handle(handle.reveal()), intent: request.intent, app: request.app) else {
                throw InterfaceError.invalidCredential(
                    message: "the credential handle is unknown, expired or used; a handle is good once, for five minutes: sign in again")
            }
            return try await self.reply(to: request, settled, "signed in with a credential")
        }
    }

    private func signInWithPassword(_ request: CredentialRequest, _ reply: any InterfaceReply) throws {
        try request.allowOnly(["email", "password", "providerID"])
        guard let email = request.input.email else { throw InterfaceError.invalidParameter("credential.email") }
        guard let password = request.input.password else { throw InterfaceError.invalidParameter("credential.password") }
        guard request.input.providerID.map({ $0 == User.passwordProviderID }) ?? true else {
            throw InterfaceError.invalidParameter("credential.providerID")
        }
        answer(reply, app: request.app) { [daemon] in
            let result = try await daemon.accounts.signIn(
                email: email, password: password, intent: request.intent, app: request.app)
            await daemon.inventory.usersChanged()
            return Interface.SignInWithCredential.Reply(result: Interface.AuthResult(result))
        }
    }

    /// The reply, or the refusal with all that a program can go on with.
    func reply(to request: CredentialRequest, _ settled: Settlement, _ words: String) async throws -> Interface.SignInWithCredential.Reply {
        switch settled.outcome {
        case .completed(let completed):
            guard let user = completed.user else {
                throw InterfaceError.internalError(message: "the sign-in ended without a user; try again")
            }
            let identity = completed.profile.identity
            await daemon.inventory.changed(identity)
            daemon.events.report(.signInCompleted, words, providerID: identity.providerID, uid: user.uid, app: request.app)
            let credential = Interface.Credential(completed)
            return Interface.SignInWithCredential.Reply(
                result: Interface.AuthResult(user: user, completed: completed, credential: credential, intent: request.intent))
        case .refused(let refusal, let completed):
            throw try await error(
                for: refusal, completed, boundTo: settled.binding, intent: request.intent, app: request.app)
        case .failed:
            throw InterfaceError.internalError(message: "the credential was not judged; try again")
        }
    }

    // MARK: Credentials

    func listCredentials(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try parameters(of: call, as: Interface.ListCredentials.self)
        try daemon.keeper.check()
        let credentials = daemon.inventory.shelf.all.map { credential in
            Interface.StoredCredential(
                credential, renewsItself: daemon.providers[credential.providerID]?.dialect.accessTokenRenewsItself ?? false,
                now: daemon.platform.now)
        }
        reply.send(Interface.ListCredentials.Reply(credentials: credentials), continues: false)
    }

    func getAccessToken(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.GetAccessToken.self)
        let minimumValidity = parameters.minimumValiditySeconds ?? 60
        guard (0...31_536_000).contains(minimumValidity) else { throw InterfaceError.invalidParameter("minimumValiditySeconds") }
        try daemon.keeper.check()
        let request = AccessTokens.Request(
            providerID: parameters.providerID, subject: parameters.uid,
            demand: TokenDemand(
                scopes: parameters.scopes ?? [], minimumValidity: Int64(minimumValidity), forceRefresh: parameters.forceRefresh ?? false))
        daemon.tokens.get(request) { result in
            switch result {
            case .success(let credential):
                let grant = credential.grant
                reply.send(
                    Interface.GetAccessToken.Reply(
                        accessToken: grant.accessToken, tokenType: grant.tokenType, secret: grant.tokenSecret,
                        expiresAt: grant.expiresAt.map { "\($0)" }, scopes: grant.scopes, uid: credential.subject
                    ), continues: false)
            case .failure(let error): reply.fail(error)
            }
        }
    }

    func revokeCredential(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.RevokeCredential.self)
        try daemon.keeper.check()
        // What is kept can be taken back, whatever became of its provider here.
        if daemon.inventory.shelf.isEmpty(providerID: parameters.providerID) {
            _ = try daemon.providers.configured(parameters.providerID)
        }
        let credential = try daemon.tokens.credential(of: parameters.providerID, subject: parameters.uid)
        answer(reply) { [daemon] in
            Interface.RevokeCredential.Reply(revokedAtProvider: try await daemon.revocation.revoke(credential))
        }
    }
}
