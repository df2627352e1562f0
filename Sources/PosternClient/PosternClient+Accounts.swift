import PosternInterface

// Users and their credentials, as in Firebase. Errors are of type ``PosternError``; if the program can continue,
// ``PosternError/pendingCredential`` or ``PosternError/challenge`` is set.
extension PosternClient {
    // MARK: Signing in without a provider's page

    /// Signs in with an existing credential: the handle of an earlier refusal, or tokens that the program obtained itself.
    ///
    /// - Parameter credential: for example ``PosternError/pendingCredential``.
    /// - Throws: ``PosternError``; ``PosternError/refused(_:)`` with `invalidCredential` if the handle was used already or has expired.
    public func signIn(with credential: CredentialInput) async throws -> AuthResult { try await settle(credential, .signIn) }

    /// Signs in a user who has a password, and makes them the app's current user.
    ///
    /// - Throws: ``PosternError/refused(_:)`` with `wrongPassword`, or with `tooManyAttempts` after several.
    public func signIn(email: String, password: Secret) async throws -> AuthResult {
        try await settle(CredentialInput(email: email, password: password), .signIn)
    }

    // MARK: Linking

    /// Opens the provider's page, and links the account that the user signs in with to the current user.
    ///
    /// - Throws: ``PosternError/refused(_:)`` with `credentialAlreadyInUse` if it is another user's;
    ///   ``PosternError/pendingCredential`` then signs in as that user.
    public func link(with providerID: String, options: SignInOptions = SignInOptions()) async throws -> AuthResult {
        try await result(of: providerID, intent: .link, options: options)
    }

    /// Links the credential of a refused sign-in, or tokens that the program obtained itself.
    public func link(with credential: CredentialInput) async throws -> AuthResult { try await settle(credential, .link) }

    /// Gives the current user an email address and a password to sign in with.
    public func link(email: String, password: Secret) async throws -> AuthResult {
        try await settle(CredentialInput(email: email, password: password), .link)
    }

    /// Unlinks a provider from the current user. The last one cannot be unlinked.
    ///
    /// - Parameter providerID: the provider's name, or `password`.
    /// - Returns: the user without it.
    public func unlink(_ providerID: String) async throws -> User {
        try await unlinkProvider(providerID: providerID)
    }

    /// The providers that an email address can sign in with. An empty list does not prove that nobody uses the address.
    public func providers(ofEmail email: String) async throws -> [String] {
        try await fetchProviders(email: email)
    }

    // MARK: Reauthentication

    /// Opens the provider's page; the person who signs in there must be the current user.
    ///
    /// Methods that need a sign-in within the last five minutes otherwise throw `requiresRecentSignIn`.
    public func reauthenticate(with providerID: String, options: SignInOptions = SignInOptions()) async throws -> AuthResult {
        try await result(of: providerID, intent: .reauthenticate, options: options)
    }

    /// Proves with an existing credential that the current user is present; it must be theirs.
    public func reauthenticate(with credential: CredentialInput) async throws -> AuthResult {
        try await settle(credential, .reauthenticate)
    }

    /// Proves with the password that the current user is present.
    public func reauthenticate(email: String, password: Secret) async throws -> AuthResult {
        try await settle(CredentialInput(email: email, password: password), .reauthenticate)
    }

    // MARK: The current user

    /// An ID token that identifies the current user to another local service, signed by the daemon with ES256 (RFC 7518 section 3.4).
    ///
    /// - Parameter audience: the name of that service; it must refuse tokens for others.
    public func userToken(for audience: String) async throws -> Interface.GetUserToken.Reply {
        try await getUserToken(audience: audience)
    }

    private func settle(_ credential: CredentialInput, _ intent: Intent) async throws -> AuthResult {
        try await signInWithCredential(credential: credential, intent: intent)
    }
}

extension PosternClient {
    // MARK: When one is asked for

    /// Sends the code of a phone factor. A `totp` factor needs none sent.
    public func sendCode(for factor: SecondFactor, of challenge: SecondFactorChallenge) async throws {
        _ = try await call(Interface.StartSecondFactor(resolver: challenge.resolver, uid: factor.uid))
    }

    /// Completes the sign-in, link or reauthentication that required a second factor.
    ///
    /// - Throws: ``PosternError/refused(_:)`` with `invalidVerificationCode`; the caller may then try again.
    public func resolve(_ challenge: SecondFactorChallenge, with factor: SecondFactor, code: String) async throws -> AuthResult {
        let parameters = Interface.ResolveSecondFactor(resolver: challenge.resolver, uid: factor.uid, verificationCode: Secret(code))
        return try await call(parameters).result
    }

    // MARK: The current user's

    /// Begins to enrol an authenticator app (RFC 6238). The reply has its secret, and the URI for a QR code.
    ///
    /// - Parameter displayName: what the user calls the factor.
    public func enrollTOTP(displayName: String? = nil) async throws -> Interface.EnrollSecondFactor.Reply {
        try await call(Interface.EnrollSecondFactor(factorID: .totp, displayName: displayName, app: app))
    }

    /// Begins to enrol a phone, to which a code is sent.
    ///
    /// - Parameters:
    ///   - number: in E.164 format: `+390612345678`.
    ///   - displayName: what the user calls the factor.
    public func enrollPhone(number: String, displayName: String? = nil) async throws -> Interface.EnrollSecondFactor.Reply {
        try await call(Interface.EnrollSecondFactor(factorID: .phone, phoneNumber: number, displayName: displayName, app: app))
    }

    /// Completes the enrolment with the first code.
    ///
    /// - Parameters:
    ///   - enrollmentID: of the reply that began it.
    ///   - code: as the authenticator app shows it, or as the phone got it.
    /// - Returns: the user with the new factor.
    public func confirmSecondFactor(_ enrollmentID: Secret, code: String) async throws -> User {
        try await confirmSecondFactor(enrollmentID: enrollmentID, verificationCode: Secret(code))
    }

    /// Removes a second factor from the current user.
    ///
    /// - Parameter uid: the factor's, from the user's `secondFactors`.
    public func removeSecondFactor(_ uid: String) async throws -> User {
        try await removeSecondFactor(uid: uid)
    }
}
