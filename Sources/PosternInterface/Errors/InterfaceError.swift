import StrictJSON

/// The errors of the interface, each with the members it carries besides `code` and `message`.
///
/// `message` is a sentence for a person: lower case, no final period, never a secret.
public enum InterfaceError: Error, Hashable {
    case providerNotFound(message: String, providerID: String)
    case providerNotConfigured(message: String, providerID: String)
    /// Network, 429 or 5xx: nothing was refused.
    case providerUnreachable(message: String, providerID: String)
    case reservedParameter(message: String, name: String)
    case unsupportedFlow(message: String, providerID: String, flow: String)
    case sessionNotFound(message: String)
    case tooManySessions(message: String, limit: Int)
    case signInDenied(message: String, providerID: String, error: String, errorDescription: String? = nil)
    case signInTimedOut(message: String, sessionID: String)
    case signInCancelled(message: String, sessionID: String)
    /// The provider refused the code, or what it answered makes no sense.
    case exchangeFailed(message: String, providerID: String, error: String? = nil, errorDescription: String? = nil)
    case invalidIDToken(message: String, providerID: String, reason: String)
    case redirectNotRecognised(message: String)
    case invalidCredential(message: String)
    case accountExistsWithDifferentCredential(message: String, email: String, providerIDs: [String], credential: Interface.Credential)
    case credentialAlreadyInUse(message: String, email: String? = nil, credential: Interface.Credential)
    case emailAlreadyInUse(message: String, email: String)
    case providerAlreadyLinked(message: String, providerID: String)
    case noSuchProvider(message: String, providerID: String)
    case noCurrentUser(message: String, app: String)
    case userNotFound(message: String)
    case userMismatch(message: String)
    case invalidEmail(message: String)
    case weakPassword(message: String, reason: String)
    case wrongPassword(message: String)
    case requiresRecentSignIn(message: String)
    case secondFactorRequired(message: String, resolver: String, hints: [Interface.SecondFactor])
    case secondFactorAlreadyEnrolled(message: String)
    case invalidVerificationCode(message: String)
    case tooManyAttempts(message: String, retryAfterSeconds: Int)
    /// No token can be had without the person: the refresh token is gone, refused or never was.
    case signInRequired(message: String, providerID: String, reason: String)
    case scopeNotGranted(message: String, missing: [String])
    case ambiguousAccount(message: String, uids: [String])
    case storeLocked(message: String)
    case storeDamaged(message: String)
    case configurationInvalid(message: String, file: String, line: Int? = nil)
    case internalError(message: String)
    /// One of the others under another number than its own: the interface has fewer errors than Firebase has numbers.
    indirect case numbered(InterfaceError, code: Int)
}

extension InterfaceError {
    /// The error under this number.
    public func numbered(_ code: Int) -> InterfaceError {
        if case .numbered(let error, _) = self { return error.numbered(code) }
        return self.code == code ? self : .numbered(self, code: code)
    }
}
