import PosternCore
import PosternInterface

extension InterfaceError {
    /// How a failure of the accounts is reported on the socket.
    ///
    /// - Parameters:
    ///   - app: the app of the call.
    ///   - resolver: what continues the sign-in with a second factor; ``AccountAuthority/interfaceError(for:app:providers:)`` creates one.
    ///   - providerName: returns a provider's display name for its ID.
    init(_ failure: AccountFailure, app: AppName, resolver: Secret? = nil, providerName: (String) -> String) {
        switch failure {
        case .refused(let refusal, let other):
            self.init(refusal, RefusalContext(app: other ?? app, providerName: Self.name(in: refusal, providerName)))
        case .password(let refusal): self.init(refusal)
        case .secondFactor(let refusal): self.init(refusal)
        case .firebase(let refusal): self.init(refusal, app: app)
        case .secondFactorNeeded(let demand):
            self.init(
                .secondFactorRequired(uid: demand.uid, hints: demand.hints),
                RefusalContext(app: demand.app, providerName: "the provider", resolver: resolver))
        case .tokenSpent:
            self = .invalidCredential(
                message: """
                    this ID token already signed somebody in, is about to, or was issued to a program by the daemon itself; each is valid \
                    for one sign-in, so get a new one
                    """)
        case .tooManyTokens(let seconds):
            self = .tooManyAttempts(
                message: "too many ID tokens were presented in the last minutes; try again in \(seconds) s", retryAfterSeconds: Int(seconds)
            )
        case .audienceRefused: self = .invalidParameter("audience")
        case .store(let error): self.init(error)
        case .randomness(let failure): self = .internalError(message: "\(failure)")
        case .passwordDerivation(let failure): self = .internalError(message: "the password was not checked: \(failure)")
        case .internal(let message): self = .internalError(message: message)
        }
    }

    private static func name(in refusal: AccountRefusal, _ providerName: (String) -> String) -> String {
        switch refusal.providerID {
        // It has no display name.
        case User.passwordProviderID?: "that provider"
        case let id?: providerName(id)
        case nil: "the provider"
        }
    }
}

extension AccountAuthority {
    /// The failure as the caller gets it. The resolver for a second factor is on disk before.
    func interfaceError(for failure: AccountFailure, app: AppName, providers: ProviderDirectory) async -> InterfaceError {
        do throws(AccountFailure) {
            var resolver: Secret?
            if case .secondFactorNeeded(let demand) = failure {
                let owner = try await pageOwner(app: demand.app)
                resolver = try await self.resolver(
                    for: .password, uid: demand.uid, generation: demand.generation, intent: demand.intent, app: demand.app, owner: owner)
            }
            return InterfaceError(failure, app: app, resolver: resolver, providerName: providers.displayName)
        } catch {
            return InterfaceError(error, app: app, providerName: providers.displayName)
        }
    }
}
