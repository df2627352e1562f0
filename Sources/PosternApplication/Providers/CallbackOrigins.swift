import PosternCore

/// The addresses of the callback listener, and so where providers send browsers.
@DaemonActor
final class CallbackOrigins {
    private let listener: any CallbackListening

    init(_ listener: any CallbackListening) { self.listener = listener }

    private var reach: CallbackReach {
        switch listener.status {
        case .open(let reach): reach
        case .unusable: .unbound
        }
    }

    /// The listener's base URL at present.
    var first: String { reach.origin }

    var callbackURLs: [String] { reach.origins.map { "\($0)/__/auth/handler" } }

    /// What is wrong with the addresses, one sentence each.
    var problems: [String] {
        switch listener.status {
        case .open(let reach): reach.problems + listener.certificateProblems
        case .unusable(let error): ["callbacks cannot be received: \(error)"]
        }
    }

    /// Every address that is needed is held.
    var isComplete: Bool {
        switch listener.status {
        case .open(let reach): reach.isComplete
        case .unusable: false
        }
    }

    /// The URI as it is registered at the provider; credentials are bound to it as well.
    func registeredURI(of provider: Provider) -> String { reach.registeredURI(of: provider) }

    /// The URI that can be registered at the provider; nil if it accepts no callback URL of this machine.
    func registrableRedirectURI(of provider: Provider) -> String? {
        provider.redirectURI == nil && provider.redirectHost == .website ? nil : registeredURI(of: provider)
    }

    /// For a sign-in that begins now; the registered URI if ``problem(of:)`` reports a problem.
    func redirectURI(of provider: Provider) -> String {
        do throws(CallbackProblem) { return try reach.redirectURI(of: provider) } catch { return registeredURI(of: provider) }
    }

    /// Where the listener accepts the provider's answers that a website passes on.
    func listenerURI(of provider: Provider) -> String { reach.listenerURI(of: provider) }

    /// Why the provider's answers would not arrive, in a sentence; nil if they would.
    func problem(of provider: Provider) -> String? {
        switch listener.status {
        case .unusable(let error): return "\(error)"
        case .open(let reach):
            do throws(CallbackProblem) { _ = try reach.redirectURI(of: provider) } catch { return error.description }
            return nil
        }
    }

    /// - Throws: if the answer to a sign-in in the browser would reach nobody, or somebody else.
    func check(_ provider: Provider) throws(ProviderUnavailable) {
        if case .unusable(let error) = listener.status { throw .listenerUnusable(error) }
        if let problem = problem(of: provider) { throw .unusable(provider, problem: problem) }
    }
}
