import PosternCore
import PosternInterface

/// The methods about the current user and its accounts.
extension InterfaceService {
    public func signInAnonymously(
        _ call: Interface.SignInAnonymously, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.SignInAnonymously.Reply {
        let app = try app(call.app)
        try requireStore()
        let result = try await whileWanted(app: app, await daemon.accounts.signInAnonymously(app: app))
        daemon.loader.usersChanged()
        return Interface.SignInAnonymously.Reply(result: Interface.AuthResult(result))
    }

    public func createUser(
        _ call: Interface.CreateUser, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.CreateUser.Reply {
        let app = try app(call.app)
        try checkName(call.displayName, "displayName")
        try requireStore()
        let result = try await whileWanted(
            app: app, await daemon.accounts.createUser(email: call.email, password: call.password, displayName: call.displayName, app: app))
        daemon.loader.usersChanged()
        return Interface.CreateUser.Reply(result: Interface.AuthResult(result))
    }

    public func getCurrentUser(
        _ call: Interface.GetCurrentUser, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.GetCurrentUser.Reply {
        let app = try app(call.app)
        try requireStore()
        let user = try await whileWanted(app: app, await daemon.accounts.currentUser(app: app))
        return Interface.GetCurrentUser.Reply(user: user.map { Interface.User($0) })
    }

    public func updateUser(
        _ call: Interface.UpdateUser, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.UpdateUser.Reply {
        let app = try app(call.app)
        try checkName(call.displayName, "displayName")
        if let url = call.photoURL, !url.isEmpty, !ProfileRules.isPhotoURL(url) { throw .invalidParameter("photoURL") }
        try requireStore()
        let update = UserUpdate(displayName: call.displayName, photoURL: call.photoURL, email: call.email, password: call.password)
        let user = try await whileWanted(app: app, await daemon.accounts.updateUser(update, app: app))
        return Interface.UpdateUser.Reply(user: Interface.User(user))
    }

    public func unlinkProvider(
        _ call: Interface.UnlinkProvider, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.UnlinkProvider.Reply {
        let app = try app(call.app)
        try requireStore()
        let user = try await whileWanted(app: app, await daemon.accounts.unlink(providerID: call.providerID, app: app))
        return Interface.UnlinkProvider.Reply(user: Interface.User(user))
    }

    public func fetchProviders(
        _ call: Interface.FetchProviders, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.FetchProviders.Reply {
        try requireStore()
        return Interface.FetchProviders.Reply(providerIDs: try await whileWanted(await daemon.accounts.providers(ofEmail: call.email)))
    }

    public func signOut(_ call: Interface.SignOut, caller: any CallingProcess) async throws(InterfaceError) -> Interface.SignOut.Reply {
        let app = try app(call.app)
        try requireStore()
        try await whileWanted(app: app, await daemon.accounts.signOut(app: app))
        return Interface.SignOut.Reply()
    }

    public func deleteUser(
        _ call: Interface.DeleteUser, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.DeleteUser.Reply {
        let app = try app(call.app)
        try requireStore()
        if let user = try await whileWanted(app: app, await daemon.accounts.deleteUser(app: app)) { daemon.coordinator.userDeleted(user) }
        daemon.loader.usersChanged()
        return Interface.DeleteUser.Reply()
    }

    public func getUserToken(
        _ call: Interface.GetUserToken, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.GetUserToken.Reply {
        let app = try app(call.app)
        guard let audience = TokenAudience(call.audience) else { throw .invalidParameter("audience") }
        try requireStore()
        let token = try await whileWanted(app: app, await daemon.accounts.userToken(audience: audience, app: app))
        return Interface.GetUserToken.Reply(idToken: token.idToken, expiresAt: "\(token.expiresAt)")
    }

    private func checkName(_ name: String?, _ parameter: String) throws(InterfaceError) {
        if let name, !ProfileRules.isName(name) { throw .invalidParameter(parameter) }
    }
}
