import PosternCore
import PosternInterface

/// The methods about users: those of the apps' sign-ins.
@DaemonActor
final class AccountService: AccountMethods {
    let demand: AccountDemand
    let loader: CredentialLoader

    init(demand: AccountDemand, loader: CredentialLoader) {
        self.demand = demand
        self.loader = loader
    }

    var accounts: any AccountAuthority { demand.accounts }

    func signInAnonymously(_ call: Interface.SignInAnonymously) async throws(InterfaceError) -> Interface.SignInAnonymously.Reply {
        let app = try AppName.checked(call.app)
        let result = try await demand.whileWanted(app: app, await accounts.signInAnonymously(app: app))
        loader.usersChanged()
        return Interface.SignInAnonymously.Reply(result: Interface.AuthResult(result))
    }

    func createUser(_ call: Interface.CreateUser) async throws(InterfaceError) -> Interface.CreateUser.Reply {
        let app = try AppName.checked(call.app)
        try checkName(call.displayName, "displayName")
        let result = try await demand.whileWanted(
            app: app, await accounts.createUser(email: call.email, password: call.password, displayName: call.displayName, app: app))
        loader.usersChanged()
        return Interface.CreateUser.Reply(result: Interface.AuthResult(result))
    }

    func getCurrentUser(_ call: Interface.GetCurrentUser) async throws(InterfaceError) -> Interface.GetCurrentUser.Reply {
        let app = try AppName.checked(call.app)
        let user = try await demand.whileWanted(app: app, await accounts.currentUser(app: app))
        return Interface.GetCurrentUser.Reply(user: user.map { Interface.User($0) })
    }

    func updateUser(_ call: Interface.UpdateUser) async throws(InterfaceError) -> Interface.UpdateUser.Reply {
        let app = try AppName.checked(call.app)
        try checkName(call.displayName, "displayName")
        if let url = call.photoURL, !url.isEmpty, !ProfileRules.isPhotoURL(url) { throw .invalidParameter("photoURL") }
        let update = UserUpdate(displayName: call.displayName, photoURL: call.photoURL, email: call.email, password: call.password)
        let user = try await demand.whileWanted(app: app, await accounts.updateUser(update, app: app))
        return Interface.UpdateUser.Reply(user: Interface.User(user))
    }

    func unlinkProvider(_ call: Interface.UnlinkProvider) async throws(InterfaceError) -> Interface.UnlinkProvider.Reply {
        let app = try AppName.checked(call.app)
        let user = try await demand.whileWanted(app: app, await accounts.unlink(providerID: call.providerID, app: app))
        return Interface.UnlinkProvider.Reply(user: Interface.User(user))
    }

    func fetchProviders(_ call: Interface.FetchProviders) async throws(InterfaceError) -> Interface.FetchProviders.Reply {
        return Interface.FetchProviders.Reply(providerIDs: try await demand.whileWanted(await accounts.providers(ofEmail: call.email)))
    }

    func signOut(_ call: Interface.SignOut) async throws(InterfaceError) -> Interface.SignOut.Reply {
        let app = try AppName.checked(call.app)
        try await demand.whileWanted(app: app, await accounts.signOut(app: app))
        return Interface.SignOut.Reply()
    }

    func deleteUser(_ call: Interface.DeleteUser) async throws(InterfaceError) -> Interface.DeleteUser.Reply {
        let app = try AppName.checked(call.app)
        if let user = try await demand.whileWanted(app: app, await accounts.deleteUser(app: app)) { demand.observer.userDeleted(user) }
        loader.usersChanged()
        return Interface.DeleteUser.Reply()
    }

    func getUserToken(_ call: Interface.GetUserToken) async throws(InterfaceError) -> Interface.GetUserToken.Reply {
        let app = try AppName.checked(call.app)
        guard let audience = TokenAudience(call.audience) else { throw .invalidParameter("audience") }
        let token = try await demand.whileWanted(app: app, await accounts.userToken(audience: audience, app: app))
        return Interface.GetUserToken.Reply(idToken: token.idToken, expiresAt: "\(token.expiresAt)")
    }

    private func checkName(_ name: String?, _ parameter: String) throws(InterfaceError) {
        if let name, !ProfileRules.isName(name) { throw .invalidParameter(parameter) }
    }
}
