import PosternCore

/// Everything that the pages say, once for each language: if a sentence is missing in one, it does not compile.
///
/// Plain strings are escaped where they are used. Sentences around a text from outside are ``HTML``, which escapes that text.
protocol PageStrings: Sendable {
    var language: PageLanguage { get }

    /// Replaces a provider's name that cannot be shown.
    var providerFallback: String { get }

    // The result page
    func completedHeading(_ purpose: ResultSummary.Purpose) -> String
    func completedExplanation(_ situation: PageSituation) -> HTML
    var accountLabel: String { get }
    /// Before the account that a program requested, if another one signed in.
    var askedForLabel: String { get }
    func providerLabel(_ purpose: ResultSummary.Purpose) -> String
    /// Before the local user that an account was linked to.
    var linkedToLabel: String { get }
    /// Before the ways in which the owner of an address signs in.
    var ownersWaysLabel: String { get }
    /// Before the account that is already linked, if another one cannot be.
    var alreadyLinkedLabel: String { get }
    /// The way to sign in without a provider.
    var passwordName: String { get }
    var programLabel: String { get }
    var mayCloseTab: String { get }
    func notYou(provider: OutsideText) -> HTML
    var finishingHeading: String { get }
    func finishingExplanation(provider: OutsideText) -> HTML
    func failure(_ page: ProviderFailure.Page, _ situation: PageSituation) -> NoticeText
    func failure(_ page: AccountRefusal.Page, _ situation: PageSituation) -> NoticeText
    func failure(_ page: SignInFailure.Ending.Page, _ situation: PageSituation) -> NoticeText
    func providerSays(provider: OutsideText) -> HTML

    // What the result page asks about accounts that programs linked
    func linksHeading(_ count: Int) -> String
    /// - Parameter areLost: the user has them no longer, unless they keep them.
    func linksExplanation(areLost: Bool) -> String
    /// - Parameter moment: a date and a time.
    func linkedAt(_ moment: String) -> String
    func linkButton(_ answer: LinkReview.Answer) -> String
    /// Empty for one that is not answered.
    func linkAnswer(_ status: LinkReview.Status, isLost: Bool) -> String

    // The fragment page
    var fragmentHeading: String { get }
    var fragmentExplanation: String { get }
    var fragmentNeedsScriptHeading: String { get }
    var fragmentNeedsScript: String { get }
    var fragmentEmptyHeading: String { get }
    var fragmentEmptyExplanation: String { get }

    // Everything else
    func notice(_ notice: Notice) -> NoticeText
}

/// Who and what the text of a result is about.
struct PageSituation {
    var purpose = ResultSummary.Purpose.signIn
    var provider: OutsideText
    var program: OutsideText?
    /// The local user.
    var user: OutsideText?
    /// As in the configuration.
    var providerID: OutsideText?
}

extension PageStrings {
    func failure(_ page: FailurePage, _ situation: PageSituation) -> NoticeText {
        switch page {
        case .provider(let page): failure(page, situation)
        case .refused(let page): failure(page, situation)
        case .ended(let page): failure(page, situation)
        }
    }

    /// The command that changes the requested scopes if a program names none.
    func scopesCommand(_ situation: PageSituation) -> HTML {
        "postern config set provider.\(situation.providerID.map { "\($0)" } ?? "PROVIDER" as HTML).scopes …"
    }
}

/// What happened, in words, and what to try.
struct NoticeText {
    var heading: String
    var explanation: HTML
    var advice: HTML
}

/// Pages that a user may see besides the result of a sign-in.
enum Notice: CaseIterable {
    /// A callback with a state that is unknown, used up or expired.
    case notRecognised
    /// A callback while the store is locked.
    case storeLocked
    /// A callback while the store cannot be opened.
    case storeUnusable
    /// Anything, while the configuration is invalid.
    case configurationInvalid
    case malformed
    /// The result page of a sign-in that is unknown, or no longer known.
    case resultUnknown
    /// The result page without a sign-in.
    case noResultAsked
    /// The provider has ended the session.
    case signedOut
    /// A link to the page that ends a session, unknown or used before.
    case linkUsed
    case notFound
    case wrongMethod
    /// `Host` is not ours.
    case wrongHost
    /// Plain http on a connection that requires https.
    case notEncrypted
    /// A handler request that is not a user's navigation.
    case notNavigated
    case timedOut
    case tooLarge
    case failed
}
