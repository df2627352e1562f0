import PosternCore
import PosternInterface

extension InterfaceError {
    /// What a refusal reports besides the message.
    struct RefusalContext {
        var app: AppName
        var providerName: String
        /// With a handle if the program can still use it after the refusal.
        var credential: Interface.Credential?
        var resolver: Secret?
    }

    /// How a refusal by the account rules is reported on the socket.
    init(_ refusal: AccountRefusal, _ context: RefusalContext) {
        let words = refusal.words(app: context.app, providerName: context.providerName)
        let (email, providerID) = (refusal.email ?? "", refusal.providerID ?? "")
        self =
            switch (refusal.reason.row.error, context.credential) {
            case (.noCurrentUser, _): .noCurrentUser(message: words, app: context.app.text)
            case (.providerAlreadyLinked, _): .providerAlreadyLinked(message: words, providerID: providerID)
            case (.credentialAlreadyInUse, let credential?):
                .credentialAlreadyInUse(message: words, email: refusal.email, credential: credential)
            case (.emailAlreadyInUse, _): .emailAlreadyInUse(message: words, email: email)
            case (.accountExists, let credential?):
                .accountExistsWithDifferentCredential(
                    message: words, email: email, providerIDs: refusal.providerIDs, credential: credential)
            case (.userMismatch, _): .userMismatch(message: words)
            case (.accountNotConfirmed, let credential?):
                .accountNotConfirmed(
                    message: words, account: refusal.account ?? "", uid: refusal.subject ?? "", credential: credential)
            case (.credentialAlreadyInUse, nil), (.accountExists, nil), (.accountNotConfirmed, nil): Self.withoutCredential
            case (.secondFactorRequired, _):
                context.resolver.map {
                    .secondFactorRequired(message: words, resolver: $0, hints: refusal.hints.map(Interface.SecondFactor.init))
                } ?? Self.withoutCredential
            case (.requiresRecentSignIn, _): .requiresRecentSignIn(message: words)
            case (.invalidCredential, _): .invalidCredential(message: words)
            case (.noSuchProvider, _): .noSuchProvider(message: words, providerID: providerID)
            case (.userNotFound, _): .userNotFound(message: words)
            case (.tooManyAttempts, _): .tooManyAttempts(message: words, retryAfterSeconds: 60)
            case (.firebase, _): refusal.firebase.map { InterfaceError($0, app: context.app) } ?? .internalError(message: words)
            }
    }

    private static let withoutCredential = InterfaceError.internalError(
        message: "the credential could not be delivered; start the sign-in again")
}

extension Interface.SecondFactor {
    init(_ factor: SecondFactor) {
        let kind: FactorID =
            switch factor.kind {
            case .totp: .totp
            case .phone: .phone
            }
        self.init(
            factorID: kind, uid: factor.uid, displayName: factor.displayName,
            phoneNumber: factor.phoneNumber.flatMap(PhoneNumber.shown), enrolledAt: "\(factor.enrolledAt)")
    }
}
