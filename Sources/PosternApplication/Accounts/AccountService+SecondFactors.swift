import PosternCore
import PosternInterface

extension AccountService {
    func enrollSecondFactor(_ call: Interface.EnrollSecondFactor) async throws(InterfaceError) -> Interface.EnrollSecondFactor.Reply {
        let app = try AppName.checked(call.app)
        let kind: SecondFactor.Kind =
            switch call.factorID {
            case .totp: .totp
            case .phone: .phone
            }
        guard (kind == .phone) == (call.phoneNumber != nil) else { throw .invalidParameter("phoneNumber") }
        if let name = call.displayName, !(1...128).contains(name.utf8.count) || !name.unicodeScalars.allSatisfy(\.isFitToShow) {
            throw .invalidParameter("displayName")
        }
        let enrollment = try await demand.whileWanted(
            app: app, await accounts.enroll(kind, phoneNumber: call.phoneNumber, displayName: call.displayName, app: app))
        return Interface.EnrollSecondFactor.Reply(
            enrollmentID: enrollment.id, secret: enrollment.secret, provisioningURI: enrollment.provisioningURI)
    }

    func confirmSecondFactor(_ call: Interface.ConfirmSecondFactor) async throws(InterfaceError) -> Interface.ConfirmSecondFactor.Reply {
        let app = try AppName.checked(call.app)
        let user = try await demand.whileWanted(
            app: app,
            await accounts.confirm(enrollmentID: call.enrollmentID.reveal(), code: call.verificationCode.reveal(), app: app))
        return Interface.ConfirmSecondFactor.Reply(user: Interface.User(user))
    }

    func removeSecondFactor(_ call: Interface.RemoveSecondFactor) async throws(InterfaceError) -> Interface.RemoveSecondFactor.Reply {
        let app = try AppName.checked(call.app)
        let user = try await demand.whileWanted(app: app, await accounts.removeSecondFactor(uid: call.uid, app: app))
        return Interface.RemoveSecondFactor.Reply(user: Interface.User(user))
    }

    func startSecondFactor(_ call: Interface.StartSecondFactor) async throws(InterfaceError) -> Interface.StartSecondFactor.Reply {
        try await demand.whileWanted(await accounts.startSecondFactor(resolver: call.resolver.reveal(), uid: call.uid))
        return Interface.StartSecondFactor.Reply()
    }

    func resolveSecondFactor(_ call: Interface.ResolveSecondFactor) async throws(InterfaceError) -> Interface.ResolveSecondFactor.Reply {
        let result = try await demand.whileWanted(
            await accounts.resolveSecondFactor(
                resolver: call.resolver.reveal(), uid: call.uid, code: call.verificationCode.reveal()))
        if let completed = result.completed { await loader.changed(completed.profile.identity) }
        return Interface.ResolveSecondFactor.Reply(result: Interface.AuthResult(result))
    }
}
