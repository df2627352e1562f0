import PosternCore

/// Where the callback listener is, and so where providers send browsers to.
@DaemonActor
final class CallbackOrigins {
    private let listener: any CallbackListening

    init(_ listener: any CallbackListening) { self.listener = listener }

    private var reach: CallbackReach {
        switch listener.standing {
        case .open(let reach): reach
        case .unusable: .unbound
        }
    }

    /// The listener's base URL just now.
    var first: String { reach.origin }

    var callbackURLs: [String] { reach.origins.map { "\($0)/__/auth/handler" } }

    /// What is wrong with the addresses, a sentence each.
    var problems: [String] {
        switch listener.standing {
        case .open(let reach): reach.problems
        case .unusable(let error): ["callbacks cannot be received: \(error)"]
        }
    }

    /// Every address is held that is needed.
    var isComplete: Bool {
        switch listener.standing {
        case .open(let reach): reach.isComplete
        case .unusable: false
        }
    }

    /// As it is registered at the provider; credentials belong to it as well.
    func registeredURI(of provider: Provider) -> String { reach.registeredURI(of: provider) }

    /// What can be registered at the provider; nil if it takes no callback URL of this machine.
    func registrableRedirectURI(of provider: Provider) -> String? {
        provider.redirectURI == nil && provider.redirectHost == .website ? nil : registeredURI(of: provider)
    }

    /// Of a sign-in that begins now; the registered one where ``problem(of:)`` has something to say.
    func redirectURI(of provider: Provider) -> String {
        do throws(CallbackProblem) { return try reach.redirectURI(of: provider) } catch { return registeredURI(of: provider) }
    }

    /// Where the listener takes the provider's answers that a website hands on.
    func listenerURI(of provider: Provider) -> String { reach.listenerURI(of: provider) }

    /// Why answers of the provider would not arrive, in a sentence; nil if they would.
    func problem(of provider: Provider) -> String? {
        switch listener.standing {
        case .unusable(let error): return "\(error)"
        case .open(let reach):
            do throws(CallbackProblem) { _ = try reach.redirectURI(of: provider) } catch { return error.description }
            return nil
        }
    }

    /// - Throws: if a sign-in in the browser would send the answer to nobody, or to somebody else.
    func check(_ provider: Provider) throws(ProviderFailure) {
        if case .unusable(let error) = listener.standing { throw .listenerUnusable(error) }
        if let problem = problem(of: provider) { throw .unusable(provider, problem: problem) }
    }
}
