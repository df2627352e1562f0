import PosternCore
import PosternInterface

extension InterfaceError {
    /// Replaces a provider's ID in errors that name one: the accounts themselves are meant.
    static let firebaseID = "firebase"

    /// A Firebase project's refusal as an error of the interface, with Firebase's own code.
    init(_ refusal: FirebaseRefusal, app: AppName = "default", email: String? = nil) {
        self = Self.unnumbered(refusal, refusal.description, app: app, email: email).numbered(refusal.code.rawValue)
    }

    private static func unnumbered(_ refusal: FirebaseRefusal, _ message: String, app: AppName, email: String?) -> InterfaceError {
        switch refusal.code {
        case .networkError: .providerUnreachable(message: message, providerID: firebaseID)
        case .operationNotAllowed, .invalidAPIKey, .appNotAuthorized, .adminRestrictedOperation:
            .providerNotConfigured(message: message, providerID: firebaseID)
        case .invalidProviderID: .providerNotFound(message: message, providerID: firebaseID)
        case .tooManyRequests, .quotaExceeded:
            .tooManyAttempts(message: message, retryAfterSeconds: Int(refusal.retryAfterSeconds ?? 60))
        case .emailAlreadyInUse: .emailAlreadyInUse(message: message, email: email ?? "")
        case .invalidEmail, .missingEmail, .invalidRecipientEmail: .invalidEmail(message: message)
        case .wrongPassword: .wrongPassword(message: message)
        case .weakPassword, .passwordDoesNotMeetRequirements:
            .weakPassword(message: message, reason: refusal.detail ?? "the password does not meet the project's rules")
        case .userNotFound: .userNotFound(message: message)
        case .userMismatch: .userMismatch(message: message)
        case .nullUser: .noCurrentUser(message: message, app: app.text)
        case .requiresRecentLogin: .requiresRecentSignIn(message: message)
        case .providerAlreadyLinked: .providerAlreadyLinked(message: message, providerID: firebaseID)
        case .noSuchProvider: .noSuchProvider(message: message, providerID: firebaseID)
        case .invalidUserToken, .userTokenExpired:
            .signInRequired(message: message, providerID: firebaseID, reason: "the user's token was refused")
        case .invalidVerificationCode, .missingVerificationCode, .sessionExpired: .invalidVerificationCode(message: message)
        case .secondFactorAlreadyEnrolled: .secondFactorAlreadyEnrolled(message: message)
        case .missingOrInvalidNonce: .invalidIDToken(message: message, providerID: firebaseID, reason: "the nonce is wrong")
        case .invalidCredential, .invalidCustomToken, .customTokenMismatch, .userDisabled, .rejectedCredential, .expiredActionCode,
            .invalidActionCode, .missingMultiFactorSession, .missingMultiFactorInfo, .invalidMultiFactorSession, .multiFactorInfoNotFound,
            .invalidVerificationID, .missingVerificationID:
            .invalidCredential(message: message)
        default: .internalError(message: message)
        }
    }
}
