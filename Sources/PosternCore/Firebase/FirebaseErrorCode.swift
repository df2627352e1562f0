/// The numbers of Firebase's `AuthErrorCode`, with the names that they have for Apple's platforms.
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
