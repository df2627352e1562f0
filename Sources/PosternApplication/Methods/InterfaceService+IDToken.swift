import PosternCore
import PosternInterface

/// `GetIDToken`: the verified ID token of an account, renewed together with its access token.
extension InterfaceService {
    public func getIDToken(
        _ call: Interface.GetIDToken, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.GetIDToken.Reply {
        let request = try request(for: call)
        let credential: StoredCredential
        do throws(TokenFailure) { credential = try await daemon.tokens.credential(for: request) } catch {
            throw refusal(error, of: request.providerID)
        }
        return try reply(credential)
    }

    /// The answer where the ID token that is kept will do; nil where the provider has to be asked first.
    func storedIDToken(_ call: Interface.GetIDToken) throws(InterfaceError) -> Interface.GetIDToken.Reply? {
        let request = try request(for: call)
        let stored: StoredCredential?
        do throws(TokenFailure) { stored = try daemon.tokens.stored(for: request) } catch {
            throw refusal(error, of: request.providerID)
        }
        guard let stored else { return nil }
        return try reply(stored)
    }

    private func request(for call: Interface.GetIDToken) throws(InterfaceError) -> AccessTokens.Request {
        let minimumValidity = try minimumValidity(call.minimumValiditySeconds)
        try requireStore()
        let account = try account(call.providerID, uid: call.uid, account: call.account)
        return AccessTokens.Request(
            providerID: account.providerID, subject: account.subject,
            demand: TokenDemand(.idToken, minimumValidity: minimumValidity, forceRefresh: call.forceRefresh ?? false))
    }

    private func reply(_ credential: StoredCredential) throws(InterfaceError) -> Interface.GetIDToken.Reply {
        // A verdict that gives one is given for a credential that has one.
        guard let idToken = credential.grant.idToken, let end = credential.idTokenExpiresAt else {
            throw refusal(.noIDToken, of: credential.providerID)
        }
        daemon.presentedTokens.handedOut(idToken)
        return Interface.GetIDToken.Reply(idToken: idToken, expiresAt: "\(end)", uid: credential.subject)
    }
}
