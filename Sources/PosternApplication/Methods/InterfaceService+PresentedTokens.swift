import PosternCore
import PosternInterface

extension InterfaceService {
    /// More than any nonce needs; ours have 43 characters.
    private static let longestNonce = 512

    /// `SignInWithCredential` with tokens that the program got itself, such as from a phone's sign-in: an ID token and the nonce that it
    /// was asked for with, an access token, or both.
    func signInWithTokens(_ request: CredentialRequest, _ reply: any InterfaceReply) throws {
        let input = request.input
        guard input.accessToken != nil || input.idToken != nil else { throw InterfaceError.invalidParameter("credential.handle") }
        guard let providerID = input.providerID else { throw InterfaceError.invalidParameter("credential.providerID") }
        let credential = try Self.presented(in: input)
        var names: Set<String> = ["providerID", "idToken", "rawNonce"]
        if credential.accessToken != nil { names.formUnion(["accessToken", "secret"]) }
        if credential.idToken == nil { names.remove("rawNonce") }
        try request.allowOnly(names)
        let provider = try daemon.providers.configured(providerID)
        if credential.idToken != nil, provider.kind != .oidc {
            throw InterfaceError.invalidCredential(
                message:
                    "\(provider.displayName) is no OpenID provider as it is configured here, so none of its ID tokens says who somebody is")
        }
        // An access token of OAuth 1.0a opens nothing without its secret, and no other one has any.
        guard credential.accessToken == nil || (credential.tokenSecret != nil) == (provider.kind == .oauth1) else {
            throw InterfaceError.invalidParameter("credential.secret")
        }
        answer(reply, app: request.app) { [daemon] in
            let proof = CredentialProof(credential.idToken == nil ? .accessToken : .idToken, at: daemon.platform.signIns.now)
            // Nobody needs to be asked.
            try AccountFailure.wrapping(rule: proof.require(for: request.intent))
            guard let idToken = credential.idToken else { return try await self.signIn(with: credential, proof, at: provider, request) }
            try daemon.presentedTokens.take(idToken.text)
            do { return try await self.signIn(with: credential, proof, at: provider, request) } catch {
                daemon.presentedTokens.giveBack(idToken.text)
                throw error
            }
        }
    }

    private static func presented(in input: Interface.CredentialInput) throws -> PresentedCredential {
        var credential = PresentedCredential()
        if let idToken = input.idToken {
            guard !idToken.isEmpty else { throw InterfaceError.invalidParameter("credential.idToken") }
            // Without it the token would be good for everybody who ever saw it.
            guard let rawNonce = input.rawNonce, isVisible(rawNonce, longest: longestNonce) else {
                throw InterfaceError.invalidParameter("credential.rawNonce")
            }
            credential.idToken = (idToken, rawNonce)
        }
        for (name, value, path) in [
            ("accessToken", input.accessToken, \PresentedCredential.accessToken), ("secret", input.secret, \.tokenSecret),
        ] {
            guard let value else { continue }
            // It goes into a header, where a line feed would begin another one.
            guard isVisible(value, longest: Grant.longestToken) else { throw InterfaceError.invalidParameter("credential.\(name)") }
            credential[keyPath: path] = value
        }
        return credential
    }

    private func signIn(
        with credential: PresentedCredential, _ proof: CredentialProof, at provider: Provider, _ request: CredentialRequest
    ) async throws -> Interface.SignInWithCredential.Reply {
        let presented: ExchangedCode
        do throws(PresentedFailure) {
            presented = try await daemon.exchange.presented(credential, at: provider)
        } catch {
            throw InterfaceError(error, of: provider)
        }
        // A reload meanwhile may have given the name to another provider, whose accounts are other people's.
        do throws(SignInFailure) { _ = try daemon.providers.provider(provider.id, boundTo: provider.binding) } catch {
            throw InterfaceError(.signIn(error), of: provider)
        }
        let completed = CompletedSignIn(
            grant: presented.grant, profile: presented.profile, proof: proof, rawNonce: credential.idToken?.rawNonce, user: nil,
            isNewUser: false)
        let shown = credential.idToken.map { idToken in
            SpentToken(
                hash: SpentTokens.hash(of: idToken.text, cryptography: daemon.exchange.cryptography),
                until: daemon.platform.now.adding(seconds: SpentTokens.memory))
        }
        guard
            let settled = try await daemon.accounts.settle(
                .presented(completed, provider.binding, shown), intent: request.intent, app: request.app)
        else { throw AccountFailure.tokenSpent }
        return try await reply(to: request, settled, "signed in with a token that a program had")
    }

    /// Printable ASCII without blanks: what nonces are made of, as Facebook's own library demands it, and tokens (RFC 6750 section 2.1).
    private static func isVisible(_ text: Secret, longest: Int) -> Bool {
        (1...longest).contains(text.count) && text.withBytes { $0.allSatisfy { 0x21...0x7E ~= $0 } }
    }
}

extension InterfaceError {
    fileprivate init(_ failure: PresentedFailure, of provider: Provider) {
        let name = provider.displayName
        switch failure {
        case .token(.transient(let failure)):
            self = .providerUnreachable(message: "\(name): \(PresentedTokenError.transient(failure))", providerID: provider.id)
        case .token(let error): self = .invalidCredential(message: "\(name): \(error)")
        case .signIn(.invalidIDToken(let reason)):
            self = .invalidIDToken(message: "the ID token of \(name) was refused: \(reason)", providerID: provider.id, reason: reason)
        case .signIn(.unreachable(let message)): self = .providerUnreachable(message: message, providerID: provider.id)
        case .signIn(.providerNotConfigured(let message)): self = .providerNotConfigured(message: message, providerID: provider.id)
        case .signIn(.exchangeFailed(let error, let description, let message)):
            self = .exchangeFailed(message: message, providerID: provider.id, error: error, errorDescription: description)
        case .signIn(.internal(let message)): self = .internalError(message: message)
        case .signIn(.denied), .signIn(.timedOut), .signIn(.cancelled), .signIn(.otherAccount), .signIn(.storeUnavailable):
            self = .internalError(message: "the token was not judged; try again")
        }
    }
}
