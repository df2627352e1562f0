extension AccountDirectory {
    /// Whether the account that a sign-in is for has a refresh token, as far as that is known before anybody has signed in. If nothing says
    /// which account it will be, all of the provider's must have one.
    ///
    /// - Parameters:
    ///   - credentials: all of the provider's.
    ///   - isUsable: whether a credential can be renewed.
    public func hasRefreshToken(
        for request: SignInRequest, among credentials: [StoredCredential], isUsable: (StoredCredential) -> Bool
    ) -> Bool {
        switch meant(by: request, among: credentials) {
        case .one(let credential): isUsable(credential)
        case .several(let credentials): credentials.allSatisfy(isUsable)
        case .none: false
        }
    }

    /// The account that a sign-in is for, as far as that is known before anybody has signed in; all if nothing says which.
    private func meant(by request: SignInRequest, among credentials: [StoredCredential]) -> Choice {
        if let account = request.account.flatMap({ self[$0] }) { return choice(of: account, among: credentials) }
        if let hint = request.loginHint { return choice(called: hint, among: credentials) }
        return Self.choice(among: credentials)
    }

    /// The scopes that a sign-in asks for so that the account which the person keeps loses none. Nothing is added if it is unknown which
    /// account that is, or if another one is to be chosen.
    ///
    /// - Parameter credentials: all of the provider's.
    public func scopes(of request: SignInRequest, at provider: Provider, among credentials: [StoredCredential]) -> [String] {
        guard request.intent == nil, let credential = credential(keptBy: request, at: provider, among: credentials) else {
            return request.scopes
        }
        return provider.scopes(request.scopes, keeping: credential)
    }

    /// The account that a sign-in renews, of those that the person keeps, or the app that the sign-in is for; nil if it is unknown which that
    /// is, or if another one is to be chosen.
    ///
    /// - Parameter credentials: all of the provider's.
    public func credential(
        keptBy request: SignInRequest, at provider: Provider, among credentials: [StoredCredential]
    ) -> StoredCredential? {
        guard !request.prompt(at: provider).selectsAccount else { return nil }
        let own = credentials.filter { request.intent == nil ? $0.keepers.isPerson : $0.keepers.apps.contains(request.app) }
        // An MCP server has one account, whatever its login is.
        if provider.server != nil { return own.count == 1 ? own[0] : nil }
        var request = request
        if request.account == nil, request.loginHint == nil { request.account = meant(by: provider.id)?.name }
        guard case .one(let credential) = meant(by: request, among: own) else { return nil }
        return credential
    }
}

extension Provider {
    /// What is asked for, and what the account has besides: a new grant takes the place of the old one.
    public func scopes(_ asked: [String], keeping credential: StoredCredential) -> [String] {
        // Another client may not be permitted to ask for them.
        // An MCP server's client is registered anew if it may not.
        guard credential.binding == binding || (server != nil && credential.binding.isOfTheSameProvider(as: binding)) else { return asked }
        let had = Scopes.withoutRepetition(credential.grant.scopes + credential.lostScopes)
        return asked + dialect.missingScopes(asked: had, granted: asked)
    }
}
