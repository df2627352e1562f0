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
    func signInWithTokens(_ request: CredentialRequest, _ reply: VarlinkReplyHandle) throws {
        let input = request.input
        guard let idToken = input.idToken, !idToken.isEmpty else { throw VarlinkError.invalidParameter("credential.handle") }
        guard let providerID = input.providerID else { throw VarlinkError.invalidParameter("credential.providerID") }
        // Without it the token would be good for everybody who ever saw it.
        guard let rawNonce = input.rawNonce, Self.isNonce(rawNonce) else { throw VarlinkError.invalidParameter("credential.rawNonce") }
        try request.allowOnly(["providerID", "idToken", "rawNonce"])
        let provider = try daemon.providers.configured(providerID)
        guard provider.kind == .oidc else {
            throw InterfaceError.invalidCredential(
                message:
                    "\(provider.displayName) is no OpenID provider as it is configured here, so none of its tokens says who somebody is")
        }
        answer(reply) { [daemon] in
            let shown = Secret(idToken)
            return try await daemon.presentedTokens.once(shown) {
                try await self.signIn(idToken: shown, rawNonce: Secret(rawNonce), at: provider, request)
            }
        }
    }

    private func signIn(
        idToken: Secret, rawNonce: Secret, at provider: PosternCore.Provider, _ request: CredentialRequest
    ) async throws -> SignInWithCredentialReply {
        let presented: ExchangedCode
        do throws(SignInFailure) {
            presented = try await daemon.exchange.presented(idToken, rawNonce: rawNonce, at: provider)
            // A reload meanwhile may have given the name to another provider, whose accounts are other people's.
            _ = try daemon.providers.provider(provider.id, boundTo: provider.binding)
        } catch {
            throw InterfaceError(presentedTokenFailure: error, of: provider)
        }
        let completed = CompletedSignIn(
            grant: presented.grant, profile: presented.profile, rawNonce: rawNonce, user: nil, isNewUser: false)
        let shown = SpentToken(
            hash: SpentTokens.hash(of: idToken, cryptography: daemon.exchange.cryptography),
            until: WallClock.now.adding(seconds: SpentTokens.memory))
        guard
            let settled = try await daemon.accounts.settle(
                .presented(completed, provider.binding, shown), intent: request.intent, app: request.app)
        else { throw PresentedTokens.isSpent }
        return try await reply(to: request, settled, "signed in with an ID token that a program had")
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
