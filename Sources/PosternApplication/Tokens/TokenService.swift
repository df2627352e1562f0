import PosternCore
import PosternInterface
import StrictJSON

/// The methods about credentials of accounts at providers, and their tokens.
@DaemonActor
final class TokenService: Grounded, TokenMethods {
    let ground: Ground
    let providers: ProviderRoom
    let tokens: TokenRoom
    /// The URL that was asked about last: a program usually asks about the same one again.
    var lastAsked: URLPrefix.AskedURL?

    init(_ ground: Ground, providers: ProviderRoom, tokens: TokenRoom) {
        self.ground = ground
        self.providers = providers
        self.tokens = tokens
    }

    func listCredentials(_ call: Interface.ListCredentials) async throws(InterfaceError) -> Interface.ListCredentials.Reply {
        try await read { _ = providers.cache.all }
        let named = tokens.states.namedAccounts()
        let credentials = providers.cache.all.map { tokens.states.described($0, as: named[CredentialCache.Key($0)]) }
        return Interface.ListCredentials.Reply(credentials: credentials)
    }

    func getAccessToken(_ call: Interface.GetAccessToken) async throws(InterfaceError) -> Interface.GetAccessToken.Reply {
        try await read { _ = try? storedToken(call) }
        let request = try request(for: call)
        do throws(TokenFailure) {
            // Before the provider is asked for it.
            if let kept = try? tokens.accessTokens.credential(of: request.providerID, subject: request.subject) {
                try Self.requireBare(kept)
            }
            await tokens.refusedTokens.insisted(on: request)
            return Interface.GetAccessToken.Reply(try Self.requireBare(try await tokens.accessTokens.credential(for: request)))
        } catch {
            throw refusal(error, of: request.providerID, subject: request.subject)
        }
    }

    /// A token that is bound to a key is of no use without proofs by that key, which stays in the daemon.
    @discardableResult
    private static func requireBare(_ credential: StoredCredential) throws(TokenFailure) -> StoredCredential {
        guard credential.grant.proofKey == nil else { throw .boundToKey }
        return credential
    }

    /// The answer to `GetAccessToken` if the stored token will do; nil if the provider has to be asked first.
    func storedToken(_ call: Interface.GetAccessToken) throws(InterfaceError) -> SecretObject? {
        let request = try request(for: call)
        do throws(TokenFailure) {
            guard let stored = try tokens.accessTokens.stored(for: request) else { return nil }
            try Self.requireBare(stored.credential)
            return stored.tokenReply
        } catch {
            throw refusal(error, of: request.providerID, subject: request.subject)
        }
    }

    /// The answer to a call if what is stored will do; nil if the provider, or the store, has to be asked first.
    func stored(_ method: Interface.Method, _ parameters: JSONObject) throws(InterfaceError) -> (any JSONMembers)? {
        switch method {
        case .getAccessToken:
            let call = try Interface.GetAccessToken.read(parameters)
            try store.require()
            return try storedToken(call)
        case .getIDToken:
            let call = try Interface.GetIDToken.read(parameters)
            try store.require()
            return try storedIDToken(call)
        case .authorizeRequest:
            let call = try Interface.AuthorizeRequest.read(parameters)
            try store.require()
            return storedAuthorization(call)
        default: return nil
        }
    }

    /// Has the credentials read that a method needs and that are not in memory yet.
    ///
    /// - Parameter look: asks for them, again after each that had to be read. What is wrong with the call is reported by the method itself.
    func read(_ look: () -> Void) async throws(InterfaceError) {
        guard !providers.cache.isComplete else { return }
        await providers.loader.read { if !store.isUnavailable { look() } }
        try store.require()
    }

    private func request(for call: Interface.GetAccessToken) throws(InterfaceError) -> AccessTokens.Request {
        let minimumValidity = try minimumValidity(call.minimumValiditySeconds)
        let account = try account(call.providerID, uid: call.uid, account: call.account)
        try account.named?.requireUsable()
        return AccessTokens.Request(
            providerID: account.providerID, subject: account.subject,
            demand: TokenDemand(
                scopes: try scopes(call.scopes), resource: try resource(call.resource ?? account.named?.resource),
                minimumValidity: minimumValidity, forceRefresh: call.forceRefresh ?? false))
    }

    private func scopes(_ scopes: [String]?) throws(InterfaceError) -> [String] {
        guard let scopes else { return [] }
        guard scopes.count <= Scopes.most else { throw .invalidParameter("scopes") }
        return scopes
    }

