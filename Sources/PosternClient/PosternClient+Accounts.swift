import PosternInterface

// Users and what they sign in with, as Firebase has them. An error is a ``PosternError``; where something can be gone on with, it is in
// ``PosternError/pendingCredential`` or ``PosternError/challenge``.
extension PosternClient {
    // MARK: Signing in without a provider's page

    /// Signs in with what is there already: the handle of an earlier refusal, or tokens that the program got itself.
    public func signIn(with credential: CredentialInput) async throws -> AuthResult { try await settle(credential, .signIn) }

    public func signIn(email: String, password: String) async throws -> AuthResult {
        try await settle(CredentialInput(email: email, password: password), .signIn)
    }

    /// A user without an account anywhere. Linking makes it a lasting one, with the same `uid`.
    ///
    /// Where the current user is an anonymous one, that one stays.
    public func signInAnonymously() async throws -> AuthResult { try await call(Interface.SignInAnonymously(app: app)).result }

    /// Makes a user with a password, and makes them the current one.
    ///
    /// - Throws: ``PosternError/refused(_:)`` with `weakPassword`, `invalidEmail` or `emailAlreadyInUse`.
    public func createUser(email: String, password: String, displayName: String? = nil) async throws -> AuthResult {
        try await call(Interface.CreateUser(email: email, password: password, displayName: displayName, app: app)).result
    }

    // MARK: Linking

    /// Opens the provider's page, and adds the account that comes of it to the current user.
    public func link(with providerID: String, options: SignInOptions = SignInOptions()) async throws -> AuthResult {
        try await result(of: providerID, intent: .link, options: options)
    }

    /// Adds what a refused sign-in left, or tokens that the program got itself.
    public func link(with credential: CredentialInput) async throws -> AuthResult { try await settle(credential, .link) }

    /// Gives the current user an address and a password to sign in with.
    public func link(email: String, password: String) async throws -> AuthResult {
        try await settle(CredentialInput(email: email, password: password), .link)
    }

    /// Takes a provider off the current user: its name, or `password`. The last one stays.
    public func unlink(_ providerID: String) async throws -> User {
        try await call(Interface.UnlinkProvider(providerID: providerID, app: app)).user
    }

    /// With what an address can sign in. Nothing is no proof that it is nobody's.
    public func providers(ofEmail email: String) async throws -> [String] {
        try await call(Interface.FetchProviders(email: email)).providerIDs
    }

    // MARK: Proving again who one is

    /// Opens the provider's page; who comes back must be the current user.
    ///
    /// What wants a sign-in of the last five minutes throws `requiresRecentSignIn` without it.
    public func reauthenticate(with providerID: String, options: SignInOptions = SignInOptions()) async throws -> AuthResult {
        try await result(of: providerID, intent: .reauthenticate, options: options)
    }

    public func reauthenticate(with credential: CredentialInput) async throws -> AuthResult {
        try await settle(credential, .reauthenticate)
    }

    public func reauthenticate(email: String, password: String) async throws -> AuthResult {
        try await settle(CredentialInput(email: email, password: password), .reauthenticate)
    }

    // MARK: The current user

    /// Changes what is not nil. An empty name or photo is taken away.
    ///
    /// A new address or password wants a sign-in of the last five minutes.
    public func updateUser(
        displayName: String? = nil, photoURL: String? = nil, email: String? = nil, password: String? = nil
    ) async throws -> User {
        let parameters = Interface.UpdateUser(app: app, displayName: displayName, photoURL: photoURL, email: email, password: password)
        return try await call(parameters).user
    }

    /// Deletes the current user, and has the providers take back what they gave. Wants a sign-in of the last five minutes.
    public func deleteUser() async throws { _ = try await call(Interface.DeleteUser(app: app)) }

    /// An ID token that says who the current user is, for another local service.
    ///
    /// - Parameter audience: names that service; it must refuse tokens for others.
    public func userToken(for audience: String) async throws -> Interface.GetUserToken.Reply {
        try await call(Interface.GetUserToken(audience: audience, app: app))
    }

    private func settle(_ credential: CredentialInput, _ intent: Intent) async throws -> AuthResult {
        try await call(Interface.SignInWithCredential(credential: credential, intent: intent, app: app)).result
    }
}
