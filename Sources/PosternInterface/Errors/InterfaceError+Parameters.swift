import StrictJSON

extension InterfaceError {
    /// What stands in the reply beside the name, `code` and `message` first.
    public var parameters: JSONObject {
        var object: JSONObject = ["code": code.json, "message": message.json]
        switch self {
        case .providerNotFound(_, let providerID):
            object.set("providerID", providerID)
        case .providerNotConfigured(_, let providerID):
            object.set("providerID", providerID)
        case .providerUnreachable(_, let providerID):
            object.set("providerID", providerID)
        case .reservedParameter(_, let name):
            object.set("name", name)
        case .unsupportedFlow(_, let providerID, let flow):
            object.set("providerID", providerID)
            object.set("flow", flow)
        case .tooManySessions(_, let limit):
            object.set("limit", limit)
        case .signInDenied(_, let providerID, let error, let errorDescription):
            object.set("providerID", providerID)
            object.set("error", error)
            object.set("errorDescription", errorDescription)
        case .signInTimedOut(_, let sessionID):
            object.set("sessionID", sessionID)
        case .signInCancelled(_, let sessionID):
            object.set("sessionID", sessionID)
        case .exchangeFailed(_, let providerID, let error, let errorDescription):
            object.set("providerID", providerID)
            object.set("error", error)
            object.set("errorDescription", errorDescription)
        case .invalidIDToken(_, let providerID, let reason):
            object.set("providerID", providerID)
            object.set("reason", reason)
        case .accountExistsWithDifferentCredential(_, let email, let providerIDs, let credential):
            object.set("email", email)
            object.set("providerIDs", providerIDs)
            object.set("credential", credential)
        case .credentialAlreadyInUse(_, let email, let credential):
            object.set("email", email)
            object.set("credential", credential)
        case .emailAlreadyInUse(_, let email):
            object.set("email", email)
        case .providerAlreadyLinked(_, let providerID):
            object.set("providerID", providerID)
        case .noSuchProvider(_, let providerID):
            object.set("providerID", providerID)
        case .noCurrentUser(_, let app):
            object.set("app", app)
        case .weakPassword(_, let reason):
            object.set("reason", reason)
        case .secondFactorRequired(_, let resolver, let hints):
            object.set("resolver", resolver)
            object.set("hints", hints)
        case .tooManyAttempts(_, let retryAfterSeconds):
            object.set("retryAfterSeconds", retryAfterSeconds)
        case .signInRequired(_, let providerID, let reason):
            object.set("providerID", providerID)
            object.set("reason", reason)
        case .scopeNotGranted(_, let missing):
            object.set("missing", missing)
        case .ambiguousAccount(_, let uids):
            object.set("uids", uids)
        case .configurationInvalid(_, let file, let line):
            object.set("file", file)
            object.set("line", line)
        case .sessionNotFound, .redirectNotRecognised, .invalidCredential, .userNotFound, .userMismatch, .invalidEmail,
            .wrongPassword, .requiresRecentSignIn, .secondFactorAlreadyEnrolled, .invalidVerificationCode, .storeLocked,
            .storeDamaged, .internalError:
            break
        case .numbered(let error, let code):
            object = error.parameters
            object["code"] = code.json
        }
        return object
    }

    /// The sentence for a person.
    public var message: String {
        switch self {
        case .providerNotFound(let message, _): message
        case .providerNotConfigured(let message, _): message
        case .providerUnreachable(let message, _): message
        case .reservedParameter(let message, _): message
        case .unsupportedFlow(let message, _, _): message
        case .sessionNotFound(let message): message
        case .tooManySessions(let message, _): message
        case .signInDenied(let message, _, _, _): message
        case .signInTimedOut(let message, _): message
        case .signInCancelled(let message, _): message
        case .exchangeFailed(let message, _, _, _): message
        case .invalidIDToken(let message, _, _): message
        case .redirectNotRecognised(let message): message
        case .invalidCredential(let message): message
        case .accountExistsWithDifferentCredential(let message, _, _, _): message
        case .credentialAlreadyInUse(let message, _, _): message
        case .emailAlreadyInUse(let message, _): message
        case .providerAlreadyLinked(let message, _): message
        case .noSuchProvider(let message, _): message
        case .noCurrentUser(let message, _): message
        case .userNotFound(let message): message
        case .userMismatch(let message): message
        case .invalidEmail(let message): message
        case .weakPassword(let message, _): message
        case .wrongPassword(let message): message
        case .requiresRecentSignIn(let message): message
        case .secondFactorRequired(let message, _, _): message
        case .secondFactorAlreadyEnrolled(let message): message
        case .invalidVerificationCode(let message): message
        case .tooManyAttempts(let message, _): message
        case .signInRequired(let message, _, _): message
        case .scopeNotGranted(let message, _): message
        case .ambiguousAccount(let message, _): message
        case .storeLocked(let message): message
        case .storeDamaged(let message): message
        case .configurationInvalid(let message, _, _): message
        case .internalError(let message): message
        case .numbered(let error, _): error.message
        }
    }
}
