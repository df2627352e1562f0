import PosternCore
import PosternInterface

extension SignInService {
    func signInWithCredential(_ call: Interface.SignInWithCredential) async throws(InterfaceError) -> Interface.SignInWithCredential.Reply {
        // A program need not be given what it already has; and what is kept for the person comes from a page that the person answered.
        guard let intent = Intent(call.intent ?? .signIn), intent != .credential else { throw .invalidParameter("intent") }
        let request = CredentialRequest(input: call.credential, intent: intent, app: try AppName.checked(call.app))
        let input = request.input
        if input.handle != nil { return try await signInWithHandle(request) }
        let hasTokens = input.idToken != nil || input.accessToken != nil
        if !hasTokens, input.email != nil || input.password != nil { return try await signInWithPassword(request) }
        return try await signInWithTokens(request)
    }

    /// One of the kinds of credential that `SignInWithCredential` takes, and what is to become of it.
    struct CredentialRequest {
        var input: Interface.CredentialInput
        var intent: Intent
        var app: AppName

        /// Anything beyond the members of this kind would be ignored, which nobody expects.
        func allowOnly(_ names: Set<String>) throws(InterfaceError) {
            let others: [(String, Any?)] = [
                ("handle", input.handle), ("providerID", input.providerID), ("accessToken", input.accessToken),
                ("secret", input.secret), ("idToken", input.idToken), ("rawNonce", input.rawNonce), ("email", input.email),
                ("password", input.password),
            ]
            if let extra = others.first(where: { $0.1 != nil && !names.contains($0.0) }) {
                throw .invalidParameter("credential.\(extra.0)")
            }
        }
    }

    private func signInWithHandle(_ request: CredentialRequest) async throws(InterfaceError) -> Interface.SignInWithCredential.Reply {
        try request.allowOnly(["handle"])
        guard let handle = request.input.handle else { throw .invalidParameter("credential.handle") }
        let settled = try await demand.whileWanted(
            app: request.app, await accounts.settle(.handle(handle.reveal()), intent: request.intent, app: request.app))
        guard let settled else {
            throw .invalidCredential(
                message:
                    "the credential handle is unknown, expired or used, or the configuration has changed since; a handle is valid once, "
                    + "for five minutes: sign in again")
        }
        return try await reply(to: request, settled, "with a credential")
    }

    private func signInWithPassword(_ request: CredentialRequest) async throws(InterfaceError) -> Interface.SignInWithCredential.Reply {
        try request.allowOnly(["email", "password", "providerID"])
        guard let email = request.input.email else { throw .invalidParameter("credential.email") }
        guard let password = request.input.password else { throw .invalidParameter("credential.password") }
        guard request.input.providerID.map({ $0 == User.passwordProviderID }) ?? true else {
            throw .invalidParameter("credential.providerID")
        }
        let result = try await demand.whileWanted(
            app: request.app, await accounts.signIn(email: email, password: password, intent: request.intent, app: request.app))
        providers.loader.usersChanged()
        return Interface.SignInWithCredential.Reply(result: Interface.AuthResult(result))
    }

    /// The reply, or the refusal with everything that lets the program continue.
    private func reply(
        to request: CredentialRequest, _ settled: Settlement, _ words: String
    ) async throws(InterfaceError) -> Interface.SignInWithCredential.Reply {
        switch settled.outcome {
        case .completed(let completed):
            guard let user = completed.user else { throw .internalError(message: "the sign-in ended without a user; try again") }
            let identity = completed.profile.identity
            await providers.loader.changed(identity)
            events.report(
                .signInCompleted, "signed in at \(providers.directory.displayName(identity.providerID)) \(words)",
                providerID: identity.providerID, uid: user.uid, app: request.app)
            let credential = Interface.Credential(completed)
            return Interface.SignInWithCredential.Reply(
                result: Interface.AuthResult(user: user, completed: completed, credential: credential, intent: request.intent))
        case .refused(let refusal, let completed):
            throw try await demand.translating(app: request.app, await error(refusal, of: completed, settled, request))
        case .kept, .failed: throw .internalError(message: "the credential was not checked; try again")
        }
    }

    private func error(
        _ refusal: AccountRefusal, of completed: CompletedSignIn, _ settled: Settlement, _ request: CredentialRequest
    ) async throws(AccountFailure) -> InterfaceError {
        let app = request.app
        let extras = try await coordinator.extras(
            for: settled.outcome, boundTo: settled.binding, request.intent, app: app, owner: await accounts.pageOwner(app: app))
        if let handle = extras.handle { try await store.ask { store throws(StoreError) in try await store.add(handle) } }
        return coordinator.error(refusal, of: completed, with: extras, app: app)
    }

    // MARK: Tokens that a program obtained

    /// Longer than any nonce needs to be; ours have 43 characters.
    private static let longestNonce = 512

