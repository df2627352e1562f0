import PosternCore
import PosternInterface

extension TokenService {
    /// What is to be authorized, with which credential, and the configured name that claims it.
    typealias Target = (url: URLPrefix.AskedURL, kept: StoredCredential, named: NamedAccount?)

    private static let mostFormParameters = 256

    /// Returns what authorizes one request of a program. Secrets and keys that sign requests stay in the daemon.
    func authorizeRequest(_ call: Interface.AuthorizeRequest) async throws(InterfaceError) -> Interface.AuthorizeRequest.Reply {
        try check(call)
        try await read { _ = try? asked(call) }
        let target = try present(call)
        let (kept, named) = (target.kept, target.named)
        let providerID = kept.providerID
        guard isServed(target) else { throw notServed(target.url, by: providerID) }
        var (needsRenewal, nonce): (Bool, String?) = (false, nil)
        if let challenge = call.challenge { (needsRenewal, nonce) = try await remedy(for: challenge, of: kept, as: named) }
        let wanted = token(for: call, target, isRenewed: call.forceRefresh == true || needsRenewal)
        await tokens.refusedTokens.insisted(on: wanted)
        let credential: StoredCredential
        do throws(TokenFailure) { credential = try await tokens.accessTokens.credential(for: wanted) } catch {
            throw refusal(error, of: providerID, subject: kept.subject)
        }
        var request = ProviderRequest(method: call.method, url: call.url)
        if let form = call.form { request = request.withForm(form.map { ($0.name, $0.value) }) }
        let authorization: ProviderDirectory.Authorization
        do throws(ProviderFailure) {
            authorization = try await providers.directory.authorization(of: request, by: credential, nonce: call.dpopNonce ?? nonce)
        } catch {
            throw InterfaceError(
                error, providerID: providerID, providerName: providers.directory.displayName(providerID), isOfRenewal: true)
        }
        return Interface.AuthorizeRequest.Reply(authorization, by: credential)
    }

    /// The answer to a call if a stored bearer token will do; nil if something has to be asked or made first, or is wrong.
    func storedAuthorization(_ call: Interface.AuthorizeRequest) -> SecretObject? {
        guard call.challenge == nil, call.forceRefresh != true, (try? check(call)) != nil, let target = try? asked(call), isServed(target)
        else { return nil }
        return (try? tokens.accessTokens.stored(for: token(for: call, target, isRenewed: false)))?.authorizationReply
    }

    private func check(_ call: Interface.AuthorizeRequest) throws(InterfaceError) {
        guard HTTPMethod.isOne(call.method) else { throw .invalidParameter("method") }
        if let nonce = call.dpopNonce, !DPoPNonces.isNonce(nonce) { throw .invalidParameter("dpopNonce") }
        guard call.form?.count ?? 0 <= Self.mostFormParameters else { throw .invalidParameter("form") }
    }

    private func isServed(_ target: Target) -> Bool {
        directory.serves(target.url, as: target.named, of: providers.directory[target.kept.providerID]?.serves ?? [])
    }

    private func token(for call: Interface.AuthorizeRequest, _ target: Target, isRenewed: Bool) -> AccessTokens.Request {
        AccessTokens.Request(
            providerID: target.kept.providerID, subject: target.kept.subject,
            demand: TokenDemand(
                scopes: call.scopes ?? [], resource: target.named?.resource, minimumValidity: 60, forceRefresh: isRenewed))
    }

    /// What a server that refused the last request demands of the next.
    ///
    /// - Returns: whether the token is to be renewed first, and the nonce of the next proof.
    /// - Throws: if only a person can help, or nobody.
    private func remedy(
        for challenge: [String], of credential: StoredCredential, as named: NamedAccount?
    ) async throws(InterfaceError) -> (needsRenewal: Bool, nonce: String?) {
        let configured = try providers.directory.named(credential.providerID, accounts: directory)
        let provider = try await withResourceScopes(configured, for: challenge)
        switch try providers.stepUps.verdict(on: challenge, to: credential, of: provider) {
        case nil, .nothing: return (false, nil)
        case .proof(let nonce): return (false, nonce)
        case .renewal: return (true, nil)
        case .refusal(let refusal): throw InterfaceError(refusal, at: provider)
        case .stepUp(let stepUp):
            try providers.stepUps.requireUntried(stepUp, at: provider)
            let words = tokens.states.signInWords(for: credential, as: named)
            tokens.attention.show(stepUp, of: credential, as: named, signInWords: words)
            throw .stepUp(stepUp, at: provider, signIn: words)
        }
    }

