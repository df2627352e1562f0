/// The numbers of Firebase's `AuthErrorCode`, with their names on Apple's platforms.
public enum FirebaseErrorCode: Int, Sendable, Hashable, CaseIterable {
    case invalidCustomToken = 17000
    case customTokenMismatch = 17002
    case invalidCredential = 17004
    case userDisabled, operationNotAllowed, emailAlreadyInUse, invalidEmail, wrongPassword, tooManyRequests, userNotFound
    case accountExistsWithDifferentCredential
    case requiresRecentLogin = 17014
    case providerAlreadyLinked, noSuchProvider, invalidUserToken
    case networkError = 17020
    case userTokenExpired
    case invalidAPIKey = 17023
    case userMismatch, credentialAlreadyInUse, weakPassword
    case appNotAuthorized = 17028
    case expiredActionCode, invalidActionCode, invalidMessagePayload, invalidSender, invalidRecipientEmail, missingEmail
    case missingIosBundleID = 17036
    case missingAndroidPackageName, unauthorizedDomain, invalidContinueURI, missingContinueURI, missingPhoneNumber
    case invalidPhoneNumber, missingVerificationCode, invalidVerificationCode, missingVerificationID, invalidVerificationID
    case missingAppCredential, invalidAppCredential
    case sessionExpired = 17051
    case quotaExceeded, missingAppToken, notificationNotForwarded, appNotVerified, captchaCheckFailed
    case webContextAlreadyPresented, webContextCancelled, appVerificationUserInteractionFailure, invalidClientID
    case webNetworkRequestFailed, webInternalError, webSignInUserInteractionFailure
    case localPlayerNotAuthenticated = 17066
    case nullUser
    case invalidProviderID = 17071
    case tenantIDMismatch, unsupportedTenantOperation
    case rejectedCredential = 17075
    case gameKitNotLinked
    case secondFactorRequired = 17078
    case missingMultiFactorSession = 17081
    case missingMultiFactorInfo, invalidMultiFactorSession, multiFactorInfoNotFound, adminRestrictedOperation, unverifiedEmail
    case secondFactorAlreadyEnrolled, maximumSecondFactorCountExceeded, unsupportedFirstFactor, emailChangeNeedsVerification
    case missingClientIdentifier = 17093
    case missingOrInvalidNonce
    case blockingCloudFunctionError = 17105
    case recaptchaNotEnabled = 17200
    case missingRecaptchaToken, invalidRecaptchaToken, invalidRecaptchaAction, missingClientType, missingRecaptchaVersion
    case invalidRecaptchaVersion, invalidReqType, recaptchaSDKNotLinked, recaptchaSiteKeyMissing, recaptchaActionCreationFailed
    case passwordDoesNotMeetRequirements
    case invalidHostingLinkDomain = 17214
    case keychainError = 17995
    case internalError = 17999
    case malformedJWT = 18000
}

extension FirebaseErrorCode {
    /// The meaning of the server's code; ``internalError`` for an unknown one, as in the SDKs.
    public init(serverMessage word: String) { self = Self.table[word] ?? .internalError }

    /// Whether the server's code has a meaning of its own.
    public static func isKnown(serverMessage word: String) -> Bool { table[word] != nil }

