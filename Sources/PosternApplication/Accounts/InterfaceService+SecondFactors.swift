import PosternCore
import PosternInterface

extension InterfaceService {
    public func enrollSecondFactor(
        _ call: Interface.EnrollSecondFactor, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.EnrollSecondFactor.Reply {
        let app = try app(call.app)
        try requireStore()
        let kind: SecondFactor.Kind =
            switch call.factorID {
            case .totp: .totp
            case .phone: .phone
            }
        guard (kind == .phone) == (call.phoneNumber != nil) else { throw .invalidParameter("phoneNumber") }
        if let name = call.displayName, !(1...128).contains(name.utf8.count) || !name.unicodeScalars.allSatisfy(\.isFitToShow) {
            throw .invalidParameter("displayName")
        }
        let enrollment = try await whileWanted(
            app: app, await daemon.accounts.enroll(kind, phoneNumber: call.phoneNumber, displayName: call.displayName, app: app))
        return Interface.EnrollSecondFactor.Reply(
            enrollmentID: enrollment.id, secret: enrollment.secret, provisioningURI: enrollment.provisioningURI)
    }

    public func confirmSecondFactor(
        _ call: Interface.ConfirmSecondFactor, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.ConfirmSecondFactor.Reply {
        let app = try app(call.app)
        try requireStore()
        let user = try await whileWanted(
            app: app,
            await daemon.accounts.confirm(enrollmentID: call.enrollmentID.reveal(), code: call.verificationCode.reveal(), app: app))
        return Interface.ConfirmSecondFactor.Reply(user: Interface.User(user))
    }

    public func removeSecondFactor(
        _ call: Interface.RemoveSecondFactor, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.RemoveSecondFactor.Reply {
        let app = try app(call.app)
        try requireStore()
        let user = try await whileWanted(app: app, await daemon.accounts.removeSecondFactor(uid: call.uid, app: app))
        return Interface.RemoveSecondFactor.Reply(user: Interface.User(user))
    }

    public func startSecondFactor(
        _ call: Interface.StartSecondFactor, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.StartSecondFactor.Reply {
        try requireStore()
        try await whileWanted(await daemon.accounts.startSecondFactor(resolver: call.resolver.reveal(), uid: call.uid))
        return Interface.StartSecondFactor.Reply()
    }

    public func resolveSecondFactor(
        _ call: Interface.ResolveSecondFactor, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.ResolveSecondFactor.Reply {
        try requireStore()
        let result = try await whileWanted(
            await daemon.accounts.resolveSecondFactor(
                resolver: call.resolver.reveal(), uid: call.uid, code: call.verificationCode.reveal()))
        if let completed = result.completed { await daemon.loader.changed(completed.profile.identity) }
        return Interface.ResolveSecondFactor.Reply(result: Interface.AuthResult(result))
    }
}
