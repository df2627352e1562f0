/// Why the account rules refuse what a valid credential asks for.
public struct AccountRefusal: Error, Sendable, Hashable {
    /// The words are the store's. What follows from each is its ``row``.
    public enum Reason: String, Sendable, CaseIterable {
        case noCurrentUser
        /// The current user has another account of this provider.
        case providerAlreadyLinked
        /// The account at the provider belongs to a user.
        case credentialAlreadyInUse
        /// The address is another user's.
        case emailAlreadyInUse
        /// The address belongs to a user who signs in another way, and this provider cannot vouch for it.
        case accountExists
        /// The person who reauthenticated is not the current user.
        case userMismatch
        /// The first factor was right; nothing has changed yet.
        case secondFactorRequired
        /// The user last proved who they are too long ago for this.
        case requiresRecentSignIn
        /// The credential says whose account it is, but not that the user is present.
        case personNotShown
        /// The provider last asked the user too long ago, and answered without asking again.
        case personNotSeen
        /// The provider says nothing about who signed in, so each of its people would be the same user.
        case personUnknown
        /// The account was linked without a recent sign-in: it does not show yet that the user is present.
        case linkNotProved
        /// It may be the account that the name's `login` means, and the provider does not say so: the person must.
        case accountNotConfirmed
        case noSuchProvider
        /// Without it nobody could sign in as this user again.
        case lastProvider
        case userNotFound
        /// That many apps have an anonymous current user already.
        case tooManyAnonymousUsers
        /// A Firebase project has the accounts, and refuses.
        case firebase
    }

    /// Why a credential shows nobody at the moment. The words are the store's.
    public enum Absence: String, Sendable, CaseIterable {
        /// The provider answered its page without asking anybody, or answered it now without asking anybody again.
        case nobodyAsked
        /// It is a handle of a page that the person answered too long ago.
        case longAgo
        /// An ID token that a program presented is of a sign-in too long ago, or of a renewal.
        case oldIDToken

        /// - Parameter isPage: a page was answered now; what a program has may be of one before.
        public init(of proof: Proof, isPage: Bool) {
            self = proof.way == .idToken ? .oldIDToken : isPage || proof.seenAt == nil ? .nobodyAsked : .longAgo
        }
    }

    public var reason: Reason
    /// The provider that it is about, if that is not the one that vouched.
    public var providerID: String?
    /// The account at the provider, as a person calls it.
    public var account: String?
    /// How the account is named in the configuration, and what the provider calls it.
    public var login: String?
    public var subject: String?
    public var email: String?
    /// How the user whose address it is signs in.
    public var providerIDs: [String] = []
    /// The user, their second factors, and ``User/generation`` when the first one was right.
    public var uid: String?
    public var hints: [SecondFactor] = []
    public var generation: Int64?
    public var limit: Int?
    /// Why nobody was seen.
    public var absence: Absence?
    /// The account was linked when nobody had been seen as the user: no time makes that good.
    public var isOfNobody = false
    public var firebase: FirebaseRefusal?

    public init(_ reason: Reason) { self.reason = reason }
}

extension AccountRefusal {
    public static var noCurrentUser: AccountRefusal { AccountRefusal(.noCurrentUser) }
    public static var userMismatch: AccountRefusal { AccountRefusal(.userMismatch) }
    public static var requiresRecentSignIn: AccountRefusal { AccountRefusal(.requiresRecentSignIn) }
    public static var personNotShown: AccountRefusal { AccountRefusal(.personNotShown) }
    public static var personUnknown: AccountRefusal { AccountRefusal(.personUnknown) }
    public static var userNotFound: AccountRefusal { AccountRefusal(.userNotFound) }
    public static func credentialAlreadyInUse(email: String?) -> AccountRefusal { with(.credentialAlreadyInUse) { $0.email = email } }
    public static func emailAlreadyInUse(email: String) -> AccountRefusal { with(.emailAlreadyInUse) { $0.email = email } }
    public static func noSuchProvider(providerID: String) -> AccountRefusal { with(.noSuchProvider) { $0.providerID = providerID } }
    public static func lastProvider(providerID: String) -> AccountRefusal { with(.lastProvider) { $0.providerID = providerID } }
    public static func tooManyAnonymousUsers(limit: Int) -> AccountRefusal { with(.tooManyAnonymousUsers) { $0.limit = limit } }
    public static func firebase(_ refusal: FirebaseRefusal) -> AccountRefusal { with(.firebase) { $0.firebase = refusal } }

    public static func linkNotProved(providerID: String, isOfNobody: Bool = false) -> AccountRefusal {
        with(.linkNotProved) { ($0.providerID, $0.isOfNobody) = (providerID, isOfNobody) }
    }