    /// Signs in with tokens such as those of a phone's sign-in: an ID token and the nonce that it was requested with, an access token, or
    /// both.
    private func signInWithTokens(_ request: CredentialRequest) async throws(InterfaceError) -> Interface.SignInWithCredential.Reply {
        let input = request.input
        guard input.accessToken != nil || input.idToken != nil else { throw .invalidParameter("credential.handle") }
        guard let providerID = input.providerID else { throw .invalidParameter("credential.providerID") }
        let credential = try Self.presented(in: input)
        var names: Set<String> = ["providerID", "idToken", "rawNonce"]
        if credential.accessToken != nil { names.formUnion(["accessToken", "secret"]) }
        if credential.idToken == nil { names.remove("rawNonce") }
        try request.allowOnly(names)
        let provider = try providers.directory.named(providerID)
        try ProviderDirectory.check(provider, isFor: request.app)
        try ProviderDirectory.checkNamesPeople(provider)
        if credential.idToken != nil, provider.kind != .oidc {
            throw .invalidCredential(
                message:
                    "\(provider.displayName) is not configured as an OpenID provider here, so its ID tokens identify nobody")
        }
        // An access token of OAuth 1.0a is useless without its secret, and no other kind has one.
        guard credential.accessToken == nil || (credential.tokenSecret != nil) == (provider.kind == .oauth1) else {
            throw .invalidParameter("credential.secret")
        }
        let way: Proof.Way = credential.idToken == nil ? .accessToken : .idToken
        // The provider does not have to be asked.
        try await demand.translating(app: request.app, AccountFailure.wrapping(rule: way.require(for: request.intent)))
        if let idToken = credential.idToken { try await demand.translating(providers.presentedTokens.take(idToken.text)) }
        do throws(InterfaceError) { return try await signIn(with: credential, at: provider, request) } catch {
            if let idToken = credential.idToken { providers.presentedTokens.giveBack(idToken.text) }
            throw error
        }
    }

    private static func presented(in input: Interface.CredentialInput) throws(InterfaceError) -> PresentedCredential {
        var credential = PresentedCredential()
        if let idToken = input.idToken {
            guard !idToken.isEmpty else { throw .invalidParameter("credential.idToken") }
            // Without the nonce, anybody who ever saw the token could use it.
            guard let rawNonce = input.rawNonce, isVisible(rawNonce, longest: longestNonce) else {
                throw .invalidParameter("credential.rawNonce")
            }
            credential.idToken = (idToken, rawNonce)
        }
        for (name, value, path) in [
            ("accessToken", input.accessToken, \PresentedCredential.accessToken), ("secret", input.secret, \.tokenSecret),
        ] {
            guard let value else { continue }
            // It is sent in a header, where a line feed would begin another one.
            guard isVisible(value, longest: Grant.longestToken) else { throw .invalidParameter("credential.\(name)") }
            credential[keyPath: path] = value
        }
        return credential
    }

    private func signIn(
        with credential: PresentedCredential, at provider: Provider, _ request: CredentialRequest
    ) async throws(InterfaceError) -> Interface.SignInWithCredential.Reply {
        var owner: PageOwner?
        if request.intent != .signIn {
            owner = try await demand.translating(app: request.app, await accounts.pageOwner(app: request.app))
        }
        let presented: ExchangedCode
        do throws(ProviderFailure) {
            presented = try await providers.exchange.presented(credential, at: provider)
            // A reload may have given the name to another provider meanwhile, whose accounts are other people's.
            _ = try providers.directory.provider(provider.id, boundTo: provider.binding)
        } catch {
            throw InterfaceError(error, providerID: provider.id, providerName: provider.displayName)
        }
        // Nobody waits any more, and somebody else may have signed in since.
        guard !Task.isCancelled else { throw .callerHasGone }
        let proof = await proof(of: presented, credential, at: provider.binding)
        let completed = CompletedSignIn(
            grant: presented.grant, profile: presented.profile, proof: proof, rawNonce: credential.idToken?.rawNonce, user: nil,
            isNewUser: false)
        guard let standing = providers.directory.standing(completed, boundTo: provider.binding, for: request.app) else {
            throw .invalidCredential(message: "\(provider.displayName) \(StandingCredential.problem)")
        }
        let shown = credential.idToken.map { idToken in
            SpentToken(
                hash: SpentTokens.hash(of: idToken.text, cryptography: platform.cryptography),
                until: platform.now.adding(seconds: SpentTokens.memory))
        }
        defer { coordinator.ownersMayHaveEnded() }
        let settled = try await demand.translating(
            app: request.app,
            await accounts.settle(
                .presented(standing, shown, owner: owner), intent: request.intent, app: request.app))
        guard let settled else {
            throw await accounts.interfaceError(for: .tokenSpent, app: request.app, providers: providers.directory)
        }
        return try await reply(to: request, settled, "with a token that a program presented")
    }

    private func proof(of presented: ExchangedCode, _ credential: PresentedCredential, at origin: ProviderBinding) async -> Proof {
        guard let claims = presented.claims, let text = credential.idToken?.text else { return .accessToken(at: origin) }
        let key = CredentialKey(presented.profile.identity)
        var isRenewed = false
        await providers.loader.read { isRenewed = providers.cache[key]?.isRenewal(text, claims) ?? false }
        return platform.signIns.noted(.presented(claims, isRenewed: isRenewed, now: platform.signIns.now, at: origin))
    }

    /// Printable ASCII without blanks: what nonces consist of, as Facebook's own library requires, and tokens (RFC 6750 section 2.1).
    private static func isVisible(_ text: Secret, longest: Int) -> Bool {
        (1...longest).contains(text.count) && text.withBytes { $0.allSatisfy { 0x21...0x7E ~= $0 } }
    }
}
