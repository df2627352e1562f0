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
    /// `account`: what it is called; `uid`: its identifier at the provider. If the person says that it is theirs, sign in with the credential:
    /// from then on no other account can sign in under the name.
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
    /// The names of the interface's own errors on the wire.
    public static let names = [
        "io.postern.ProviderNotFound", "io.postern.ProviderNotConfigured", "io.postern.ProviderUnreachable", "io.postern.ReservedParameter",
        "io.postern.UnsupportedFlow", "io.postern.SessionNotFound", "io.postern.TooManySessions", "io.postern.SignInDenied",
        "io.postern.SignInTimedOut", "io.postern.SignInCancelled", "io.postern.ExchangeFailed", "io.postern.InvalidIDToken",
        "io.postern.RedirectNotRecognised", "io.postern.InvalidCredential", "io.postern.AccountExistsWithDifferentCredential",
        "io.postern.CredentialAlreadyInUse", "io.postern.AccountNotConfirmed", "io.postern.EmailAlreadyInUse",
        "io.postern.ProviderAlreadyLinked", "io.postern.NoSuchProvider", "io.postern.NoCurrentUser", "io.postern.UserNotFound",
        "io.postern.UserMismatch", "io.postern.InvalidEmail", "io.postern.WeakPassword", "io.postern.WrongPassword",
        "io.postern.RequiresRecentSignIn", "io.postern.SecondFactorRequired", "io.postern.SecondFactorAlreadyEnrolled",
        "io.postern.InvalidVerificationCode", "io.postern.TooManyAttempts", "io.postern.SignInRequired", "io.postern.ScopeNotGranted",
        "io.postern.AmbiguousAccount", "io.postern.CredentialExists", "io.postern.OriginNotServed", "io.postern.StoreLocked",
        "io.postern.StoreDamaged", "io.postern.ConfigurationInvalid", "io.postern.InternalError",
    ]

    /// The name on the wire: `io.postern.ProviderNotFound`.
    public var name: String {
        switch self {
        case .providerNotFound: "io.postern.ProviderNotFound"
        case .providerNotConfigured: "io.postern.ProviderNotConfigured"
        case .providerUnreachable: "io.postern.ProviderUnreachable"
        case .reservedParameter: "io.postern.ReservedParameter"
        case .unsupportedFlow: "io.postern.UnsupportedFlow"
        case .sessionNotFound: "io.postern.SessionNotFound"
        case .tooManySessions: "io.postern.TooManySessions"
        case .signInDenied: "io.postern.SignInDenied"
        case .signInTimedOut: "io.postern.SignInTimedOut"
        case .signInCancelled: "io.postern.SignInCancelled"
        case .exchangeFailed: "io.postern.ExchangeFailed"
        case .invalidIDToken: "io.postern.InvalidIDToken"
        case .redirectNotRecognised: "io.postern.RedirectNotRecognised"
        case .invalidCredential: "io.postern.InvalidCredential"
        case .accountExistsWithDifferentCredential: "io.postern.AccountExistsWithDifferentCredential"
        case .credentialAlreadyInUse: "io.postern.CredentialAlreadyInUse"
        case .accountNotConfirmed: "io.postern.AccountNotConfirmed"
        case .emailAlreadyInUse: "io.postern.EmailAlreadyInUse"
        case .providerAlreadyLinked: "io.postern.ProviderAlreadyLinked"
        case .noSuchProvider: "io.postern.NoSuchProvider"
        case .noCurrentUser: "io.postern.NoCurrentUser"
        case .userNotFound: "io.postern.UserNotFound"
        case .userMismatch: "io.postern.UserMismatch"
        case .invalidEmail: "io.postern.InvalidEmail"
        case .weakPassword: "io.postern.WeakPassword"
        case .wrongPassword: "io.postern.WrongPassword"
        case .requiresRecentSignIn: "io.postern.RequiresRecentSignIn"
        case .secondFactorRequired: "io.postern.SecondFactorRequired"
        case .secondFactorAlreadyEnrolled: "io.postern.SecondFactorAlreadyEnrolled"
        case .invalidVerificationCode: "io.postern.InvalidVerificationCode"
        case .tooManyAttempts: "io.postern.TooManyAttempts"
        case .signInRequired: "io.postern.SignInRequired"
        case .scopeNotGranted: "io.postern.ScopeNotGranted"
        case .ambiguousAccount: "io.postern.AmbiguousAccount"
        case .credentialExists: "io.postern.CredentialExists"
        case .originNotServed: "io.postern.OriginNotServed"
        case .storeLocked: "io.postern.StoreLocked"
        case .storeDamaged: "io.postern.StoreDamaged"
        case .configurationInvalid: "io.postern.ConfigurationInvalid"
        case .internalError: "io.postern.InternalError"
        case .numbered(let error, _): error.name
        case .invalidParameter: "org.varlink.service.InvalidParameter"
        case .expectedMore: "org.varlink.service.ExpectedMore"
        }
    }

    /// The number that the description gives the error; 0 where it gives none.
    var describedCode: Int {
        switch self {
        case .providerNotFound: 17071
        case .providerNotConfigured: 17006
        case .providerUnreachable: 17020
        case .tooManySessions: 17010
        case .signInDenied: 17063
        case .signInCancelled: 17058
        case .exchangeFailed: 17004
        case .invalidIDToken: 17004
        case .invalidCredential: 17004
        case .accountExistsWithDifferentCredential: 17012
        case .credentialAlreadyInUse: 17025
        case .emailAlreadyInUse: 17007
        case .providerAlreadyLinked: 17015
        case .noSuchProvider: 17016
        case .noCurrentUser: 17067
        case .userNotFound: 17011
        case .userMismatch: 17024
        case .invalidEmail: 17008
        case .weakPassword: 17026
        case .wrongPassword: 17009
        case .requiresRecentSignIn: 17014
        case .secondFactorRequired: 17078
        case .secondFactorAlreadyEnrolled: 17087
        case .invalidVerificationCode: 17044
        case .tooManyAttempts: 17010
        case .storeLocked: 17995
        case .storeDamaged: 17995
        case .internalError: 17999
        case .numbered(let error, _): error.describedCode
        default: 0
        }
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
        case .accountNotConfirmed(let message, _, _, _): message
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
        case .credentialExists(let message, _, _): message
        case .originNotServed(let message, _): message
        case .storeLocked(let message): message
        case .storeDamaged(let message): message
        case .configurationInvalid(let message, _, _): message
        case .internalError(let message): message
        case .numbered(let error, _): error.message
        case .invalidParameter(let path): "the parameter \(path) is not taken, or not with this value"
        case .expectedMore: "the method replies more than once and wants to be called so"
        }
    }
}

