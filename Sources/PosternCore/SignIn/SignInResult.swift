/// What the result page of a sign-in is made from. It contains no secret.
public struct SignInResult: Sendable, Equatable {
    /// ``SignInSession/pageID``
    public var pageID = ""
    public var providerID: String
    /// Nil: the account is kept for the person.
    public var intent: Intent?
    /// The program that asked first, of those that wait.
    public var requester: String
    /// Other programs that wait for the same page.
    public var otherRequesters: [String] = []
    /// Nil while there is none; the secrets of what it brought are removed.
    public var outcome: SignInOutcome?
    /// It failed because somebody said no: the user, or the provider for the user.
    public var wasDeclined = false
    /// The names of the providers that it mentions, as users know them.
    var displayNames: [String: String] = [:]

    public func displayName(ofProvider id: String) -> String { displayNames[id] ?? id }
}

extension SignInResult {
    /// - Parameter isDecision: whether an error code of a provider means that somebody said no.
    public init(_ signIn: SignInMachine, displayName: (String) -> String, isDecision: (String) -> Bool) {
        let request = signIn.session.request
        let requesters = signIn.requesters
        self.init(
            pageID: signIn.session.pageID, providerID: request.providerID, intent: request.intent,
            requester: requesters.first ?? signIn.session.requester, otherRequesters: Array(requesters.dropFirst()),
            outcome: signIn.outcome?.withoutSecrets)
        if case .failed(.provider(let failure)) = outcome, failure.reason == .denied { wasDeclined = isDecision(failure.error ?? "") }
        var mentioned = [providerID]
        if case .refused(let refusal, _) = outcome { mentioned += refusal.providerIDs }
        mentioned += outcome?.review?.items.map(\.identity.providerID) ?? []
        for id in mentioned { displayNames[id] = displayName(id) }
    }
}
