import PosternInterface

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

    /// Begins to enrol a telephone, to which a code is sent.
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
