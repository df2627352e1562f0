import PosternCore
import PosternCrypto
import PosternInterface
import PosternStore
import Varlink
import VarlinkServer

extension SocketService {
    /// More than any nonce needs; ours have 43 characters.
    private static let longestNonce = 512

    /// `SignInWithCredential` with an ID token that the program got itself, such as from a phone's sign-in, and the nonce that it was
    /// asked for with.
    func signInWithIDToken(_ parameters: SignInWithCredentialParameters, _ reply: VarlinkReplyHandle) throws {
        let input = parameters.credential
        guard let idToken = input.idToken, !idToken.isEmpty else { throw VarlinkError.invalidParameter("credential.handle") }
        guard let providerID = input.providerID else { throw VarlinkError.invalidParameter("credential.providerID") }
        // Without it the token would be good for everybody who ever saw it.
        guard let rawNonce = input.rawNonce, Self.isNonce(rawNonce) else { throw VarlinkError.invalidParameter("credential.rawNonce") }
        let others: [(String, String?)] = [
            ("accessToken", input.accessToken), ("secret", input.secret), ("email", input.email), ("password", input.password),
        ]
        if let extra = others.first(where: { $0.1 != nil }) { throw VarlinkError.invalidParameter("credential.\(extra.0)") }
        guard parameters.intent ?? .signIn == .signIn else { throw VarlinkError.invalidParameter("intent") }
        let app = try app(parameters.app)
        let provider = try daemon.providers.configured(providerID)
        guard provider.kind == .oidc else {
            throw InterfaceError.invalidCredential(
                message:
                    "\(provider.displayName) is no OpenID provider as it is configured here, so none of its tokens says who somebody is")
        }
        answer(reply) { [daemon] in
            let shown = Secret(idToken)
            return try await daemon.presentedTokens.once(shown) {
                try await self.signIn(idToken: shown, rawNonce: Secret(rawNonce), at: provider, app: app)
            }
        }
    }

    private func signIn(
        idToken: Secret, rawNonce: Secret, at provider: PosternCore.Provider, app: String
    ) async throws -> SignInWithCredentialReply {
        let presented: ExchangedCode
        do throws(SignInFailure) {
            presented = try await daemon.exchange.presented(idToken, rawNonce: rawNonce, at: provider)
            // A reload meanwhile may have given the name to another provider, whose accounts are other people's.
            _ = try daemon.providers.provider(provider.id, boundTo: provider.binding)
        } catch {
            throw InterfaceError(presentedTokenFailure: error, of: provider)
        }
        let bare = CompletedSignIn(
            grant: presented.grant, profile: presented.profile, rawNonce: rawNonce, user: nil, isNewUser: false)
        let now = WallClock.now
        let newUID = RandomIdentifier.uid(randomBytes: try RandomBytes.generate(28))
        let signedIn = try await daemon.store.opened().signIn(
            spending: SpentTokens.hash(of: idToken, cryptography: daemon.exchange.cryptography),
            until: now.adding(seconds: SpentTokens.memory), now: now
        ) { accounts in
            let signedIn = try SignedIn(bare, boundTo: provider.binding, app: app, newUID: newUID, now: now, accounts: accounts)
            return (signedIn, signedIn.changes)
        }
        guard let signedIn else { throw PresentedTokens.isSpent }
        let completed = signedIn.completed
        guard let user = completed.user else { throw InterfaceError.internalError(message: "the sign-in ended without a user; try again") }
        await daemon.accountsChanged(completed.profile.identity)
        daemon.feed.post(
            .signInCompleted, "signed in with an ID token that a program had", providerID: provider.id, uid: user.uid, app: app)
        return SignInWithCredentialReply(
            result: AuthResult(user: user, completed: completed, credential: PosternInterface.Credential(completed)))
    }

    /// Printable ASCII without blanks, as Facebook's own library demands of it.
    private static func isNonce(_ text: String) -> Bool {
        (1...longestNonce).contains(text.utf8.count) && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}

extension InterfaceError {
    fileprivate init(presentedTokenFailure failure: SignInFailure, of provider: PosternCore.Provider) {
        switch failure {
        case .invalidIDToken(let reason):
            self = .invalidIDToken(
                message: "the ID token of \(provider.displayName) was refused: \(reason)", providerID: provider.id, reason: reason)
        case .unreachable(let message): self = .providerUnreachable(message: message, providerID: provider.id)
        case .providerNotConfigured(let message): self = .providerNotConfigured(message: message, providerID: provider.id)
        case .exchangeFailed(let error, let description, let message):
            self = .exchangeFailed(message: message, providerID: provider.id, error: error, errorDescription: description)
        case .internal(let message): self = .internalError(message: message)
        case .denied, .timedOut, .cancelled, .otherAccount, .storeUnavailable:
            self = .internalError(message: "the token was not judged; try again")
        }
    }
}