extension InterfaceError: JSONMembers {
    /// What the error carries besides `code` and `message`.
    func writeOwnMembers(to members: inout some JSONMemberSink) {
        switch self {
        case .providerNotFound(_, let providerID):
            members.set("providerID", providerID)
        case .providerNotConfigured(_, let providerID):
            members.set("providerID", providerID)
        case .providerUnreachable(_, let providerID):
            members.set("providerID", providerID)
        case .reservedParameter(_, let name):
            members.set("name", name)
        case .unsupportedFlow(_, let providerID, let flow):
            members.set("providerID", providerID)
            members.set("flow", flow)
        case .tooManySessions(_, let limit):
            members.set("limit", limit)
        case .signInDenied(_, let providerID, let error, let errorDescription):
            members.set("providerID", providerID)
            members.set("error", error)
            members.set("errorDescription", errorDescription)
        case .signInTimedOut(_, let sessionID):
            members.set("sessionID", sessionID)
        case .signInCancelled(_, let sessionID):
            members.set("sessionID", sessionID)
        case .exchangeFailed(_, let providerID, let error, let errorDescription):
            members.set("providerID", providerID)
            members.set("error", error)
            members.set("errorDescription", errorDescription)
        case .invalidIDToken(_, let providerID, let reason):
            members.set("providerID", providerID)
            members.set("reason", reason)
        case .accountExistsWithDifferentCredential(_, let email, let providerIDs, let credential):
            members.set("email", email)
            members.set("providerIDs", providerIDs)
            members.set("credential", credential)
        case .credentialAlreadyInUse(_, let email, let credential):
            members.set("email", email)
            members.set("credential", credential)
        case .accountNotConfirmed(_, let account, let uid, let credential):
            members.set("account", account)
            members.set("uid", uid)
            members.set("credential", credential)
        case .emailAlreadyInUse(_, let email):
            members.set("email", email)
        case .providerAlreadyLinked(_, let providerID):
            members.set("providerID", providerID)
        case .noSuchProvider(_, let providerID):
            members.set("providerID", providerID)
        case .noCurrentUser(_, let app):
            members.set("app", app)
        case .weakPassword(_, let reason):
            members.set("reason", reason)
        case .secondFactorRequired(_, let resolver, let hints):
            members.set("resolver", resolver)
            members.set("hints", hints)
        case .tooManyAttempts(_, let retryAfterSeconds):
            members.set("retryAfterSeconds", retryAfterSeconds)
        case .signInRequired(_, let providerID, let reason):
            members.set("providerID", providerID)
            members.set("reason", reason)
        case .scopeNotGranted(_, let missing):
            members.set("missing", missing)
        case .ambiguousAccount(_, let uids):
            members.set("uids", uids)
        case .credentialExists(_, let providerID, let uid):
            members.set("providerID", providerID)
            members.set("uid", uid)
        case .originNotServed(_, let origin):
            members.set("origin", origin)
        case .configurationInvalid(_, let file, let line):
            members.set("file", file)
            members.set("line", line)
        case .invalidParameter(let path): members.set("parameter", path)
        case .numbered(let error, _): error.writeOwnMembers(to: &members)
        default: break
        }
    }

