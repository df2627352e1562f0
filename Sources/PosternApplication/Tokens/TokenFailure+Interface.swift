import PosternCore
import PosternInterface

extension InterfaceError {
    /// How a failed request for a token is reported on the socket.
    ///
    /// - Parameters:
    ///   - name: the provider's display name.
    ///   - accounts: the names in the configuration, if they are accepted in place of the provider's.
    ///   - signIn: the arguments of `postern sign-in` that mean the account; nil for those that mean the provider.
    init(_ failure: TokenFailure, providerID: String, name: String, accounts: [String] = [], signIn: String? = nil) {
        let signIn = signIn ?? providerID
        switch failure {
        case .provider(let failure): self.init(failure, accounts: accounts)
        case .nobodySignedIn:
            self = .signInRequired(
                message: "nobody has signed in at \(name) yet; run `postern sign-in \(providerID)`", providerID: providerID,
                reason: "nobody has signed in")
        case .unknownAccount(let subject):
            self = .signInRequired(
                message: "no credential of the account \(subject) at \(name) is stored here; sign in with it first", providerID: providerID,
                reason: "nobody has signed in with this account")
        case .ambiguousAccount(let credentials):
            self = .ambiguousAccount(
                message: "several accounts at \(name) are stored here: \(Self.list(credentials)); name one of them",
                uids: credentials.map(\.subject))
        case .noSuchAccount(let login, let credentials):
            // Signing in may not help: the name may be mistyped.
            self = .ambiguousAccount(
                message: "no account at \(name) is called \(login); stored here: \(Self.list(credentials)); "
                    + "`postern sign-in \(providerID)` adds another", uids: credentials.map(\.subject))
        case .providerChanged:
            self = .signInRequired(
                message: "\(name) has a different issuer, token endpoint or client ID than when its credential was issued, so that one is "
                    + "not used; run `postern sign-in \(signIn)`", providerID: providerID,
                reason: "the provider's configuration changed")
        case .signInRequired(let requirement):
            self = .signInRequired(
                message: "you must sign in at \(name): \(requirement); run `postern sign-in \(signIn)`", providerID: providerID,
                reason: "\(requirement)")
        case .scopeNotGranted(let missing):
            self = .scopeNotGranted(
                message: "\(name) has not granted \(missing.joined(separator: ", ")); sign in again and request it", missing: missing)
        case .noIDToken:
            self = .unsupportedFlow(
                message: "\(name) gave no ID token with this sign-in; only OpenID providers give one", providerID: providerID,
                flow: "id-token")
        case .noTokensForResources:
            self = .unsupportedFlow(
                message: "\(name) gives no tokens for single services; ask without a resource", providerID: providerID, flow: "resource")
        case .otherResource(let resource, let server):
            self = .unsupportedFlow(
                message: "the tokens of \(name) are for \(ProviderText.shown(server)) alone, and not for \(ProviderText.shown(resource)); "
                    + "ask without a resource, or add the other server: postern mcp add URL", providerID: providerID, flow: "resource")
        case .boundToKey:
            self = .unsupportedFlow(
                message: "the tokens of \(name) are bound to a key that stays with the daemon (DPoP), and are useless without its proofs; "
                    + "AuthorizeRequest gives the headers for a request, and `postern curl` makes one", providerID: providerID,
                flow: "bearer")
        case .notRenewed(let failure): self.init(failure, providerID: providerID, providerName: name, isOfRenewal: true, signIn: signIn)
        case .tooMany(let reason): self = .tooManyTokens(reason, name: name)
        case .notSaved(let problem), .storeClosed(let problem): self.init(problem)
        case .ending: self = .ending
        case .takenBack:
            self = .signInRequired(
                message: "the credential at \(name) was revoked while it was being renewed; sign in again", providerID: providerID,
                reason: "the credential was revoked")
        }
    }

    private static func tooManyTokens(_ reason: TooManyTokens, name: String) -> InterfaceError {
        switch reason {
        case .requests(let seconds):
            return .tooManyAttempts(
                message: "programs requested too many tokens of \(name), so it is not asked now; try again in \(seconds) s",
                retryAfterSeconds: Int(seconds))
        case .validTokens(let seconds):
            let advice = seconds.map { "try again in \($0) s" } ?? "none of them expires, so revoke the credential and sign in again"
            return .tooManyAttempts(
                message: "programs hold too many tokens of \(name) for single services or scopes; \(advice)",
                retryAfterSeconds: Int(seconds ?? 3600))
        }
    }

    /// The accounts as people know them, each with its identifier only if another is called the same. The sentence lists some; `uids` has
    /// all.
    private static func list(_ credentials: [StoredCredential]) -> String {
        let shown = 20
        let count = Dictionary(credentials.map { ($0.calling, 1) }, uniquingKeysWith: +)
        let called = credentials.prefix(shown).map { count[$0.calling] == 1 ? $0.calling : "\($0.calling) (\($0.subject))" }
        let more = credentials.count > shown ? ", and \(credentials.count - shown) more" : ""
        return called.joined(separator: ", ") + more
    }
}
