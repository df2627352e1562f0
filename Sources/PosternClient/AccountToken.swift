import PosternInterface

/// An access token, and the account of the person that it belongs to.
public struct AccountToken: Sendable {
    /// Whose it is: `providerID` and `uid` identify the account.
    public let account: StoredCredential
    private let reply: Interface.GetAccessToken.Reply

    init(_ reply: Interface.GetAccessToken.Reply, of account: StoredCredential) {
        self.reply = reply
        self.account = account
    }

    /// What the person calls the account: its address, else its name.
    public var who: String { account.email ?? account.displayName ?? account.uid }
    /// The token itself. Printing the whole value does not show it.
    public var accessToken: String { reply.accessToken.reveal() }
    /// Usually `Bearer`.
    public var tokenType: String { reply.tokenType }
    /// The token secret of OAuth 1.0a; nil for all other providers.
    public var secret: Secret? { reply.secret }
    /// When the token expires, if the provider says so.
    public var expiresAt: String? { reply.expiresAt }
    /// What the token is good for.
    public var scopes: [String] { reply.scopes }
}

extension PosternClient {
    // MARK: The person's own accounts

    /// A token of an account of the person, who signs in first if there is none.
    ///
    /// It concerns no user of the program's ``app``: the account is the person's own, kept for all their programs. No page is opened if a
    /// token is stored, or can be renewed. Programs that ask for the same meanwhile share the page, and each gets its token.
    ///
    /// If no browser shows the page, its address or the code to type on another device is written to standard error, if the program has a
    /// terminal. If it has none, nobody would read it, and the error is thrown that a token could not be had without: `signInRequired` or
    /// `scopeNotGranted`. A program that runs unattended calls
    /// ``accessToken(for:account:scopes:minimumValiditySeconds:forceRefresh:)``, which opens no page at all.
    ///
    /// - Parameters:
    ///   - providerID: the provider's name, or that of an account of the configuration.
    ///   - account: chooses one of several accounts at the provider by its name, its address or its user name. If it is nil, and the
    ///     configuration does not say which is meant, the error is `ambiguousAccount`.
    ///   - minimumValiditySeconds: how long the token must remain valid; 60 if nil.
    ///   - options: of the sign-in. The token must be good for its `scopes`; a sign-in for more of them also asks for those that the
    ///     account has.
    /// - Throws: ``PosternError/refused(_:)`` with `signInDenied` if the person declines, `signInTimedOut` if they do nothing, and
    ///   `storeLocked` before a page is opened. What was stored stays.
    public func tokenOrSignIn(
        with providerID: String, account: String? = nil, minimumValiditySeconds: Int? = nil, options: SignInOptions = SignInOptions()
    ) async throws -> AccountToken {
        let wanted = Interface.GetAccessToken(
            providerID: providerID, account: account, scopes: options.scopes, minimumValiditySeconds: minimumValiditySeconds)
        let needed: PosternError
        do { return try await token(wanted) } catch let error as PosternError {
            switch error {
            case .refused(.signInRequired), .refused(.scopeNotGranted): needed = error
            default: throw error
            }
        }
        var options = options
        options.loginHint = options.loginHint ?? account
        options.scopes = try await scopesToRequest(wanted, needed: needed)
        let event = try await completedSignIn(with: providerID, intent: .keep, options: options, needed: needed)
        guard let kept = event.account else { throw PosternError.malformedReply(reason: "a completed sign-in without its account") }
        // Another one than the named one may have signed in.
        guard account == nil else { return try await token(wanted) }
        var theirs = wanted
        theirs.providerID = kept.providerID
        theirs.uid = kept.uid
        return try await token(theirs)
    }

    private func token(_ wanted: Interface.GetAccessToken) async throws -> AccountToken {
        let reply = try await call(wanted)
        let owners = try await listCredentials().filter { $0.uid == reply.uid }
        // Two providers may have an account of the same identifier.
        guard let owner = owners.first(where: { $0.isCalled(wanted.providerID) }) ?? owners.first else {
            let name = wanted.providerID
            let message = "the account of this token at \(name) was signed out meanwhile; run `postern sign-in \(name)`"
            throw PosternError.refused(.signInRequired(message: message, providerID: name, reason: "the account was signed out"))
        }
        return AccountToken(reply, of: owner)
    }

    /// What the account has already, or else what the provider is usually asked for, and the program's: a sign-in that names scopes gets
    /// these and no others, and other programs use the account, too.
    private func scopesToRequest(_ wanted: Interface.GetAccessToken, needed: PosternError) async throws -> [String]? {
        guard let scopes = wanted.scopes else { return nil }
        let mine = try await listCredentials().filter { credential in
            guard credential.isCalled(wanted.providerID) else { return false }
            return wanted.account.map { [credential.account, credential.email, credential.uid].contains($0) } ?? true
        }
        var present = mine.count == 1 ? mine[0].scopes : []
        if mine.isEmpty {
            var providerID = wanted.providerID
            if case .refused(.signInRequired(_, let id, _)) = needed { providerID = id }
            present = try await listProviders().first { $0.providerID == providerID }?.scopes ?? []
        }
        return present + scopes.filter { !present.contains($0) }
    }
}

extension StoredCredential {
    /// Whether this name, of a provider or of an account in the configuration, may mean it.
    fileprivate func isCalled(_ name: String) -> Bool { providerID == name || account == name }
}
