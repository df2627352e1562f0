import PosternCore
import PosternInterface

extension InterfaceService {
    /// A refusal, as it is told: the credential with a handle, the first factor with a resolver, which are on disk before.
    func error(
        for refusal: AccountRefusal, _ completed: CompletedSignIn, boundTo binding: ProviderBinding, intent: Intent,
        app: String
    ) async throws -> InterfaceError {
        var context = InterfaceError.RefusalContext(
            app: app, providerName: daemon.providers.displayName(completed.profile.identity.providerID))
        if refusal.offersCredential {
            let handle = try daemon.coordinator.handle(for: completed, boundTo: binding)
            try await daemon.store.opened().add(handle)
            context.credential = Interface.Credential(
                completed, handle: (text: handle.handle, expiresAt: handle.expiresAt))
        }
        if case .secondFactorRequired(let uid, _) = refusal {
            context.resolver = try await daemon.accounts.resolver(for: .provider(completed, binding), uid: uid, intent: intent, app: app)
        }
        return InterfaceError(refusal, context)
    }

    /// What the rules threw, in the words of the interface.
    func told(_ error: any Error, app: String) async -> any Error {
        guard let failure = error as? AccountFailure else { return error }
        return await daemon.accounts.told(failure, app: app, providers: daemon.providers)
    }
}
