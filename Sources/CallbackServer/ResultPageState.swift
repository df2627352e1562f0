/// What the result page has to tell.
public enum ResultPageState: Sendable, Hashable {
    /// No sign-in has that page, or no longer.
    case unknown
    /// No outcome yet; the page follows up by itself.
    case finishing(providerName: String)
    case completed(ResultSummary)
    case failed(ResultSummary, FailurePage)
}

/// Who signed in where, and for whom. Any text may come from outside: pages escape and shorten it.
public struct ResultSummary: Sendable, Hashable {
    /// As a user knows it: `GitHub`.
    public var providerName: String
    /// As the configuration has it: `github.com`.
    public var providerID: String?
    /// The program that asked: `git`, `my-app`.
    public var programName: String?
    /// Those that wait on the same page beside it.
    public var otherPrograms: [String] = []
    /// The account's name, and its email address.
    public var displayName: String?
    public var email: String?
    /// What the provider said in its own words when it refused (`error_description`).
    public var providerMessage: String?
    /// The account that was asked for, where another one signed in.
    public var askedFor: String?
    /// The one that is linked, where another one cannot be.
    public var linkedAccount: String?
    public var purpose: Purpose
    /// The local user that the account was linked to, or that was confirmed.
    public var userName: String?
    /// How the user signs in to whom the address belongs.
    public var ownersWays: [Way] = []

    /// What the user came back from the provider for.
    public enum Purpose: Sendable, Hashable, CaseIterable {
        case signIn, link, reauthenticate
    }

    /// A way to sign in.
    public enum Way: Sendable, Hashable {
        case provider(name: String)
        case password
    }

    public init(
        providerName: String, programName: String? = nil, displayName: String? = nil, email: String? = nil,
        providerMessage: String? = nil, purpose: Purpose = .signIn
    ) {
        self.purpose = purpose
        self.providerName = providerName
        self.programName = programName
        self.displayName = displayName
        self.email = email
        self.providerMessage = providerMessage
    }
}

/// How a sign-in failed, as far as the user at the browser can do something about it.
public enum FailurePage: String, Sendable, CaseIterable {
    /// The user, or the provider for them, declined.
    case denied
    case timedOut
    case cancelled
    /// The provider refused the code.
    case exchangeFailed
    /// The answer was not the provider's that was asked; Postern stopped.
    case foreignAnswer
    /// The network or the provider is down.
    case unreachable
    /// The provider's proof of who signed in did not hold.
    case invalidIDToken
    /// Somebody else than asked for signed in.
    case otherAccount
    /// The address belongs to a user who signs in another way.
    case accountExists
    /// The account at the provider is linked to another user.
    case credentialInUse
    /// The address of what was to be linked is another user's.
    case emailInUse
    /// The user has an account of that provider.
    case providerAlreadyLinked
    /// There is nobody to link to, or to confirm.
    case noCurrentUser
    /// The first factor was right; the program asks for the second one.
    case secondFactorRequired
    case notConfigured
    /// The provider does not accept a scope that was asked for.
    case scopeRejected
    /// The result could not be kept.
    case storeProblem
    case `internal`
}
