/// How a sign-in failed, as far as the user at the browser can do something about it.
public enum FailurePage: Sendable, Hashable, CaseIterable {
    case provider(ProviderFailure.Page)
    case refused(AccountRefusal.Page)
    case ended(SignInFailure.Ending.Page)

    public static var allCases: [FailurePage] {
        ProviderFailure.Page.allCases.map(provider) + AccountRefusal.Page.allCases.map(refused)
            + SignInFailure.Ending.Page.allCases.map(ended)
    }

    /// Something is wrong; the others are somebody's decision, and no cause for alarm.
    public var isMishap: Bool {
        switch self {
        case .provider(let page): page.isMishap
        case .refused(let page): page.isMishap
        case .ended(let page): page.isMishap
        }
    }

    /// - Parameter wasDeclined: somebody said no.
    public init(_ failure: SignInFailure, wasDeclined: Bool) {
        switch failure {
        case .ended(let ending): self = ending.row().page
        case .provider(let failure):
            let page = failure.reason.row.page
            self = .provider(page == .denied && !wasDeclined ? .exchangeFailed : page)
        }
    }

    public init(_ refusal: AccountRefusal) {
        self =
            refusal.reason.row.page.map(FailurePage.refused)
            ?? .provider(refusal.firebase?.code == .networkError ? .unreachable : .internal)
    }
}
