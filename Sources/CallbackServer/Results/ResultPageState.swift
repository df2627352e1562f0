import PosternCore

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
    /// The page with this ID asks about accounts that programs linked.
    var review: Review?

    /// Why the user was sent to the provider.
    enum Purpose: Sendable, Hashable, CaseIterable {
        case signIn, link, reauthenticate
    }

    struct Review: Sendable, Hashable {
        var pageID: String
        var links: [Link]
    }

    /// An account that a program linked to the user.
    struct Link: Sendable, Hashable {
        var providerName: String
        /// What the account says of itself: it may say anything.
        var displayName: String
        /// What the provider calls it: its user name or its identifier.
        var name: String
        /// Only if the provider has verified it.
        var email: String?
        /// When it was linked.
        var at: Timestamp?
        /// The user does not have it any more, unless they keep it.
        var isLost: Bool
        var status: LinkReview.Status
    }

    /// A way to sign in.
    enum Way: Sendable, Hashable {
        case provider(name: String)
        case password
    }
}
