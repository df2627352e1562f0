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
    /// As a person knows it: `GitHub`.
    public var providerName: String
    /// The program that asked: `git`, `my-app`.
    public var programName: String?
    /// The account's name, and its email address.
    public var displayName: String?
    public var email: String?
    /// What the provider said in its own words when it refused (`error_description`).
    public var providerMessage: String?
    /// The account that was asked for, where another one signed in.
    public var askedFor: String?

    public init(
        providerName: String, programName: String? = nil, displayName: String? = nil, email: String? = nil,
        providerMessage: String? = nil
    ) {
        self.providerName = providerName
        self.programName = programName
        self.displayName = displayName
        self.email = email
        self.providerMessage = providerMessage
    }
}

/// How a sign-in failed, as far as the person at the browser can do something about it.
public enum FailurePage: String, Sendable, CaseIterable {
    /// The person, or the provider for them, said no.
    case denied
    case timedOut
    case cancelled
    /// The provider refused the code.
    case exchangeFailed
    /// The network or the provider is down.
    case unreachable
    /// The provider's proof of who signed in did not hold.
    case invalidIDToken
    /// Somebody else than asked for signed in.
    case otherAccount
    case notConfigured
    /// The result could not be kept.
    case storeProblem
    case `internal`
}
