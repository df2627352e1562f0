extension InterfaceError {
    /// The matching number of Firebase's `AuthErrorCode`, so that a program written for it finds its way; 0 where there is none.
    public var code: Int {
        switch self {
        case .providerNotFound: 17071  // invalidProviderID
        case .providerNotConfigured: 17006  // operationNotAllowed
        case .providerUnreachable: 17020  // networkError
        case .tooManySessions, .tooManyAttempts: 17010  // tooManyRequests
        case .signInDenied(_, _, let error, _): Self.code(denial: error)
        case .signInCancelled: 17058  // webContextCancelled
        case .exchangeFailed, .invalidCredential: 17004  // invalidCredential
        case .invalidIDToken(_, _, let reason): reason.contains("nonce") ? 17094 : 17004  // missingOrInvalidNonce, invalidCredential
        case .accountExistsWithDifferentCredential: 17012
        case .credentialAlreadyInUse: 17025
        case .emailAlreadyInUse: 17007
        case .providerAlreadyLinked: 17015
        case .noSuchProvider: 17016
        case .noCurrentUser: 17067  // nullUser
        case .userNotFound: 17011
        case .userMismatch: 17024
        case .invalidEmail: 17008
        case .weakPassword: 17026
        case .wrongPassword: 17009
        case .requiresRecentSignIn: 17014  // requiresRecentLogin
        case .secondFactorRequired: 17078
        case .secondFactorAlreadyEnrolled: 17087
        case .invalidVerificationCode: 17044
        case .storeLocked, .storeDamaged: 17995  // keychainError
        case .internalError: 17999
        case .numbered(_, let code): code
        case .reservedParameter, .unsupportedFlow, .sessionNotFound, .signInTimedOut, .redirectNotRecognised, .signInRequired,
            .scopeNotGranted, .ambiguousAccount, .configurationInvalid:
            0
        }
    }

    /// The codes that Firebase gives to what a provider's page came back with (RFC 6749 section 4.1.2.1).
    private static func code(denial error: String) -> Int {
        switch error {
        case "access_denied", "user_cancelled_authorize": 17058  // webContextCancelled
        case "unauthorized_client": 17060  // invalidClientID
        case "server_error", "temporarily_unavailable": 17062  // webInternalError
        default: 17063  // webSignInUserInteractionFailure
        }
    }
}
