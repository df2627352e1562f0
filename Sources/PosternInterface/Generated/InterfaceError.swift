// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import Secrets
import StrictJSON

/// The errors of the interface, each with the members it carries besides `code` and `message`.
///
/// `message` is a sentence for a person: lower case, no final period, never a secret.
public enum InterfaceError: Error, Hashable {
    /// Code: 17071 (invalidProviderID).
    case providerNotFound(message: String, providerID: String)
    /// Code: 17006 (operationNotAllowed).
    case providerNotConfigured(message: String, providerID: String)
    /// An MCP server or its issuer is not, or not any more, as the user agreed to it (`agreed` of SignIn). Nothing was sent there: show it
    /// anew (ResolveResource), and ask again.
    case serverChanged(message: String, providerID: String)
    /// Code: 17020 (networkError).
    case providerUnreachable(message: String, providerID: String)
    case reservedParameter(message: String, name: String)
    case unsupportedFlow(message: String, providerID: String, flow: String)
    case sessionNotFound(message: String)
    /// Code: 17010 (tooManyRequests).
    case tooManySessions(message: String, limit: Int)
    /// Code: 17063 (webSignInUserInteractionFailure), or by `error` 17058 (webContextCancelled), 17060 (invalidClientID)
    /// or 17062 (webInternalError).
    case signInDenied(message: String, providerID: String, error: String, errorDescription: String? = nil)
    case signInTimedOut(message: String, sessionID: String)
    /// Code: 17058 (webContextCancelled).
    case signInCancelled(message: String, sessionID: String)
    /// The provider refused the code, or its answer was invalid.
    /// Code: 17004 (invalidCredential).
    case exchangeFailed(message: String, providerID: String, error: String? = nil, errorDescription: String? = nil)
    /// Code: 17004 (invalidCredential), or 17094 (missingOrInvalidNonce).
    case invalidIDToken(message: String, providerID: String, reason: String)
    case redirectNotRecognised(message: String)
    /// Code: 17004 (invalidCredential).
    case invalidCredential(message: String)
    /// Code: 17012 (accountExistsWithDifferentCredential).
    case accountExistsWithDifferentCredential(message: String, email: String, providerIDs: [String], credential: Interface.Credential)
    /// Code: 17025 (credentialAlreadyInUse).
    case credentialAlreadyInUse(message: String, email: String? = nil, credential: Interface.Credential)
    /// The sign-in was under the name of an account with a `login`, and the provider does not say whether this is the account that the login means.
    /// `account`: what it is called; `uid`: its identifier at the provider. If the person says that it is theirs, sign in with the credential,
    /// or, after `keep`, with its handle as `confirmation`: from then on no other account can sign in under the name.
    case accountNotConfirmed(message: String, account: String, uid: String, credential: Interface.Credential)
    /// Code: 17007 (emailAlreadyInUse).
    case emailAlreadyInUse(message: String, email: String)
    /// Code: 17015 (providerAlreadyLinked).
    case providerAlreadyLinked(message: String, providerID: String)
    /// Code: 17016 (noSuchProvider).
    case noSuchProvider(message: String, providerID: String)
    /// Code: 17067 (nullUser).
    case noCurrentUser(message: String, app: String)
    /// Code: 17011 (userNotFound).
    case userNotFound(message: String)
    /// Code: 17024 (userMismatch).
    case userMismatch(message: String)
    /// Code: 17008 (invalidEmail).
    case invalidEmail(message: String)
    /// Code: 17026 (weakPassword).
    case weakPassword(message: String, reason: String)
    /// Code: 17009 (wrongPassword).
    case wrongPassword(message: String)
    /// Code: 17014 (requiresRecentLogin).
    case requiresRecentSignIn(message: String)
    /// Code: 17078 (secondFactorRequired).
    case secondFactorRequired(message: String, resolver: Secret, hints: [Interface.SecondFactor])
    /// Code: 17087 (secondFactorAlreadyEnrolled).
    case secondFactorAlreadyEnrolled(message: String)
    /// Code: 17044 (invalidVerificationCode).
    case invalidVerificationCode(message: String)
    /// Code: 17010 (tooManyRequests).
    case tooManyAttempts(message: String, retryAfterSeconds: Int)
    /// No token is available without the user: the refresh token is missing, has expired or was refused.
    case signInRequired(message: String, providerID: String, reason: String)
    case scopeNotGranted(message: String, missing: [String])
    /// A server wants more scopes or a stronger sign-in than the token has (RFC 6750, RFC 9470): a person must sign in again, with the
    /// same `challenge`.
    case stepUpRequired(message: String, providerID: String, scopes: [String], acrValues: [String], maxAgeSeconds: Int? = nil)
    case ambiguousAccount(message: String, uids: [String])
    /// A credential of the account is already stored, or the refresh token was already imported.
    case credentialExists(message: String, providerID: String, uid: String)
    /// The account's tokens are not for this URL.
    case originNotServed(message: String, origin: String)
    /// Code: 17995 (keychainError).
    case storeLocked(message: String)
    /// Code: 17995 (keychainError).
    case storeDamaged(message: String)
    case configurationInvalid(message: String, file: String, line: Int? = nil)
    /// Code: 17999 (internalError).
    case internalError(message: String)
    /// One of the others under another number than its own: the interface has fewer errors than Firebase has numbers.
    indirect case numbered(InterfaceError, code: Int)
    /// `org.varlink.service.InvalidParameter`, with the parameter's path: `credential.handle`.
    case invalidParameter(String)
    /// `org.varlink.service.ExpectedMore`: the method has many replies and was called without `more`.
    case expectedMore
}

