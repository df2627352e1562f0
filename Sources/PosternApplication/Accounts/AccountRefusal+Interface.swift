import PosternCore
import PosternInterface

extension InterfaceError {
    /// What a refusal reports besides the message.
    struct RefusalContext {
        var app: String
        var providerName: String
        /// With a handle if the program can still use it after the refusal.
        var credential: Interface.Credential?
        var resolver: Secret?
    }

    /// How a refusal by the account rules is reported on the socket.
    init(_ refusal: AccountRefusal, _ context: RefusalContext) {
        let words = refusal.words(app: context.app, providerName: context.providerName)
        switch refusal {
        case .noCurrentUser: self = .noCurrentUser(message: words, app: context.app)
        case .providerAlreadyLinked(let providerID, _): self = .providerAlreadyLinked(message: words, providerID: providerID)
        case .credentialAlreadyInUse(let email):
            guard let credential = context.credential else { self = Self.withoutCredential; return }
            self = .credentialAlreadyInUse(message: words, email: email, credential: credential)
        case .emailAlreadyInUse(let email): self = .emailAlreadyInUse(message: words, email: email)
        case .accountExists(let email, let providerIDs):
            guard let credential = context.credential else { self = Self.withoutCredential; return }
            self = .accountExistsWithDifferentCredential(message: words, email: email, providerIDs: providerIDs, credential: credential)
        case .userMismatch: self = .userMismatch(message: words)
        case .accountNotConfirmed(_, let account, let subject):
            guard let credential = context.credential else { self = Self.withoutCredential; return }
            self = .accountNotConfirmed(message: words, account: account, uid: subject, credential: credential)
        case .secondFactorRequired(_, let hints):
            guard let resolver = context.resolver else { self = Self.withoutCredential; return }
            self = .secondFactorRequired(message: words, resolver: resolver, hints: hints.map(Interface.SecondFactor.init))
        case .requiresRecentSignIn, .linkNotProved: self = .requiresRecentSignIn(message: words)
        case .personNotShown, .lastProvider: self = .invalidCredential(message: words)
        case .noSuchProvider(let providerID): self = .noSuchProvider(message: words, providerID: providerID)
        case .userNotFound: self = .userNotFound(message: words)
        case .tooManyAnonymousUsers: self = .tooManyAttempts(message: words, retryAfterSeconds: 60)
        case .firebase(let refusal): self.init(refusal, app: context.app)
        }
    }

    private static let withoutCredential = InterfaceError.internalError(
        message: "the credential could not be delivered; start the sign-in again")
}

extension AccountRefusal {
    /// The message for a user. A program gets it along with the means to continue, the log without them.
    ///
    /// - Parameter namesAddress: false for the journal, which contains nobody's address.
    func words(app: String, providerName name: String, namesAddress: Bool = true) -> String {
        func address(_ email: String) -> String { namesAddress ? "the address \(email)" : "the address" }
        return switch self {
        case .noCurrentUser: "nobody is signed in to the app \(app); sign in first"
        case .providerAlreadyLinked(_, let account):
            "the user has \(namesAddress ? account.map { "the account \($0)" } ?? "an account" : "an account") of \(name) already, and "
                + "only one is possible; unlink that one first"
        case .credentialAlreadyInUse:
            "this \(name) account already belongs to a user; sign in with the credential to become that user"
        case .emailAlreadyInUse(let email): "\(address(email)) is another user's"
        case .accountExists(let email, let providerIDs):
            "\(address(email)) belongs to a user who signs in with \(providerIDs.joined(separator: ", ")); "
                + "sign in that way first, then link the \(name) account"
        case .accountNotConfirmed(let login, let account, let subject):
            namesAddress
                ? "\(name) does not say for certain that \(login) is the account \(account == subject ? account : "\(account) (\(subject))"), so "
                    + "nothing was stored; ask the user, then use the credential, or set login = \"\(subject)\" in the account's section"
                : "the provider does not say whether it is the account of that name"
        case .userMismatch: "that is not the app's current user; sign in as the same person as before"
        case .secondFactorRequired: "this sign-in needs a second factor; run it in a terminal, or give a code with ResolveSecondFactor"
        case .requiresRecentSignIn: "this needs a sign-in within the last five minutes; reauthenticate and ask again"
        case .personNotShown:
            "an access token does not show that the user is present, so it can neither link nor reauthenticate; "
                + "use SignIn, an ID token with its nonce, or the password"
        case .linkNotProved:
            "this \(name) account was linked without a recent sign-in, so it cannot confirm the user yet; reauthenticate with the "
                + "password or another account, which also lifts this, or wait until 30 days after the link"
        case .noSuchProvider(let providerID): "the user has no account of \(providerID) linked"
        case .lastProvider(let providerID):
            "\(providerID) is the only way to sign in as this user; link another one first, or delete the user"
        case .userNotFound: "there is no such user"
        case .tooManyAnonymousUsers(let limit):
            "\(limit) apps already have anonymous users; sign one of them out, then try again"
        case .firebase(let refusal): refusal.description
        }
    }
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