    /// RFC 8707 section 2: an absolute URI without a fragment.
    private func resource(_ resource: String?) throws(InterfaceError) -> String? {
        guard let resource else { return nil }
        guard ProviderExtensions.isResource(resource) else { throw .invalidParameter("resource") }
        return resource
    }

    /// At most a year.
    func minimumValidity(_ seconds: Int?) throws(InterfaceError) -> Int64 {
        let seconds = seconds ?? 60
        guard (0...31_536_000).contains(seconds) else { throw .invalidParameter("minimumValiditySeconds") }
        return Int64(seconds)
    }

    /// - Parameter subject: the account that it is about; nil for the provider's only one.
    func refusal(_ failure: TokenFailure, of providerID: String, subject: String? = nil) -> InterfaceError {
        let held = subject.flatMap { providers.cache[CredentialKey(providerID: providerID, subject: $0)] }
        return InterfaceError(
            failure, providerID: providerID, name: providers.directory.displayName(providerID), accounts: directory.accounts.map(\.name),
            signIn: held.map { tokens.states.signInWords(for: $0, as: owner(of: $0)) })
    }

    func revokeCredential(_ call: Interface.RevokeCredential) async throws(InterfaceError) -> Interface.RevokeCredential.Reply {
        try await read { _ = try? meant(by: call) }
        let credential: StoredCredential
        do throws(InterfaceError) { credential = try meant(by: call) } catch {
            guard let reply = try await forgetDamaged(call) else { throw error }
            return reply
        }
        do throws(StoreError) {
            let apps = credential.keepers.apps.map(\.text)
            switch try await providers.revocation.revoke(credential, keepsGrant: call.keepGrant ?? false) {
            case .revoked: return Interface.RevokeCredential.Reply(revokedAtProvider: true, apps: apps)
            case .noWay: return Interface.RevokeCredential.Reply(revokedAtProvider: false, hasNoWay: true, apps: apps)
            case .failed(let reason):
                return Interface.RevokeCredential.Reply(revokedAtProvider: false, hasNoWay: false, reason: reason, apps: apps)
            case .notAsked: return Interface.RevokeCredential.Reply(revokedAtProvider: false, apps: apps)
            }
        } catch { throw InterfaceError(error) }
    }

    /// Removes what cannot be decrypted, which no list of credentials has and no sign-in needs.
    ///
    /// - Returns: nil if nothing of it can be what the call means.
    private func forgetDamaged(_ call: Interface.RevokeCredential) async throws(InterfaceError) -> Interface.RevokeCredential.Reply? {
        guard !store.isUnavailable else { return nil }
        let named = named(call.providerID, uid: call.uid, account: call.account)
        let providerID = named?.providerID ?? call.providerID
        let subject = call.uid ?? call.account ?? (named?.isLoginHint == true ? named?.name : named?.login?.text)
        let cache = providers.cache
        if let subject {
            guard cache[CredentialCache.Key(providerID: providerID, subject: subject)] == nil else { return nil }
        } else {
            // Whose the damaged ones are is unknown: they may be another name's.
            guard named == nil, cache.isEmpty(providerID: providerID) else { return nil }
        }
        do throws(StoreError) {
            guard try await providers.revocation.forgetDamaged(providerID: providerID, subject: subject) else { return nil }
        } catch { throw InterfaceError(error) }
        return Interface.RevokeCredential.Reply(
            revokedAtProvider: false, hasNoWay: false,
            reason: "the stored credential could not be read, so it was removed here but could not be revoked at the provider")
    }

    func meant(by call: Interface.RevokeCredential) throws(InterfaceError) -> StoredCredential {
        let account = try account(call.providerID, uid: call.uid, account: call.account)
        // What is stored can be revoked, whatever became of its provider here.
        do throws(InterfaceError) { return try credential(of: account) } catch {
            if providers.cache.isEmpty(providerID: account.providerID) {
                _ = try providers.directory.named(account.providerID, accounts: directory)
            }
            throw error
        }
    }
}

extension Interface.GetAccessToken.Reply {
    init(_ credential: StoredCredential) {
        let grant = credential.grant
        self.init(
            accessToken: grant.accessToken, tokenType: grant.tokenType, secret: grant.tokenSecret,
            expiresAt: grant.expiresAt.map { "\($0)" }, scopes: grant.scopes, uid: credential.subject)
    }
}