extension InterfaceError {
    /// What the error is on the wire: its name without the interface's, the number that the description gives it (0 where it gives none,
    /// nil for the errors that every service has), the sentence for a person, and what it carries besides.
    var form: (name: String, code: Int?, message: String, members: [JSONMember]) {
        switch self {
        case .providerNotFound(let message, let providerID): ("ProviderNotFound", 17071, message, [JSONMember("providerID", providerID)])
        case .providerNotConfigured(let message, let providerID):
            ("ProviderNotConfigured", 17006, message, [JSONMember("providerID", providerID)])
        case .serverChanged(let message, let providerID): ("ServerChanged", 0, message, [JSONMember("providerID", providerID)])
        case .providerUnreachable(let message, let providerID):
            ("ProviderUnreachable", 17020, message, [JSONMember("providerID", providerID)])
        case .reservedParameter(let message, let name): ("ReservedParameter", 0, message, [JSONMember("name", name)])
        case .unsupportedFlow(let message, let providerID, let flow):
            ("UnsupportedFlow", 0, message, [JSONMember("providerID", providerID), JSONMember("flow", flow)])
        case .sessionNotFound(let message): ("SessionNotFound", 0, message, [])
        case .tooManySessions(let message, let limit): ("TooManySessions", 17010, message, [JSONMember("limit", limit)])
        case .signInDenied(let message, let providerID, let error, let errorDescription):
            (
                "SignInDenied", 17063, message,
                [JSONMember("providerID", providerID), JSONMember("error", error), JSONMember("errorDescription", errorDescription)]
            )
        case .signInTimedOut(let message, let sessionID): ("SignInTimedOut", 0, message, [JSONMember("sessionID", sessionID)])
        case .signInCancelled(let message, let sessionID): ("SignInCancelled", 17058, message, [JSONMember("sessionID", sessionID)])
        case .exchangeFailed(let message, let providerID, let error, let errorDescription):
            (
                "ExchangeFailed", 17004, message,
                [JSONMember("providerID", providerID), JSONMember("error", error), JSONMember("errorDescription", errorDescription)]
            )
        case .invalidIDToken(let message, let providerID, let reason):
            ("InvalidIDToken", 17004, message, [JSONMember("providerID", providerID), JSONMember("reason", reason)])
        case .redirectNotRecognised(let message): ("RedirectNotRecognised", 0, message, [])
        case .invalidCredential(let message): ("InvalidCredential", 17004, message, [])
        case .accountExistsWithDifferentCredential(let message, let email, let providerIDs, let credential):
            (
                "AccountExistsWithDifferentCredential", 17012, message,
                [JSONMember("email", email), JSONMember("providerIDs", providerIDs), JSONMember("credential", credential)]
            )
        case .credentialAlreadyInUse(let message, let email, let credential):
            ("CredentialAlreadyInUse", 17025, message, [JSONMember("email", email), JSONMember("credential", credential)])
        case .accountNotConfirmed(let message, let account, let uid, let credential):
            (
                "AccountNotConfirmed", 0, message,
                [JSONMember("account", account), JSONMember("uid", uid), JSONMember("credential", credential)]
            )
        case .emailAlreadyInUse(let message, let email): ("EmailAlreadyInUse", 17007, message, [JSONMember("email", email)])
        case .providerAlreadyLinked(let message, let providerID):
            ("ProviderAlreadyLinked", 17015, message, [JSONMember("providerID", providerID)])
        case .noSuchProvider(let message, let providerID): ("NoSuchProvider", 17016, message, [JSONMember("providerID", providerID)])
        case .noCurrentUser(let message, let app): ("NoCurrentUser", 17067, message, [JSONMember("app", app)])
        case .userNotFound(let message): ("UserNotFound", 17011, message, [])
        case .userMismatch(let message): ("UserMismatch", 17024, message, [])
        case .invalidEmail(let message): ("InvalidEmail", 17008, message, [])
        case .weakPassword(let message, let reason): ("WeakPassword", 17026, message, [JSONMember("reason", reason)])
        case .wrongPassword(let message): ("WrongPassword", 17009, message, [])
        case .requiresRecentSignIn(let message): ("RequiresRecentSignIn", 17014, message, [])
        case .secondFactorRequired(let message, let resolver, let hints):
            ("SecondFactorRequired", 17078, message, [JSONMember("resolver", resolver), JSONMember("hints", hints)])
        case .secondFactorAlreadyEnrolled(let message): ("SecondFactorAlreadyEnrolled", 17087, message, [])
        case .invalidVerificationCode(let message): ("InvalidVerificationCode", 17044, message, [])
        case .tooManyAttempts(let message, let retryAfterSeconds):
            ("TooManyAttempts", 17010, message, [JSONMember("retryAfterSeconds", retryAfterSeconds)])
        case .signInRequired(let message, let providerID, let reason):
            ("SignInRequired", 0, message, [JSONMember("providerID", providerID), JSONMember("reason", reason)])
        case .scopeNotGranted(let message, let missing): ("ScopeNotGranted", 0, message, [JSONMember("missing", missing)])
        case .stepUpRequired(let message, let providerID, let scopes, let acrValues, let maxAgeSeconds):
            (
                "StepUpRequired", 0, message,
                [
                    JSONMember("providerID", providerID), JSONMember("scopes", scopes), JSONMember("acrValues", acrValues),
                    JSONMember("maxAgeSeconds", maxAgeSeconds),
                ]
            )
        case .ambiguousAccount(let message, let uids): ("AmbiguousAccount", 0, message, [JSONMember("uids", uids)])
        case .credentialExists(let message, let providerID, let uid):
            ("CredentialExists", 0, message, [JSONMember("providerID", providerID), JSONMember("uid", uid)])
        case .originNotServed(let message, let origin): ("OriginNotServed", 0, message, [JSONMember("origin", origin)])
        case .storeLocked(let message): ("StoreLocked", 17995, message, [])
        case .storeDamaged(let message): ("StoreDamaged", 17995, message, [])
        case .configurationInvalid(let message, let file, let line):
            ("ConfigurationInvalid", 0, message, [JSONMember("file", file), JSONMember("line", line)])
        case .internalError(let message): ("InternalError", 17999, message, [])
        case .numbered(let error, _): error.form
        case .invalidParameter(let path):
            ("InvalidParameter", nil, "the parameter \(path) is not taken, or not with this value", [JSONMember("parameter", path)])
        case .expectedMore: ("ExpectedMore", nil, "the method replies more than once and wants to be called so", [])
        }
    }

