import PosternCore
import PosternInterface

/// The methods about the current user and its accounts.
extension InterfaceService {
    func signInAnonymously(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let app = try app(try parameters(of: call, as: Interface.SignInAnonymously.self).app)
        try daemon.keeper.check()
        answer(reply, app: app) { [daemon] in
            let result = try await daemon.accounts.signInAnonymously(app: app)
            await daemon.inventory.usersChanged()
            return Interface.SignInAnonymously.Reply(result: Interface.AuthResult(result))
        }
    }

    func createUser(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.CreateUser.self)
        let app = try app(parameters.app)
        try checkName(parameters.displayName, "displayName")
        try daemon.keeper.check()
        answer(reply, app: app) { [daemon] in
            let result = try await daemon.accounts.createUser(
                email: parameters.email, password: parameters.password, displayName: parameters.displayName, app: app)
            await daemon.inventory.usersChanged()
            return Interface.CreateUser.Reply(result: Interface.AuthResult(result))
        }
    }

    func getCurrentUser(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let app = try app(try parameters(of: call, as: Interface.GetCurrentUser.self).app)
        try daemon.keeper.check()
        answer(reply, app: app) { [daemon] in
            Interface.GetCurrentUser.Reply(user: try await daemon.accounts.currentUser(app: app).map { Interface.User($0) })
        }
    }

    func updateUser(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.UpdateUser.self)
        let app = try app(parameters.app)
        try checkName(parameters.displayName, "displayName")
        if let url = parameters.photoURL, !url.isEmpty, !ProfileRules.isPhotoURL(url) { throw InterfaceError.invalidParameter("photoURL") }
        try daemon.keeper.check()
        let update = UserUpdate(
            displayName: parameters.displayName, photoURL: parameters.photoURL, email: parameters.email,
            password: parameters.password)
        answer(reply, app: app) { [daemon] in
            Interface.UpdateUser.Reply(user: Interface.User(try await daemon.accounts.updateUser(update, app: app)))
        }
    }

    func unlinkProvider(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.UnlinkProvider.self)
        let app = try app(parameters.app)
        try daemon.keeper.check()
        answer(reply, app: app) { [daemon] in
            let user = try await daemon.accounts.unlink(providerID: parameters.providerID, app: app)
            return Interface.UnlinkProvider.Reply(user: Interface.User(user))
        }
    }

    func fetchProviders(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let email = try parameters(of: call, as: Interface.FetchProviders.self).email
        try daemon.keeper.check()
        answer(reply) { [daemon] in Interface.FetchProviders.Reply(providerIDs: try await daemon.accounts.providers(ofEmail: email)) }
    }

    func signOut(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let app = try app(try parameters(of: call, as: Interface.SignOut.self).app)
        try daemon.keeper.check()
        answer(reply, app: app) { [daemon] in
            try await daemon.accounts.signOut(app: app)
            return Interface.SignOut.Reply()
        }
    }

    func deleteUser(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let app = try app(try parameters(of: call, as: Interface.DeleteUser.self).app)
        try daemon.keeper.check()
        answer(reply, app: app) { [daemon] in
            if let user = try await daemon.accounts.deleteUser(app: app) { daemon.coordinator.userDeleted(user) }
            await daemon.inventory.usersChanged()
            return Interface.DeleteUser.Reply()
        }
    }

    func getUserToken(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.GetUserToken.self)
        let app = try app(parameters.app)
        guard let audience = TokenAudience(parameters.audience) else { throw InterfaceError.invalidParameter("audience") }
        try daemon.keeper.check()
        answer(reply, app: app) { [daemon] in
            let token = try await daemon.accounts.userToken(audience: audience, app: app)
            return Interface.GetUserToken.Reply(idToken: token.idToken, expiresAt: "\(token.expiresAt)")
        }
    }

    private func checkName(_ name: String?, _ parameter: String) throws {
        if let name, !ProfileRules.isName(name) { throw InterfaceError.invalidParameter(parameter) }
    }
}