    /// An MCP server's provider with the scopes that the server's own document lists, if a challenge wants more and names none.
    private func withResourceScopes(_ provider: Provider, for challenge: [String]) async throws(InterfaceError) -> Provider {
        guard provider.server != nil, AuthenticationChallenge.isBounded(challenge),
            AuthenticationChallenge.all(in: challenge).contains(where: {
                $0.parameters["error"] == "insufficient_scope" && $0.parameters["scope"] == nil
            })
        else { return provider }
        if let found = providers.directory.located[provider.id]?.provider { return found }
        do throws(ProviderFailure) {
            return try await platform.work.count { () async throws(ProviderFailure) in
                try await providers.directory.withIssuer(provider, replacing: nil)
            }
        } catch {
            throw InterfaceError(error, providerID: provider.id, providerName: provider.displayName)
        }
    }

    /// As ``asked(_:)``; the person is told of an account that nobody has signed in to.
    private func present(_ call: Interface.AuthorizeRequest) throws(InterfaceError) -> Target {
        do throws(InterfaceError) { return try asked(call) } catch {
            if case .signInRequired(_, let providerID, _) = error, let provider = providers.directory[providerID] {
                let name = call.account ?? call.providerID
                let named =
                    name.map { directory[$0] ?? directory.meant(by: $0) } ?? (try? asked(call.url)).flatMap { served($0).first?.account }
                tokens.attention.showAbsent(at: provider, as: named?.providerID == providerID ? named : nil)
            }
            throw error
        }
    }

    func asked(_ call: Interface.AuthorizeRequest) throws(InterfaceError) -> Target {
        let url = try asked(call.url)
        let choice = try account(for: url, call)
        _ = try providers.directory.named(choice.providerID, accounts: directory)
        let kept = try credential(of: choice)
        return (url, kept, choice.named ?? owner(of: kept))
    }

    /// The named account, or the one whose tokens are for the URL.
    private func account(
        for url: URLPrefix.AskedURL, _ call: Interface.AuthorizeRequest
    ) throws(InterfaceError) -> AccountChoice {
        if let providerID = call.providerID { return try account(providerID, uid: nil, account: call.account) }
        if let name = call.account { return try account(name, uid: nil, account: nil) }
        let matches = served(url)
        guard let first = matches.first else { throw nobody(for: url) }
        guard let credential = first.credential else {
            let name = first.account?.name ?? first.providerID
            throw .signInRequired(
                message:
                    "nobody has signed in at \(providers.directory.displayName(first.providerID)), whose tokens are for \(url.origin); "
                    + "run `postern sign-in \(name)`",
                providerID: first.providerID, reason: "nobody has signed in")
        }
        let rivals = closest(matches)
        guard rivals.count == 1 else {
            throw .ambiguousAccount(message: doubt(between: rivals, for: url), uids: rivals.compactMap(\.credential?.subject))
        }
        return AccountChoice(providerID: credential.providerID, subject: credential.subject, named: first.account)
    }

    func nobody(for url: URLPrefix.AskedURL) -> InterfaceError {
        let hint = "no account's tokens are for \(url.origin); put the URL under `serves` of its provider or `for` of an account"
        return .originNotServed(message: absence(for: url) ?? hint, origin: url.origin)
    }

    func notServed(_ url: URLPrefix.AskedURL, by providerID: String) -> InterfaceError {
        let name = providers.directory.displayName(providerID)
        if let server = providers.directory[providerID]?.server {
            return .originNotServed(
                message: "the tokens of \(providerID) are for the MCP server \(server.url.text) alone, and not for \(url.origin)",
                origin: url.origin)
        }
        return .originNotServed(
            message: "the tokens of \(name) are not for \(url.origin); if they should be, put the URL under "
                + "`serves` of [provider.\(providerID)] or `for` of the account",
            origin: url.origin)
    }
}
