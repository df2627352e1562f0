import PosternCore
import PosternInterface

extension SignInService {
    /// A refusal as the caller gets it: the credential with a handle, the first factor with a resolver, both on disk before.
    func interfaceError(
        for refusal: AccountRefusal, of completed: CompletedSignIn, boundTo binding: ProviderBinding, _ request: CredentialRequest
    ) async throws(AccountFailure) -> InterfaceError {
        var context = InterfaceError.RefusalContext(
            app: request.app, providerName: providers.directory.displayName(completed.profile.identity.providerID))
        if refusal.offersCredential {
            let handle = try coordinator.handle(for: completed, boundTo: binding, app: request.app)
            try await store.ask { store throws(StoreError) in try await store.add(handle) }
            context.credential = Interface.Credential(completed, handle: (text: handle.handle, expiresAt: handle.expiresAt))
        }
        if refusal.reason == .secondFactorRequired, let uid = refusal.uid {
            let owner = try await accounts.pageOwner(app: request.app)
            context.resolver = try await accounts.resolver(
                for: .provider(completed, binding), uid: uid, intent: request.intent, app: request.app, owner: owner)
        }
        return InterfaceError(refusal, context)
    }
}
