import PosternCore
import PosternInterface

/// `GetIDToken`: the verified ID token of an account, renewed together with its access token.
extension TokenService {
    func getIDToken(_ call: Interface.GetIDToken) async throws(InterfaceError) -> Interface.GetIDToken.Reply {
        try await read { _ = try? storedIDToken(call) }
        let request = try request(for: call)
        let credential: StoredCredential
        do throws(TokenFailure) { credential = try await tokens.accessTokens.credential(for: request) } catch {
            throw refusal(error, of: request.providerID, subject: request.subject)
        }
        let idToken = try idToken(of: credential)
        do throws(StoreError) { try await providers.presentedTokens.keepHandedOut(idToken, obtainedAt: credential.grant.obtainedAt) } catch
        {
            throw InterfaceError(error)
        }
        return try reply(credential, idToken)
    }

    /// The answer if the stored ID token will do; nil if the provider, or the store, has to be asked first.
    func storedIDToken(_ call: Interface.GetIDToken) throws(InterfaceError) -> Interface.GetIDToken.Reply? {
        let request = try request(for: call)
        let stored: StoredCredential?
        do throws(TokenFailure) { stored = try tokens.accessTokens.stored(for: request)?.credential } catch {
            throw refusal(error, of: request.providerID, subject: request.subject)
        }
        guard let stored else { return nil }
        let idToken = try idToken(of: stored)
        guard providers.presentedTokens.isKept(idToken, obtainedAt: stored.grant.obtainedAt) else { return nil }
        return try reply(stored, idToken)
    }

    private func request(for call: Interface.GetIDToken) throws(InterfaceError) -> AccessTokens.Request {
        let minimumValidity = try minimumValidity(call.minimumValiditySeconds)
        let account = try account(call.providerID, uid: call.uid, account: call.account)
        try account.named?.requireUsable()
        return AccessTokens.Request(
            providerID: account.providerID, subject: account.subject,
            demand: TokenDemand(.idToken, minimumValidity: minimumValidity, forceRefresh: call.forceRefresh ?? false))
    }

    /// A verdict that grants an ID token is only given for a credential that has one.
    private func idToken(of credential: StoredCredential) throws(InterfaceError) -> Secret {
        guard let idToken = credential.grant.idToken else { throw refusal(.noIDToken, of: credential.providerID) }
        return idToken
    }

    private func reply(_ credential: StoredCredential, _ idToken: Secret) throws(InterfaceError) -> Interface.GetIDToken.Reply {
        guard let end = credential.idTokenExpiresAt else { throw refusal(.noIDToken, of: credential.providerID) }
        return Interface.GetIDToken.Reply(idToken: idToken, expiresAt: "\(end)", uid: credential.subject)
    }
}
