import PosternCore
import PosternInterface

/// Which account a program means.
extension TokenService {
    /// An account at a provider, as far as a program has specified it.
    struct AccountChoice {
        var providerID: String
        /// Nil for the only account.
        var subject: String?
        /// The configured name that the program used, or that claims the account.
        var named: NamedAccount?
    }

    var directory: AccountDirectory { settings.configuration.namedAccounts }

    /// The account that is meant by a provider's ID or an account's name, and by the other parameters.
    ///
    /// - Parameters:
    ///   - uid: the account's identifier at the provider.
    ///   - account: a configured name, an address or a user name.
    func account(_ providerID: String, uid: String?, account: String?) throws(InterfaceError) -> AccountChoice {
        guard uid == nil || account == nil else { throw .invalidParameter("account") }
        var choice = AccountChoice(providerID: providerID, subject: uid)
        choice.named = named(providerID, uid: uid, account: account)
        if let named = choice.named { choice.providerID = named.providerID }
        guard let account else {
            if uid == nil, let named = choice.named { choice.subject = try subject(of: named) }
            return choice
        }
        if let named = directory[account], named.providerID == choice.providerID {
            guard choice.named == nil || choice.named == named else { throw .invalidParameter("account") }
            choice.named = named
            choice.subject = try subject(of: named)
        } else {
            guard choice.named == nil else { throw .invalidParameter("account") }
            let credential = try credential(called: account, of: choice.providerID)
            choice.subject = credential.subject
            // Whatever name the program used, the settings of the account's configured name for its tokens apply.
            choice.named = owner(of: credential)
        }
        return choice
    }

    /// The account whose name was given in place of a provider's, or the one that the provider's name means if nothing else says which.
    func named(_ providerID: String, uid: String?, account: String?) -> NamedAccount? {
        if let named = directory[providerID] { return named }
        return uid == nil && account == nil ? directory.meant(by: providerID) : nil
    }

    private func subject(of named: NamedAccount) throws(InterfaceError) -> String {
        // Found without reading the others.
        if let login = named.login,
            providers.cache[CredentialCache.Key(providerID: named.providerID, subject: login.text)]?.isPinned(to: named) == true
        {
            return login.text
        }
        switch directory.choice(of: named, among: providers.cache.choosable(providerID: named.providerID)) {
        case .one(let credential): return credential.subject
        case .none:
            try named.requireUsable()
            throw nobody(as: named.name, signIn: named.name, at: named.providerID)
        case .several(let credentials):
            throw InterfaceError(
                .ambiguousAccount(credentials), providerID: named.providerID, name: providers.directory.displayName(named.providerID))
        }
    }

    private func credential(called login: String, of providerID: String) throws(InterfaceError) -> StoredCredential {
        let kept = providers.cache.credentials(providerID: providerID)
        // What is stored can be named, whatever became of its provider here.
        if kept.isEmpty { _ = try providers.directory.named(providerID, accounts: directory) }
        // The person's go first: what an app keeps makes none of their names ambiguous.
        let persons = directory.choice(called: login, among: providers.cache.choosable(providerID: providerID))
        switch persons == .none ? directory.choice(called: login, among: kept) : persons {
        case .one(let credential): return credential
        case .none:
            if let configured = directory.configured(called: login, at: providerID) {
                throw nobody(as: login, signIn: configured.name, at: providerID)
            }
            guard !kept.isEmpty else { throw nobody(as: login, signIn: providerID, at: providerID) }
            throw InterfaceError(
                .noSuchAccount(login, among: kept), providerID: providerID, name: providers.directory.displayName(providerID))
        case .several(let credentials):
            throw InterfaceError(.ambiguousAccount(credentials), providerID: providerID, name: providers.directory.displayName(providerID))
        }
    }

    /// The stored credential of an account.
    func credential(of account: AccountChoice) throws(InterfaceError) -> StoredCredential {
        do throws(TokenFailure) { return try tokens.accessTokens.credential(of: account.providerID, subject: account.subject) } catch {
            throw refusal(error, of: account.providerID)
        }
    }

    private func nobody(as login: String, signIn: String, at providerID: String) -> InterfaceError {
        .signInRequired(
            message: "nobody has signed in at \(providers.directory.displayName(providerID)) as \(login); run `postern sign-in \(signIn)`",
            providerID: providerID, reason: "nobody has signed in with this account")
    }

    /// The named account that claims a credential.
    func owner(of credential: StoredCredential) -> NamedAccount? {
        tokens.states.named(credential)
    }
}

extension NamedAccount {
    func requireUsable() throws(InterfaceError) {
        guard let problem else { return }
        throw .providerNotConfigured(message: "the account \(name) cannot be used: \(problem)", providerID: providerID)
    }
}