    public static func personNotSeen(providerID: String, _ absence: Absence = .nobodyAsked) -> AccountRefusal {
        with(.personNotSeen) { ($0.providerID, $0.absence) = (providerID, absence) }
    }

    public static func providerAlreadyLinked(providerID: String, account: String? = nil) -> AccountRefusal {
        with(.providerAlreadyLinked) { ($0.providerID, $0.account) = (providerID, account) }
    }

    public static func accountExists(email: String, providerIDs: [String]) -> AccountRefusal {
        with(.accountExists) { ($0.email, $0.providerIDs) = (email, providerIDs) }
    }

    /// - Parameter generation: the user's (``User/generation``); 0 where a project has the users.
    public static func secondFactorRequired(uid: String, hints: [SecondFactor], generation: Int64 = 0) -> AccountRefusal {
        with(.secondFactorRequired) { ($0.uid, $0.hints, $0.generation) = (uid, hints, generation) }
    }

    public static func accountNotConfirmed(login: String, account: String, subject: String) -> AccountRefusal {
        with(.accountNotConfirmed) { ($0.login, $0.account, $0.subject) = (login, account, subject) }
    }

    private static func with(_ reason: Reason, _ change: (inout AccountRefusal) -> Void) -> AccountRefusal {
        var refusal = AccountRefusal(reason)
        change(&refusal)
        return refusal
    }
}

extension AccountRefusal {
    /// The errors of the interface that these refusals become.
    public enum ErrorName: Sendable {
        case noCurrentUser, providerAlreadyLinked, credentialAlreadyInUse, emailAlreadyInUse, accountExists, userMismatch
        case secondFactorRequired, requiresRecentSignIn, invalidCredential, accountNotConfirmed, noSuchProvider, userNotFound
        case tooManyAttempts, firebase
    }

    /// What the browser shows after a sign-in that was refused.
    public enum Page: String, Sendable, CaseIterable {
        /// Somebody other than the requested account signed in.
        case otherAccount
        /// The address belongs to a user who signs in another way.
        case accountExists
        /// The account at the provider is linked to another user.
        case credentialInUse
        /// The address of the account to be linked belongs to another user.
        case emailInUse
        /// The user has an account of that provider.
        case providerAlreadyLinked
        /// There is nobody to link the account to, or to confirm.
        case noCurrentUser
        /// The first factor was right; the program asks for the second one.
        case secondFactorRequired
        /// The account was linked without a recent sign-in, so it does not confirm the user yet.
        case linkNotProved
        /// The provider answered without asking, so nobody was seen.
        case personNotSeen
        /// It may be the account that was asked for; the program asks the person.
        case accountNotConfirmed

        /// Something is wrong. After the others the program can continue, and there is no cause for alarm.
        public var isMishap: Bool { [.otherAccount, .noCurrentUser, .linkNotProved, .personNotSeen].contains(self) }
    }
}

extension AccountRefusal.Reason {
    /// What follows from a reason, besides its sentence.
    public struct Row: Sendable {
        /// What becomes of the credential that a program presented.
        public enum Credential: Sendable {
            /// It remains as it was: a handle remains valid, a token can be presented again.
            case left
            /// The program can continue with it, and gets another handle for it.
            case offered
            /// A resolver replaces it.
            case replaced
        }

        public var error: AccountRefusal.ErrorName
        /// Nil where no sign-in at a provider is refused for it, and for what a project says.
        public var page: AccountRefusal.Page?
        public var credential = Credential.left
        /// What the store has of it besides the reason.
        public var members: [String] = []
    }

    public var row: Row {
        switch self {
        case .noCurrentUser: Row(error: .noCurrentUser, page: .noCurrentUser)
        case .providerAlreadyLinked: Row(error: .providerAlreadyLinked, page: .providerAlreadyLinked, members: ["providerID"])
        case .credentialAlreadyInUse: Row(error: .credentialAlreadyInUse, page: .credentialInUse, credential: .offered)
        case .emailAlreadyInUse: Row(error: .emailAlreadyInUse, page: .emailInUse, members: ["email"])
        case .accountExists:
            Row(error: .accountExists, page: .accountExists, credential: .offered, members: ["email", "providerIDs"])
        case .userMismatch: Row(error: .userMismatch, page: .otherAccount)
        case .secondFactorRequired:
            Row(error: .secondFactorRequired, page: .secondFactorRequired, credential: .replaced, members: ["uid", "hints", "generation"])
        case .requiresRecentSignIn: Row(error: .requiresRecentSignIn)
        case .personNotShown: Row(error: .invalidCredential)
        case .personUnknown: Row(error: .invalidCredential)
        case .linkNotProved: Row(error: .requiresRecentSignIn, page: .linkNotProved, members: ["providerID"])
        case .personNotSeen: Row(error: .requiresRecentSignIn, page: .personNotSeen, members: ["providerID", "absence"])
        case .accountNotConfirmed:
            Row(
                error: .accountNotConfirmed, page: .accountNotConfirmed, credential: .offered,
                members: ["login", "account", "subject"])
        case .noSuchProvider: Row(error: .noSuchProvider, members: ["providerID"])
        case .lastProvider: Row(error: .invalidCredential, members: ["providerID"])
        case .userNotFound: Row(error: .userNotFound)
        case .tooManyAnonymousUsers: Row(error: .tooManyAttempts, members: ["limit"])
        case .firebase: Row(error: .firebase)
        }
    }
}

