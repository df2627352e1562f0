import PosternConfiguration
import PosternCore
import PosternInterface

// The failures of the application's parts, as errors of the interface.

extension InterfaceError {
    static let ending = InterfaceError.internalError(message: "the daemon is stopping; call again to restart it")

    /// Nobody receives this error.
    static let callerHasGone = InterfaceError.internalError(message: "the caller has disconnected")

    /// The transport accepts no other method.
    static func noMethod(_ name: String) -> InterfaceError { .internalError(message: "there is no method \(name)") }

    init(_ error: ConfigurationError) { self = .configurationInvalid(message: "\(error)", file: error.file, line: error.line) }

    /// - Parameter accounts: the names in the configuration, if they are accepted as well.
    init(_ failure: ProviderUnavailable, accounts: [String] = []) {
        switch failure {
        case .unknown(let id, let known):
            let name = ProviderText.cleaned(id, longest: 64)
            let kind = accounts.isEmpty ? "provider" : "provider or account"
            let problem = name.map { "there is no \(kind) called \"\($0)\"" } ?? "the provider's name is empty"
            let providers = known.isEmpty ? "none" : known.joined(separator: ", ")
            let lists =
                accounts.isEmpty ? "known are: \(providers)" : "providers: \(providers); accounts: \(accounts.joined(separator: ", "))"
            self = .providerNotFound(message: "\(problem); \(lists)", providerID: id)
        case .unusable(let provider, let problem):
            self = .providerNotConfigured(message: "\(provider.displayName) cannot be used: \(problem)", providerID: provider.id)
        case .listenerUnusable(let error): self.init(error)
        }
    }

    init(_ failure: UnlockFailure) {
        switch failure {
        case .tooManyGuesses(let seconds):
            self = .tooManyAttempts(
                message: "too many wrong passphrases; try again in \(seconds) seconds", retryAfterSeconds: Int(seconds))
        case .store(let error):
            switch error.kind {
            // The parameter is missing, or should not be given.
            case .passphraseNeeded, .passphraseUnwanted: self = .invalidParameter("passphrase")
            case .wrongPassphrase: self = .wrongPassword(message: "\(error.reason); \(error.advice)")
            case .weakPassphrase: self = .weakPassword(message: "\(error.reason); \(error.advice)", reason: error.reason)
            default: self.init(error)
            }
        }
    }

    init(_ failure: SessionFailure) {
        switch failure {
        case .unknown:
            self = .sessionNotFound(
                message: "there is no pending sign-in with this session ID; it may have expired (postern sessions lists the pending ones)")
        case .ended: self = .sessionNotFound(message: "this sign-in has already ended")
        case .ending: self = .sessionNotFound(message: "this sign-in is ending just now, with a result")
        case .delivered: self = .sessionNotFound(message: "the result of this sign-in was already delivered, or is being delivered")
        case .tooMany(let limit):
            self = .tooManySessions(
                message: "\(limit) sign-ins are already waiting; finish or cancel some of them (postern sessions)", limit: limit)
        case .locked(let sessionID):
            let advice =
                sessionID.map { "unlock it, then resume the sign-in with: postern attach \($0)" } ?? "unlock it, then sign in again"
            self = .storeLocked(message: "the store was locked; \(advice)")
        case .noRandomness(let failure): self = .internalError(message: "the system returned no random numbers: \(failure)")
        case .store(let error): self.init(error)
        }
    }

    init(_ failure: PresentedFailure, of provider: Provider) {
        let name = provider.displayName
        switch failure {
        case .token(.transient(let failure)):
            self = .providerUnreachable(message: "\(name): \(PresentedTokenError.transient(failure))", providerID: provider.id)
        case .token(let error): self = .invalidCredential(message: "\(name): \(error)")
        case .signIn(let failure): self.init(failure, providerID: provider.id, providerName: name)
        }
    }
}
