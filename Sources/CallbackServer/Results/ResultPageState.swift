/// What the result page shows.
enum ResultPageState: Sendable, Hashable {
    /// No sign-in has this page, or no longer.
    case unknown
    /// No outcome yet; the page reloads by itself.
    case finishing(providerName: String)
    case completed(ResultSummary)
    case failed(ResultSummary, FailurePage)
}

/// Who signed in where, and for which program. Any text may come from outside: pages escape and shorten it.
struct ResultSummary: Sendable, Hashable {
    /// As users know it: `GitHub`.
    var providerName: String
    /// As in the configuration: `github.com`.
    var providerID: String?
    /// The program that asked: `git`, `my-app`.
    var programName: String?
    /// Other programs that wait on the same page.
    var otherPrograms: [String] = []
    /// The account's name, and its email address.
    var displayName: String?
    var email: String?
    /// The provider's own message when it refused (`error_description`).
    var providerMessage: String?
    /// The account that was requested, if another one signed in.
    var askedFor: String?
    /// The account that is already linked, if another one cannot be.
    var linkedAccount: String?
    var purpose = Purpose.signIn
    /// The local user that the account was linked to, or that was confirmed.
    var userName: String?
    /// How the user who owns the address signs in.
    var ownersWays: [Way] = []

    /// Why the user was sent to the provider.
    enum Purpose: Sendable, Hashable, CaseIterable {
        case signIn, link, reauthenticate
    }

    /// A way to sign in.
    enum Way: Sendable, Hashable {
        case provider(name: String)
        case password
    }
}

/// How a sign-in failed, as far as the user at the browser can do something about it.
enum FailurePage: String, Sendable, CaseIterable {
    /// The user, or the provider for them, declined.
    case denied
    case timedOut
    case cancelled
    /// The provider refused the code.
    case exchangeFailed
    /// The answer was from another provider than the one that was asked; Postern stopped.
    case foreignAnswer
    /// The network or the provider is down.
    case unreachable
    /// The provider's proof of who signed in is invalid.
    case invalidIDToken
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
    /// It may be the account that was asked for; the program asks the person.
    case accountNotConfirmed
    case notConfigured
    /// The provider does not accept a requested scope.
    case scopeRejected
    /// The result could not be stored.
    case storeProblem
    case `internal`
}