extension AccountRefusal {
    /// The program can continue with the credential that was refused, and gets another handle for it.
    public var offersCredential: Bool { reason.row.credential == .offered }

    /// The refusal leaves the program's credential as it was: nothing replaces it, and nobody has declared it worthless.
    public var leavesCredential: Bool {
        // What a project has rejected would be rejected again.
        if let firebase { firebase.code == .networkError || firebase.code == .tooManyRequests } else { reason.row.credential == .left }
    }

    /// The message for a user. A program gets it along with the means to continue, the log without them.
    ///
    /// - Parameter namesAddress: false for the journal, which contains nobody's address.
    public func words(app: AppName, providerName name: String, namesAddress: Bool = true) -> String {
        let address = namesAddress ? "the address \(email ?? "")" : "the address"
        let (account, subject) = (account ?? "", subject ?? "")
        return switch reason {
        case .noCurrentUser: "nobody is signed in to the app \(app); sign in first"
        case .providerAlreadyLinked:
            "the user has \(namesAddress && !account.isEmpty ? "the account \(account)" : "an account") of \(name) already, and "
                + "only one is possible; unlink that one first"
        case .credentialAlreadyInUse:
            "this \(name) account already belongs to a user; sign in with the credential to become that user"
        case .emailAlreadyInUse: "\(address) is another user's"
        case .accountExists:
            "\(address) belongs to a user who signs in \(providerIDs.isEmpty ? "otherwise" : "with \(providerIDs.joined(separator: ", "))"); "
                + "sign in that way first, then link the \(name) account"
        case .accountNotConfirmed:
            namesAddress
                ? "\(name) does not say for certain that \(login ?? "") is the account \(account == subject ? account : "\(account) (\(subject))"), "
                    + "so nothing was stored; ask the user, then use the credential, or set login = { id = \"\(subject)\" } in the account's section"
                : "the provider does not say whether it is the account of that name"
        case .userMismatch: "that is not the app's current user; sign in with the same account as before"
        case .secondFactorRequired: "this sign-in needs a second factor; run it in a terminal, or give a code with ResolveSecondFactor"
        case .requiresRecentSignIn: "this needs a sign-in within the last five minutes; reauthenticate and ask again"
        case .personNotShown:
            "an access token does not show that the user is present, so it can neither link nor reauthenticate; "
                + "use SignIn, an ID token with its nonce, or the password"
        case .personUnknown: "\(name) says nothing about who signed in, so nobody can sign in to an app with it; use it for its tokens"
        case .linkNotProved:
            isOfNobody
                ? "this \(name) account was linked before anybody was seen as this user, so it cannot confirm the user, however long ago that "
                    + "was; reauthenticate with the password, or with another account, on whose page you can keep this one"
                : "this \(name) account was linked without a recent sign-in, so it cannot confirm the user yet; reauthenticate with the "
                    + "password, or with another account, on whose page you can keep this one, or wait until 30 days after the link"
        case .personNotSeen:
            switch absence ?? .nobodyAsked {
            case .nobodyAsked:
                "\(name) answered without asking the user again, so this shows nobody; sign out there, then reauthenticate, or use the "
                    + "password or another account"
            case .longAgo:
                "the user was last asked at \(name) more than five minutes ago, so this does not show that they are present; reauthenticate "
                    + "with a new page, and sign out there first if it asks nothing, or use the password or another account"
            case .oldIDToken:
                "this ID token of \(name) is not of a sign-in within the last five minutes, so it does not show that the user is present; "
                    + "present one of a new sign-in, or use SignIn, the password or another account"
            }
        case .noSuchProvider: "the user has no account of \(providerID ?? "") linked"
        case .lastProvider: "\(providerID ?? "") is the only way to sign in as this user; link another one first, or delete the user"
        case .userNotFound: "there is no such user"
        case .tooManyAnonymousUsers: "\(limit ?? 0) apps already have anonymous users; sign one of them out, then try again"
        case .firebase: firebase?.description ?? ""
        }
    }
}
