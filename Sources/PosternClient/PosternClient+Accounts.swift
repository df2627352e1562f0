import PosternInterface

// Users and what they sign in with, as Firebase has them. An error is a ``PosternError``; where something can be gone on with, it is in
// ``PosternError/pendingCredential`` or ``PosternError/challenge``.
extension PosternClient {
    // MARK: Signing in without a provider's page

    /// Signs in with what is there already: the handle of an earlier refusal, or tokens that the program got itself.
    public func signIn(with credential: CredentialInput) async throws -> AuthResult { try await settle(credential, .signIn) }

    public func signIn(email: String, password: Secret) async throws -> AuthResult {
        try await settle(CredentialInput(email: email, password: password), .signIn)
    }

    // MARK: Linking

    /// Opens the provider's page, and adds the account that comes of it to the current user.
    public func link(with providerID: String, options: SignInOptions = SignInOptions()) async throws -> AuthResult {
        try await result(of: providerID, intent: .link, options: options)
    }

    /// Adds what a refused sign-in left, or tokens that the program got itself.
    public func link(with credential: CredentialInput) async throws -> AuthResult { try await settle(credential, .link) }

    /// Gives the current user an address and a password to sign in with.
    public func link(email: String, password: Secret) async throws -> AuthResult {
        try await settle(CredentialInput(email: email, password: password), .link)
    }

    /// Takes a provider off the current user: its name, or `password`. The last one stays.
    public func unlink(_ providerID: String) async throws -> User {
        try await unlinkProvider(providerID: providerID)
    }

    /// With what an address can sign in. An empty list does not prove that it is nobody's.
    public func providers(ofEmail email: String) async throws -> [String] {
        try await fetchProviders(email: email)
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

    public func reauthenticate(email: String, password: Secret) async throws -> AuthResult {
        try await settle(CredentialInput(email: email, password: password), .reauthenticate)
    }

    // MARK: The current user

    /// An ID token that says who the current user is, for another local service.
    ///
    /// - Parameter audience: names that service; it must refuse tokens for others.
    public func userToken(for audience: String) async throws -> Interface.GetUserToken.Reply {
        try await getUserToken(audience: audience)
    }

    private func settle(_ credential: CredentialInput, _ intent: Intent) async throws -> AuthResult {
        try await signInWithCredential(credential: credential, intent: intent)
    }
}

extension PosternClient {
    // MARK: When one is asked for

    /// Sends the code of a phone factor; a `totp` one has its code at hand.
    public func sendCode(for factor: SecondFactor, of challenge: SecondFactorChallenge) async throws {
        _ = try await call(Interface.StartSecondFactor(resolver: challenge.resolver, uid: factor.uid))
    }

    /// Ends the sign-in, the link or the reauthentication that asked for a second factor.
    ///
    /// - Throws: ``PosternError/refused(_:)`` with `invalidVerificationCode`; another try is welcome then.
    public func resolve(_ challenge: SecondFactorChallenge, with factor: SecondFactor, code: String) async throws -> AuthResult {
        let parameters = Interface.ResolveSecondFactor(resolver: challenge.resolver, uid: factor.uid, verificationCode: Secret(code))
        return try await call(parameters).result
    }

    // MARK: The current user's

    /// Begins to enrol a program that shows codes (RFC 6238). The reply has its secret, and the URI that a QR code is made of.
    public func enrollTOTP(displayName: String? = nil) async throws -> Interface.EnrollSecondFactor.Reply {
        try await call(Interface.EnrollSecondFactor(factorID: .totp, displayName: displayName, app: app))
    }

    /// Begins to enrol a phone, to which a code is sent.
    ///
    /// - Parameter number: E.164: `+390612345678`.
    public func enrollPhone(number: String, displayName: String? = nil) async throws -> Interface.EnrollSecondFactor.Reply {
        try await call(Interface.EnrollSecondFactor(factorID: .phone, phoneNumber: number, displayName: displayName, app: app))
    }

    /// The first code ends the enrolment.
    public func confirmSecondFactor(_ enrollmentID: Secret, code: String) async throws -> User {
        try await confirmSecondFactor(enrollmentID: enrollmentID, verificationCode: Secret(code))
    }

    public func removeSecondFactor(_ uid: String) async throws -> User {
        try await removeSecondFactor(uid: uid)
    }
}