    /// Reads an error of this interface, whatever its number. Nil where the name is none of it.
    init?(unnumbered name: String, _ parameters: JSONObject) throws(JSONMemberError) {
        switch name {
        case "io.postern.ProviderNotFound":
            self = .providerNotFound(message: try parameters.required("message"), providerID: try parameters.required("providerID"))
        case "io.postern.ProviderNotConfigured":
            self = .providerNotConfigured(message: try parameters.required("message"), providerID: try parameters.required("providerID"))
        case "io.postern.ProviderUnreachable":
            self = .providerUnreachable(message: try parameters.required("message"), providerID: try parameters.required("providerID"))
        case "io.postern.ReservedParameter":
            self = .reservedParameter(message: try parameters.required("message"), name: try parameters.required("name"))
        case "io.postern.UnsupportedFlow":
            self = .unsupportedFlow(
                message: try parameters.required("message"), providerID: try parameters.required("providerID"),
                flow: try parameters.required("flow")
            )
        case "io.postern.SessionNotFound":
            self = .sessionNotFound(message: try parameters.required("message"))
        case "io.postern.TooManySessions":
            self = .tooManySessions(message: try parameters.required("message"), limit: try parameters.required("limit"))
        case "io.postern.SignInDenied":
            self = .signInDenied(
                message: try parameters.required("message"), providerID: try parameters.required("providerID"),
                error: try parameters.required("error"), errorDescription: try parameters.optional("errorDescription")
            )
        case "io.postern.SignInTimedOut":
            self = .signInTimedOut(message: try parameters.required("message"), sessionID: try parameters.required("sessionID"))
        case "io.postern.SignInCancelled":
            self = .signInCancelled(message: try parameters.required("message"), sessionID: try parameters.required("sessionID"))
        case "io.postern.ExchangeFailed":
            self = .exchangeFailed(
                message: try parameters.required("message"), providerID: try parameters.required("providerID"),
                error: try parameters.optional("error"), errorDescription: try parameters.optional("errorDescription")
            )
        case "io.postern.InvalidIDToken":
            self = .invalidIDToken(
                message: try parameters.required("message"), providerID: try parameters.required("providerID"),
                reason: try parameters.required("reason")
            )
        case "io.postern.RedirectNotRecognised":
            self = .redirectNotRecognised(message: try parameters.required("message"))
        case "io.postern.InvalidCredential":
            self = .invalidCredential(message: try parameters.required("message"))
        case "io.postern.AccountExistsWithDifferentCredential":
            self = .accountExistsWithDifferentCredential(
                message: try parameters.required("message"), email: try parameters.required("email"),
                providerIDs: try parameters.required("providerIDs"), credential: try parameters.required("credential")
            )
        case "io.postern.CredentialAlreadyInUse":
            self = .credentialAlreadyInUse(
                message: try parameters.required("message"), email: try parameters.optional("email"),
                credential: try parameters.required("credential")
            )
        case "io.postern.AccountNotConfirmed":
            self = .accountNotConfirmed(
                message: try parameters.required("message"), account: try parameters.required("account"),
                uid: try parameters.required("uid"), credential: try parameters.required("credential")
            )
        case "io.postern.EmailAlreadyInUse":
            self = .emailAlreadyInUse(message: try parameters.required("message"), email: try parameters.required("email"))
        case "io.postern.ProviderAlreadyLinked":
            self = .providerAlreadyLinked(message: try parameters.required("message"), providerID: try parameters.required("providerID"))
        case "io.postern.NoSuchProvider":
            self = .noSuchProvider(message: try parameters.required("message"), providerID: try parameters.required("providerID"))
        case "io.postern.NoCurrentUser":
            self = .noCurrentUser(message: try parameters.required("message"), app: try parameters.required("app"))
        case "io.postern.UserNotFound":
            self = .userNotFound(message: try parameters.required("message"))
        case "io.postern.UserMismatch":
            self = .userMismatch(message: try parameters.required("message"))
        case "io.postern.InvalidEmail":
            self = .invalidEmail(message: try parameters.required("message"))
        case "io.postern.WeakPassword":
            self = .weakPassword(message: try parameters.required("message"), reason: try parameters.required("reason"))
        case "io.postern.WrongPassword":
            self = .wrongPassword(message: try parameters.required("message"))
        case "io.postern.RequiresRecentSignIn":
            self = .requiresRecentSignIn(message: try parameters.required("message"))
        case "io.postern.SecondFactorRequired":
            self = .secondFactorRequired(
                message: try parameters.required("message"), resolver: try parameters.required("resolver"),
                hints: try parameters.required("hints")
            )
        case "io.postern.SecondFactorAlreadyEnrolled":
            self = .secondFactorAlreadyEnrolled(message: try parameters.required("message"))
        case "io.postern.InvalidVerificationCode":
            self = .invalidVerificationCode(message: try parameters.required("message"))
        case "io.postern.TooManyAttempts":
            self = .tooManyAttempts(
                message: try parameters.required("message"), retryAfterSeconds: try parameters.required("retryAfterSeconds")
            )
        case "io.postern.SignInRequired":
            self = .signInRequired(
                message: try parameters.required("message"), providerID: try parameters.required("providerID"),
                reason: try parameters.required("reason")
            )
        case "io.postern.ScopeNotGranted":
            self = .scopeNotGranted(message: try parameters.required("message"), missing: try parameters.required("missing"))
        case "io.postern.AmbiguousAccount":
            self = .ambiguousAccount(message: try parameters.required("message"), uids: try parameters.required("uids"))
        case "io.postern.CredentialExists":
            self = .credentialExists(
                message: try parameters.required("message"), providerID: try parameters.required("providerID"),
                uid: try parameters.required("uid")
            )
        case "io.postern.OriginNotServed":
            self = .originNotServed(message: try parameters.required("message"), origin: try parameters.required("origin"))
        case "io.postern.StoreLocked":
            self = .storeLocked(message: try parameters.required("message"))
        case "io.postern.StoreDamaged":
            self = .storeDamaged(message: try parameters.required("message"))
        case "io.postern.ConfigurationInvalid":
            self = .configurationInvalid(
                message: try parameters.required("message"), file: try parameters.required("file"), line: try parameters.optional("line")
            )
        case "io.postern.InternalError":
            self = .internalError(message: try parameters.required("message"))
        default: return nil
        }
    }
}
