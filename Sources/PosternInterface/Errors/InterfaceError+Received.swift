import StrictJSON

extension InterfaceError {
    /// Reads an error that came in a reply. Nil where the name is none of this interface.
    ///
    /// Members that a later daemon may have added are ignored. A number of Firebase's is kept where it is not the error's own.
    public init?(name: String, parameters: JSONObject) throws(JSONMemberError) {
        guard let error = try Self(unnumbered: name, parameters: parameters) else { return nil }
        guard case .integer(let code)? = parameters["code"], (17_000...18_000).contains(code) else {
            self = error
            return
        }
        self = error.numbered(Int(code))
    }

    private init?(unnumbered name: String, parameters: JSONObject) throws(JSONMemberError) {
        guard let kind = Kind(name: name) else { return nil }
        let message = try parameters.required("message", as: String.self)
        switch kind {
        case .providerNotFound:
            self = .providerNotFound(message: message, providerID: try parameters.required("providerID"))
        case .providerNotConfigured:
            self = .providerNotConfigured(message: message, providerID: try parameters.required("providerID"))
        case .providerUnreachable:
            self = .providerUnreachable(message: message, providerID: try parameters.required("providerID"))
        case .reservedParameter:
            self = .reservedParameter(message: message, name: try parameters.required("name"))
        case .unsupportedFlow:
            self = .unsupportedFlow(
                message: message, providerID: try parameters.required("providerID"), flow: try parameters.required("flow")
            )
        case .sessionNotFound: self = .sessionNotFound(message: message)
        case .tooManySessions:
            self = .tooManySessions(message: message, limit: try parameters.required("limit"))
        case .signInDenied:
            self = .signInDenied(
                message: message, providerID: try parameters.required("providerID"), error: try parameters.required("error"),
                errorDescription: try parameters.optional("errorDescription")
            )
        case .signInTimedOut:
            self = .signInTimedOut(message: message, sessionID: try parameters.required("sessionID"))
        case .signInCancelled:
            self = .signInCancelled(message: message, sessionID: try parameters.required("sessionID"))
        case .exchangeFailed:
            self = .exchangeFailed(
                message: message, providerID: try parameters.required("providerID"), error: try parameters.optional("error"),
                errorDescription: try parameters.optional("errorDescription")
            )
        case .invalidIDToken:
            self = .invalidIDToken(
                message: message, providerID: try parameters.required("providerID"), reason: try parameters.required("reason")
            )
        case .redirectNotRecognised: self = .redirectNotRecognised(message: message)
        case .invalidCredential: self = .invalidCredential(message: message)
        case .accountExistsWithDifferentCredential:
            self = .accountExistsWithDifferentCredential(
                message: message, email: try parameters.required("email"), providerIDs: try parameters.required("providerIDs"),
                credential: try parameters.required("credential")
            )
        case .credentialAlreadyInUse:
            self = .credentialAlreadyInUse(
                message: message, email: try parameters.optional("email"), credential: try parameters.required("credential")
            )
        case .emailAlreadyInUse:
            self = .emailAlreadyInUse(message: message, email: try parameters.required("email"))
        case .providerAlreadyLinked:
            self = .providerAlreadyLinked(message: message, providerID: try parameters.required("providerID"))
        case .noSuchProvider:
            self = .noSuchProvider(message: message, providerID: try parameters.required("providerID"))
        case .noCurrentUser:
            self = .noCurrentUser(message: message, app: try parameters.required("app"))
        case .userNotFound: self = .userNotFound(message: message)
        case .userMismatch: self = .userMismatch(message: message)
        case .invalidEmail: self = .invalidEmail(message: message)
        case .weakPassword:
            self = .weakPassword(message: message, reason: try parameters.required("reason"))
        case .wrongPassword: self = .wrongPassword(message: message)
        case .requiresRecentSignIn: self = .requiresRecentSignIn(message: message)
        case .secondFactorRequired:
            self = .secondFactorRequired(
                message: message, resolver: try parameters.required("resolver"), hints: try parameters.required("hints")
            )
        case .secondFactorAlreadyEnrolled: self = .secondFactorAlreadyEnrolled(message: message)
        case .invalidVerificationCode: self = .invalidVerificationCode(message: message)
        case .tooManyAttempts:
            self = .tooManyAttempts(message: message, retryAfterSeconds: try parameters.required("retryAfterSeconds"))
        case .signInRequired:
            self = .signInRequired(
                message: message, providerID: try parameters.required("providerID"), reason: try parameters.required("reason")
            )
        case .scopeNotGranted:
            self = .scopeNotGranted(message: message, missing: try parameters.required("missing"))
        case .ambiguousAccount:
            self = .ambiguousAccount(message: message, uids: try parameters.required("uids"))
        case .storeLocked: self = .storeLocked(message: message)
        case .storeDamaged: self = .storeDamaged(message: message)
        case .configurationInvalid:
            self = .configurationInvalid(
                message: message, file: try parameters.required("file"), line: try parameters.optional("line")
            )
        case .internalError: self = .internalError(message: message)
        }
    }
}
