/// Why the account rules refuse what a valid credential asks for. Each case is one error of the interface.
public enum AccountRefusal: Error, Sendable, Hashable {
    case noCurrentUser
    /// The current user has another account of this provider; `account` is what a person calls it.
    case providerAlreadyLinked(providerID: String, account: String? = nil)
    /// The account at the provider belongs to a user.
    case credentialAlreadyInUse(email: String?)
    /// The address is another user's.
    case emailAlreadyInUse(email: String)
    /// The address belongs to a user who signs in another way, and this provider cannot vouch for it.
    case accountExists(email: String, providerIDs: [String])
    /// The person who reauthenticated is not the current user.
    case userMismatch
    /// The first factor was right; nothing has changed yet.
    case secondFactorRequired(uid: String, hints: [SecondFactor])
    /// The user last proved who they are too long ago for this.
    case requiresRecentSignIn
    /// The credential says whose account it is, but not that the user is present.
    case personNotShown
    /// The account was linked without a recent sign-in: it does not show yet that the user is present.
    case linkNotProved(providerID: String)
    /// It may be the account that the name's `login` means, and the provider does not say so: the person must.
    case accountNotConfirmed(login: String, account: String, subject: String)
    case noSuchProvider(providerID: String)
    /// Without it nobody could sign in as this user again.
    case lastProvider(providerID: String)
    case userNotFound
    /// This many apps have an anonymous current user already.
    case tooManyAnonymousUsers(limit: Int)
    /// A Firebase project has the accounts, and refuses.
    case firebase(FirebaseRefusal)
}

extension AccountRefusal {
    /// The program can continue with the credential that was refused, and gets another handle for it.
    public var offersCredential: Bool {
        switch self {
        case .credentialAlreadyInUse, .accountExists, .accountNotConfirmed: true
        case .noCurrentUser, .providerAlreadyLinked, .emailAlreadyInUse, .userMismatch, .secondFactorRequired, .requiresRecentSignIn,
            .personNotShown, .linkNotProved, .noSuchProvider, .lastProvider, .userNotFound, .tooManyAnonymousUsers, .firebase:
            false
        }
    }

    /// The refusal leaves the program's credential as it was: a handle remains valid, a token can be presented again. Nothing replaces it,
    /// and nobody has declared it worthless.
    public var leavesCredential: Bool {
        switch self {
        // A handle and a resolver replace it.
        case .credentialAlreadyInUse, .accountExists, .accountNotConfirmed, .secondFactorRequired: false
        // What the project has rejected would be rejected again.
        case .firebase(let refusal): refusal.code == .networkError || refusal.code == .tooManyRequests
        case .noCurrentUser, .providerAlreadyLinked, .emailAlreadyInUse, .userMismatch, .requiresRecentSignIn, .personNotShown,
            .linkNotProved, .noSuchProvider, .lastProvider, .userNotFound, .tooManyAnonymousUsers:
            true
        }
    }

    /// The provider that it is about, if that is not the one that vouched.
    public var providerID: String? {
        switch self {
        case .providerAlreadyLinked(let providerID, _), .noSuchProvider(let providerID), .lastProvider(let providerID),
            .linkNotProved(let providerID):
            providerID
        default: nil
        }
    }
}
