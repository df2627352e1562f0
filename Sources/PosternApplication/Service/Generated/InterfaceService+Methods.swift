// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import PosternInterface
import StrictJSON

extension InterfaceService {
    /// Has the method of a call carried out. Does not suspend where that does not.
    ///
    /// - Parameter reply: of a method with several replies, which sends them.
    /// - Returns: the last reply; nil if the method has sent it, or the caller has disconnected.
    func answer(
        _ method: Interface.Method, _ parameters: JSONObject, reply: any InterfaceReply
    ) async throws(InterfaceError) -> (any InterfaceObject)? {
        switch method {
        case .listProviders: try await providerMethods.listProviders(prepared(parameters))
        case .checkProvider: try await providerMethods.checkProvider(prepared(parameters))
        case .resolveResource: try await providerMethods.resolveResource(prepared(parameters))
        case .signIn: try await signInMethods.signIn(prepared(parameters), reply: reply)
        case .listSessions: try await signInMethods.listSessions(prepared(parameters))
        case .attachSession: try await signInMethods.attachSession(prepared(parameters), reply: reply)
        case .cancelSession: try await signInMethods.cancelSession(prepared(parameters))
        case .deliverRedirect: try await signInMethods.deliverRedirect(prepared(parameters))
        case .signInWithCredential: try await signInMethods.signInWithCredential(prepared(parameters))
        case .signInAnonymously: try await accountMethods.signInAnonymously(prepared(parameters))
        case .createUser: try await accountMethods.createUser(prepared(parameters))
        case .getCurrentUser: try await accountMethods.getCurrentUser(prepared(parameters))
        case .updateUser: try await accountMethods.updateUser(prepared(parameters))
        case .unlinkProvider: try await accountMethods.unlinkProvider(prepared(parameters))
        case .fetchProviders: try await accountMethods.fetchProviders(prepared(parameters))
        case .signOut: try await accountMethods.signOut(prepared(parameters))
        case .deleteUser: try await accountMethods.deleteUser(prepared(parameters))
        case .getUserToken: try await accountMethods.getUserToken(prepared(parameters))
        case .enrollSecondFactor: try await accountMethods.enrollSecondFactor(prepared(parameters))
        case .confirmSecondFactor: try await accountMethods.confirmSecondFactor(prepared(parameters))
        case .removeSecondFactor: try await accountMethods.removeSecondFactor(prepared(parameters))
        case .startSecondFactor: try await accountMethods.startSecondFactor(prepared(parameters))
        case .resolveSecondFactor: try await accountMethods.resolveSecondFactor(prepared(parameters))
        case .listCredentials: try await tokenMethods.listCredentials(prepared(parameters))
        case .getAccessToken: try await tokenMethods.getAccessToken(prepared(parameters))
        case .getIDToken: try await tokenMethods.getIDToken(prepared(parameters))
        case .authorizeRequest: try await tokenMethods.authorizeRequest(prepared(parameters))
        case .reportRefusedToken: try await tokenMethods.reportRefusedToken(prepared(parameters))
        case .findAccount: try await tokenMethods.findAccount(prepared(parameters))
        case .getRoute: try await tokenMethods.getRoute(prepared(parameters))
        case .importCredential: try await tokenMethods.importCredential(prepared(parameters))
        case .revokeCredential: try await tokenMethods.revokeCredential(prepared(parameters))
        case .getStatus: try await serviceMethods.getStatus(prepared(parameters))
        case .reload: try await serviceMethods.reload(prepared(parameters))
        case .lock: try await serviceMethods.lock(prepared(parameters))
        case .unlock: try await serviceMethods.unlock(prepared(parameters))
        case .monitor: try await serviceMethods.monitor(prepared(parameters), reply: reply)
        }
    }
}
