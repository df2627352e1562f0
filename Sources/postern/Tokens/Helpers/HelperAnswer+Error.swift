import PosternClient

extension HelperAnswer {
    /// The answer for an error of a request for a token.
    ///
    /// - Parameter name: the argument for `postern sign-in`: a provider, or a named account.
    init(_ error: PosternError, name: String) {
        switch error {
        case .refused(let refusal): self.init(refusal, name: name)
        case .notUnderstood("org.varlink.service.InvalidParameter", _): self = .unavailable(error.description.plain)
        case .connectionLost, .daemonUnresponsive: self = .unavailable(error.description.plain)
        case .daemonUnreachable, .foreignDaemon, .notUnderstood, .malformedReply, .cancelled: self.init(unasked: error)
        }
    }

    /// The answer for an error that occurred before any account was known.
    init(unasked error: PosternError) {
        let failure = CommandFailure(error)
        self = .noDaemon(([failure.sentence] + [failure.advice].compactMap(\.self)).joined(separator: "; "))
    }

    private init(_ refusal: InterfaceError, name: String) {
        switch refusal {
        case .signInRequired(_, _, let reason):
            self = .needed(name, because: reason)
        case .scopeNotGranted, .stepUpRequired:
            let demand = SignInDemand(refusal)
            self = .needed(name, because: demand?.reason ?? refusal.message, options: demand?.options() ?? [])
        case .signInDenied(_, _, let error, _) where !DenialCode.isDecision(error):
            self = .unavailable(refusal.message.plain)
        case .noCurrentUser, .requiresRecentSignIn, .secondFactorRequired, .signInDenied, .signInTimedOut, .signInCancelled:
            self = .needed(name, because: refusal.message)
        case .providerNotFound, .providerNotConfigured, .noSuchProvider, .userNotFound, .originNotServed:
            self = .nothing(refusal.message.plain)
        case .ambiguousAccount(let message, let uids):
            let advice = AccountNaming.advice(of: name, uids: uids).map { "; \($0)" } ?? ""
            self = .unavailable((message + advice).plain)
        case .numbered(let other, code: _):
            self.init(other, name: name)
        default:
            // Offline, a provider that is down, a locked store, too many requests: it passes, or somebody has to investigate; no page
            // helps.
            self = .unavailable(refusal.message.plain)
        }
    }

    static func needed(_ name: String, because reason: String, options: [String] = []) -> HelperAnswer {
        let command = (["postern sign-in"] + ([name] + options).map(ShellWord.quoted)).joined(separator: " ")
        return .signInNeeded("\(name): \(reason); sign in with: \(command)".plain)
    }
}