    private static let table: [String: FirebaseErrorCode] = [
        "INVALID_CUSTOM_TOKEN": .invalidCustomToken, "CREDENTIAL_MISMATCH": .customTokenMismatch,
        "INVALID_IDP_RESPONSE": .invalidCredential, "INVALID_PENDING_TOKEN": .invalidCredential,
        "INVALID_LOGIN_CREDENTIALS": .invalidCredential, "USER_DISABLED": .userDisabled,
        "OPERATION_NOT_ALLOWED": .operationNotAllowed, "PASSWORD_LOGIN_DISABLED": .operationNotAllowed,
        "EMAIL_EXISTS": .emailAlreadyInUse, "INVALID_EMAIL": .invalidEmail, "INVALID_IDENTIFIER": .invalidEmail,
        "INVALID_PASSWORD": .wrongPassword, "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyRequests,
        "USER_NOT_FOUND": .userNotFound, "EMAIL_NOT_FOUND": .userNotFound,
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin, "NO_SUCH_PROVIDER": .noSuchProvider,
        "INVALID_ID_TOKEN": .invalidUserToken, "INVALID_REFRESH_TOKEN": .invalidUserToken, "TOKEN_EXPIRED": .userTokenExpired,
        "FEDERATED_USER_ID_ALREADY_LINKED": .credentialAlreadyInUse, "WEAK_PASSWORD": .weakPassword,
        "MISSING_PASSWORD": .weakPassword, "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .passwordDoesNotMeetRequirements,
        "EXPIRED_OOB_CODE": .expiredActionCode, "INVALID_OOB_CODE": .invalidActionCode,
        "INVALID_MESSAGE_PAYLOAD": .invalidMessagePayload, "INVALID_SENDER": .invalidSender,
        "INVALID_RECIPIENT_EMAIL": .invalidRecipientEmail, "MISSING_EMAIL": .missingEmail,
        "MISSING_IOS_BUNDLE_ID": .missingIosBundleID, "MISSING_ANDROID_PACKAGE_NAME": .missingAndroidPackageName,
        "UNAUTHORIZED_DOMAIN": .unauthorizedDomain, "INVALID_CONTINUE_URI": .invalidContinueURI,
        "MISSING_CONTINUE_URI": .missingContinueURI, "MISSING_PHONE_NUMBER": .missingPhoneNumber,
        "INVALID_PHONE_NUMBER": .invalidPhoneNumber, "MISSING_CODE": .missingVerificationCode,
        "INVALID_CODE": .invalidVerificationCode, "MISSING_SESSION_INFO": .missingVerificationID,
        "INVALID_SESSION_INFO": .invalidVerificationID, "MISSING_APP_CREDENTIAL": .missingAppCredential,
        "INVALID_APP_CREDENTIAL": .invalidAppCredential, "SESSION_EXPIRED": .sessionExpired, "QUOTA_EXCEEDED": .quotaExceeded,
        "CAPTCHA_CHECK_FAILED": .captchaCheckFailed, "INVALID_PROVIDER_ID": .invalidProviderID,
        "TENANT_ID_MISMATCH": .tenantIDMismatch, "UNSUPPORTED_TENANT_OPERATION": .unsupportedTenantOperation,
        "REJECTED_CREDENTIAL": .rejectedCredential, "MISSING_MFA_PENDING_CREDENTIAL": .missingMultiFactorSession,
        "MISSING_MFA_ENROLLMENT_ID": .missingMultiFactorInfo, "INVALID_MFA_PENDING_CREDENTIAL": .invalidMultiFactorSession,
        "MFA_ENROLLMENT_NOT_FOUND": .multiFactorInfoNotFound, "ADMIN_ONLY_OPERATION": .adminRestrictedOperation,
        "UNVERIFIED_EMAIL": .unverifiedEmail, "SECOND_FACTOR_EXISTS": .secondFactorAlreadyEnrolled,
        "SECOND_FACTOR_LIMIT_EXCEEDED": .maximumSecondFactorCountExceeded, "UNSUPPORTED_FIRST_FACTOR": .unsupportedFirstFactor,
        "EMAIL_CHANGE_NEEDS_VERIFICATION": .emailChangeNeedsVerification, "MISSING_CLIENT_IDENTIFIER": .missingClientIdentifier,
        "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce, "BLOCKING_FUNCTION_ERROR_RESPONSE": .blockingCloudFunctionError,
        "RECAPTCHA_NOT_ENABLED": .recaptchaNotEnabled, "MISSING_RECAPTCHA_TOKEN": .missingRecaptchaToken,
        "INVALID_RECAPTCHA_TOKEN": .invalidRecaptchaToken, "INVALID_RECAPTCHA_ACTION": .invalidRecaptchaAction,
        "MISSING_CLIENT_TYPE": .missingClientType, "MISSING_RECAPTCHA_VERSION": .missingRecaptchaVersion,
        "INVALID_RECAPTCHA_VERSION": .invalidRecaptchaVersion, "INVALID_REQ_TYPE": .invalidReqType,
        "INVALID_HOSTING_LINK_DOMAIN": .invalidHostingLinkDomain,
    ]
}
