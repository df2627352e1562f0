import StrictJSON

/// Why a Firebase project refused a request, or gave no usable answer.
public struct FirebaseRefusal: Error, Sendable, Hashable {
    public var code: FirebaseErrorCode
    /// The server's own code: `EMAIL_EXISTS`. Nil if it gave none.
    public var word: String?
    /// Further text from the server, or what is wrong with its answer; safe to show.
    public var detail: String?
    /// How long the project must not be asked; nil if it does not say.
    public var retryAfterSeconds: Int64?

    public init(_ code: FirebaseErrorCode, word: String? = nil, detail: String? = nil, retryAfterSeconds: Int64? = nil) {
        self.code = code
        self.word = word
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
    }
}

extension FirebaseRefusal {
    /// The server's codes are in capitals; a sentence instead of one is shown as a detail.
    static let longestWord = 64

    /// Parses `WORD`, or `WORD : detail`.
    public init(serverMessage text: String) {
        let parts = text.parts(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let word = parts.first.map { $0.trimmingBlanks() } ?? ""
        let detail = parts.count > 1 ? parts[1].trimmingBlanks() : nil
        guard Self.isWord(word) else {
            self.init(.internalError, detail: ProviderText.cleaned(text, longest: ProviderText.longestDescription))
            return
        }
        self.init(
            FirebaseErrorCode(serverMessage: word), word: word,
            detail: detail.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestDescription) })
    }

    /// Nil if the answer is not a refusal: a status from 200 to 299.
    public init?(_ response: ProviderResponse, now: Timestamp) {
        guard !(200..<300).contains(response.status) else { return nil }
        if let failure = TransientFailure(response, now: now) {
            self.init(.networkError, detail: "\(failure)", retryAfterSeconds: failure.retryAfterSeconds)
            return
        }
        guard case .object(let document)? = try? JSON(parsing: response.body) else {
            self.init(.internalError, detail: "the answer has status \(response.status) and is not JSON")
            return
        }
        let error = document["error"]?.objectValue
        let text = error?["message"]?.stringValue ?? document["error"]?.stringValue
        self.init(serverMessage: text ?? "status \(response.status)")
        guard word == nil, let error else { return }
        // API keys are checked by another service, which has its own codes.
        let reasons = Self.reasons(in: error["errors"]) + Self.reasons(in: error["details"])
        if reasons.contains(where: ["keyInvalid", "API_KEY_INVALID"].contains) {
            code = .invalidAPIKey
        } else if reasons.contains(where: ["ipRefererBlocked", "accessNotConfigured", "SERVICE_DISABLED"].contains)
            || reasons.contains(where: { $0.begins(with: "API_KEY_") }) || response.status == 403
        {
            code = .appNotAuthorized
        }
    }

    /// The answer is not as specified: nothing of it is used.
    public static func malformed(_ reason: String) -> FirebaseRefusal {
        FirebaseRefusal(.internalError, detail: "the answer of the Firebase project is invalid: \(reason)")
    }

    private static func reasons(in list: JSON?) -> [String] {
        (list?.arrayValue ?? []).prefix(16).compactMap { $0.objectValue?["reason"]?.stringValue }
    }

    private static func isWord(_ text: String) -> Bool {
        (1...longestWord).contains(text.utf8.count)
            && text.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == UInt8(ascii: "_") || $0.isDecimalDigit }
    }
}

extension FirebaseRefusal {
    /// The user's tokens are no longer valid: the SDKs then sign the user out, and so does the daemon.
    public var endsSession: Bool {
        switch code {
        case .userDisabled, .invalidUserToken, .userTokenExpired, .userNotFound: true
        default: false
        }
    }
}

extension FirebaseRefusal: CustomStringConvertible {
    public var description: String {
        let said = [word, detail].compactMap { $0 }.joined(separator: ": ")
        let sentence = code.sentence
        return said.isEmpty ? sentence : "\(sentence) (\(said))"
    }
}

extension FirebaseErrorCode {
    /// For a user.
    var sentence: String {
        switch self {
        case .userDisabled: "this user of the Firebase project was disabled; ask its administrator"
        case .operationNotAllowed: "this way to sign in is not enabled in the Firebase project; enable it in its console"
        case .invalidCredential: "the Firebase project does not accept this credential; sign in again"
        case .emailAlreadyInUse: "the address belongs to another user"
        case .invalidEmail: "this is not an email address"
        case .missingEmail: "an email address is needed"
        case .wrongPassword: "the password is wrong"
        case .weakPassword: "the password is too weak; use a longer one"
        case .passwordDoesNotMeetRequirements: "the password does not meet the Firebase project's rules"
        case .tooManyRequests, .quotaExceeded: "the Firebase project was asked too often; try again later"
        case .userNotFound: "the Firebase project has no such user"
        case .userMismatch: "that is not the app's current user; sign in with the same account as before"
        case .requiresRecentLogin: "this needs a sign-in within the last five minutes; reauthenticate and ask again"
        case .invalidUserToken, .userTokenExpired: "the Firebase project no longer accepts the user's token; sign in again"
        case .networkError: "the Firebase project cannot be reached"
        case .invalidAPIKey: "the Firebase project does not know the API key; correct [accounts] api-key"
        case .appNotAuthorized: "the API key may not be used this way; check its restrictions in the project's console"
        case .invalidVerificationCode: "the verification code is wrong"
        case .missingVerificationCode: "a verification code is needed"
        case .sessionExpired: "the verification code has expired; request a new one"
        case .invalidProviderID: "the Firebase project does not know this provider"
        case .adminRestrictedOperation: "the Firebase project allows this only to its administrators"
        case .unverifiedEmail: "the user's address must be verified first"
        case .secondFactorAlreadyEnrolled: "this second factor is already enrolled"
        case .invalidMultiFactorSession, .missingMultiFactorSession:
            "the sign-in that waited for a second factor has expired; sign in again"
        case .multiFactorInfoNotFound, .missingMultiFactorInfo: "the user has no such second factor"
        case .unsupportedFirstFactor: "a second factor cannot be used with this way to sign in"
        case .missingOrInvalidNonce: "the ID token does not belong to the nonce that was given"
        case .invalidPhoneNumber, .missingPhoneNumber: "a phone number such as +441234567890 is needed"
        case .blockingCloudFunctionError: "a function of the Firebase project refuses this"
        default: "the Firebase project refuses this"
        }
    }
}