    /// Reads an error by its name within the interface, whatever its number. Nil where the name is none of it.
    static func read(_ name: String, _ object: JSONObject) throws(JSONMemberError) -> InterfaceError? {
        func message() throws(JSONMemberError) -> String { try object.required("message") }
        return switch name {
        case "ProviderNotFound": try .providerNotFound(message: message(), providerID: object.required("providerID"))
        case "ProviderNotConfigured": try .providerNotConfigured(message: message(), providerID: object.required("providerID"))
        case "ServerChanged": try .serverChanged(message: message(), providerID: object.required("providerID"))
        case "ProviderUnreachable": try .providerUnreachable(message: message(), providerID: object.required("providerID"))
        case "ReservedParameter": try .reservedParameter(message: message(), name: object.required("name"))
        case "UnsupportedFlow":
            try .unsupportedFlow(message: message(), providerID: object.required("providerID"), flow: object.required("flow"))
        case "SessionNotFound": try .sessionNotFound(message: message())
        case "TooManySessions": try .tooManySessions(message: message(), limit: object.required("limit"))
        case "SignInDenied":
            try .signInDenied(
                message: message(), providerID: object.required("providerID"), error: object.required("error"),
                errorDescription: object.optional("errorDescription")
            )
        case "SignInTimedOut": try .signInTimedOut(message: message(), sessionID: object.required("sessionID"))
        case "SignInCancelled": try .signInCancelled(message: message(), sessionID: object.required("sessionID"))
        case "ExchangeFailed":
            try .exchangeFailed(
                message: message(), providerID: object.required("providerID"), error: object.optional("error"),
                errorDescription: object.optional("errorDescription")
            )
        case "InvalidIDToken":
            try .invalidIDToken(message: message(), providerID: object.required("providerID"), reason: object.required("reason"))
        case "RedirectNotRecognised": try .redirectNotRecognised(message: message())
        case "InvalidCredential": try .invalidCredential(message: message())
        case "AccountExistsWithDifferentCredential":
            try .accountExistsWithDifferentCredential(
                message: message(), email: object.required("email"), providerIDs: object.required("providerIDs"),
                credential: object.required("credential")
            )
        case "CredentialAlreadyInUse":
            try .credentialAlreadyInUse(message: message(), email: object.optional("email"), credential: object.required("credential"))
        case "AccountNotConfirmed":
            try .accountNotConfirmed(
                message: message(), account: object.required("account"), uid: object.required("uid"),
                credential: object.required("credential")
            )
        case "EmailAlreadyInUse": try .emailAlreadyInUse(message: message(), email: object.required("email"))
        case "ProviderAlreadyLinked": try .providerAlreadyLinked(message: message(), providerID: object.required("providerID"))
        case "NoSuchProvider": try .noSuchProvider(message: message(), providerID: object.required("providerID"))
        case "NoCurrentUser": try .noCurrentUser(message: message(), app: object.required("app"))
        case "UserNotFound": try .userNotFound(message: message())
        case "UserMismatch": try .userMismatch(message: message())
        case "InvalidEmail": try .invalidEmail(message: message())
        case "WeakPassword": try .weakPassword(message: message(), reason: object.required("reason"))
        case "WrongPassword": try .wrongPassword(message: message())
        case "RequiresRecentSignIn": try .requiresRecentSignIn(message: message())
        case "SecondFactorRequired":
            try .secondFactorRequired(message: message(), resolver: object.required("resolver"), hints: object.required("hints"))
        case "SecondFactorAlreadyEnrolled": try .secondFactorAlreadyEnrolled(message: message())
        case "InvalidVerificationCode": try .invalidVerificationCode(message: message())
        case "TooManyAttempts": try .tooManyAttempts(message: message(), retryAfterSeconds: object.required("retryAfterSeconds"))
        case "SignInRequired":
            try .signInRequired(message: message(), providerID: object.required("providerID"), reason: object.required("reason"))
        case "ScopeNotGranted": try .scopeNotGranted(message: message(), missing: object.required("missing"))
        case "StepUpRequired":
            try .stepUpRequired(
                message: message(), providerID: object.required("providerID"), scopes: object.required("scopes"),
                acrValues: object.required("acrValues"), maxAgeSeconds: object.optional("maxAgeSeconds")
            )
        case "AmbiguousAccount": try .ambiguousAccount(message: message(), uids: object.required("uids"))
        case "CredentialExists":
            try .credentialExists(message: message(), providerID: object.required("providerID"), uid: object.required("uid"))
        case "OriginNotServed": try .originNotServed(message: message(), origin: object.required("origin"))
        case "StoreLocked": try .storeLocked(message: message())
        case "StoreDamaged": try .storeDamaged(message: message())
        case "ConfigurationInvalid":
            try .configurationInvalid(message: message(), file: object.required("file"), line: object.optional("line"))
        case "InternalError": try .internalError(message: message())
        default: nil
        }
    }
}
