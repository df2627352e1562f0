import PosternCore
import PosternInterface

extension InterfaceService {
    /// Returns what the accounts answer; their failures become errors of the interface.
    ///
    /// - Parameter app: the app that a refusal mentions.
    func translating<Value: Sendable>(
        app: String = "default", _ answer: @autoclosure @DaemonActor () async throws(AccountFailure) -> Value
    ) async throws(InterfaceError) -> Value {
        do throws(AccountFailure) { return try await answer() } catch {
            throw await daemon.accounts.interfaceError(for: error, app: app, providers: daemon.providers)
        }
    }

    /// A refusal as the caller gets it: the credential with a handle, the first factor with a resolver, both on disk before.
    func interfaceError(
        for refusal: AccountRefusal, of completed: CompletedSignIn, boundTo binding: ProviderBinding, _ request: CredentialRequest
    ) async throws(AccountFailure) -> InterfaceError {
        var context = InterfaceError.RefusalContext(
            app: request.app, providerName: daemon.providers.displayName(completed.profile.identity.providerID))
        if refusal.offersCredential {
            let handle = try daemon.coordinator.handle(for: completed, boundTo: binding, app: request.app)
            try await daemon.store.ask { store throws(StoreError) in try await store.add(handle) }
            context.credential = Interface.Credential(completed, handle: (text: handle.handle, expiresAt: handle.expiresAt))
        }
        if case .secondFactorRequired(let uid, _) = refusal {
            let owner = try await daemon.accounts.pageOwner(app: request.app)
            context.resolver = try await daemon.accounts.resolver(
                for: .provider(completed, binding), uid: uid, intent: request.intent, app: request.app, owner: owner)
        }
        return InterfaceError(refusal, context)
    }
}
