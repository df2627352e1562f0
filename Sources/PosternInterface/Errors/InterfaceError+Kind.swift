extension InterfaceError {
    /// Which error, without what it carries.
    public enum Kind: String, CaseIterable, Sendable {
        case providerNotFound = "ProviderNotFound"
        case providerNotConfigured = "ProviderNotConfigured"
        case providerUnreachable = "ProviderUnreachable"
        case reservedParameter = "ReservedParameter"
        case unsupportedFlow = "UnsupportedFlow"
        case sessionNotFound = "SessionNotFound"
        case tooManySessions = "TooManySessions"
        case signInDenied = "SignInDenied"
        case signInTimedOut = "SignInTimedOut"
        case signInCancelled = "SignInCancelled"
        case exchangeFailed = "ExchangeFailed"
        case invalidIDToken = "InvalidIDToken"
        case redirectNotRecognised = "RedirectNotRecognised"
        case invalidCredential = "InvalidCredential"
        case accountExistsWithDifferentCredential = "AccountExistsWithDifferentCredential"
        case credentialAlreadyInUse = "CredentialAlreadyInUse"
        case emailAlreadyInUse = "EmailAlreadyInUse"
        case providerAlreadyLinked = "ProviderAlreadyLinked"
        case noSuchProvider = "NoSuchProvider"
        case noCurrentUser = "NoCurrentUser"
        case userNotFound = "UserNotFound"
        case userMismatch = "UserMismatch"
        case invalidEmail = "InvalidEmail"
        case weakPassword = "WeakPassword"
        case wrongPassword = "WrongPassword"
        case requiresRecentSignIn = "RequiresRecentSignIn"
        case secondFactorRequired = "SecondFactorRequired"
        case secondFactorAlreadyEnrolled = "SecondFactorAlreadyEnrolled"
        case invalidVerificationCode = "InvalidVerificationCode"
        case tooManyAttempts = "TooManyAttempts"
        case signInRequired = "SignInRequired"
        case scopeNotGranted = "ScopeNotGranted"
        case ambiguousAccount = "AmbiguousAccount"
        case storeLocked = "StoreLocked"
        case storeDamaged = "StoreDamaged"
        case configurationInvalid = "ConfigurationInvalid"
        case internalError = "InternalError"

        /// The name on the wire: `io.postern.ProviderNotFound`.
        public var name: String { "\(Interface.name).\(rawValue)" }

        public init?(name: String) {
            guard name.hasPrefix(Interface.name + ".") else { return nil }
            self.init(rawValue: String(name.dropFirst(Interface.name.utf8.count + 1)))
        }
    }

    /// The name on the wire: `io.postern.ProviderNotFound`.
    public var name: String { kind.name }

    public var kind: Kind {
        switch self {
        case .providerNotFound: .providerNotFound
        case .providerNotConfigured: .providerNotConfigured
        case .providerUnreachable: .providerUnreachable
        case .reservedParameter: .reservedParameter
        case .unsupportedFlow: .unsupportedFlow
        case .sessionNotFound: .sessionNotFound
        case .tooManySessions: .tooManySessions
        case .signInDenied: .signInDenied
        case .signInTimedOut: .signInTimedOut
        case .signInCancelled: .signInCancelled
        case .exchangeFailed: .exchangeFailed
        case .invalidIDToken: .invalidIDToken
        case .redirectNotRecognised: .redirectNotRecognised
        case .invalidCredential: .invalidCredential
        case .accountExistsWithDifferentCredential: .accountExistsWithDifferentCredential
        case .credentialAlreadyInUse: .credentialAlreadyInUse
        case .emailAlreadyInUse: .emailAlreadyInUse
        case .providerAlreadyLinked: .providerAlreadyLinked
        case .noSuchProvider: .noSuchProvider
        case .noCurrentUser: .noCurrentUser
        case .userNotFound: .userNotFound
        case .userMismatch: .userMismatch
        case .invalidEmail: .invalidEmail
        case .weakPassword: .weakPassword
        case .wrongPassword: .wrongPassword
        case .requiresRecentSignIn: .requiresRecentSignIn
        case .secondFactorRequired: .secondFactorRequired
        case .secondFactorAlreadyEnrolled: .secondFactorAlreadyEnrolled
        case .invalidVerificationCode: .invalidVerificationCode
        case .tooManyAttempts: .tooManyAttempts
        case .signInRequired: .signInRequired
        case .scopeNotGranted: .scopeNotGranted
        case .ambiguousAccount: .ambiguousAccount
        case .storeLocked: .storeLocked
        case .storeDamaged: .storeDamaged
        case .configurationInvalid: .configurationInvalid
        case .internalError: .internalError
        case .numbered(let error, _): error.kind
        }
    }
}
