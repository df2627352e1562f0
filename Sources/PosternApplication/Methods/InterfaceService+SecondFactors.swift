import PosternCore
import PosternInterface

extension InterfaceService {
    func enrollSecondFactor(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.EnrollSecondFactor.self)
        let app = try app(parameters.app)
        try daemon.keeper.check()
        let kind: SecondFactor.Kind =
            switch parameters.factorID {
            case .totp: .totp
            case .phone: .phone
            }
        guard (kind == .phone) == (parameters.phoneNumber != nil) else { throw InterfaceError.invalidParameter("phoneNumber") }
        if let name = parameters.displayName, !(1...128).contains(name.utf8.count) || !name.unicodeScalars.allSatisfy(\.isFitToShow) {
            throw InterfaceError.invalidParameter("displayName")
        }
        answer(reply, app: app) { [daemon] in
            let enrollment = try await daemon.accounts.enroll(
                kind, phoneNumber: parameters.phoneNumber, displayName: parameters.displayName, app: app)
            return Interface.EnrollSecondFactor.Reply(
                enrollmentID: enrollment.id, secret: enrollment.secret,
                provisioningURI: enrollment.provisioningURI)
        }
    }

    func confirmSecondFactor(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.ConfirmSecondFactor.self)
        let app = try app(parameters.app)
        try daemon.keeper.check()
        answer(reply, app: app) { [daemon] in
            let user = try await daemon.accounts.confirm(
                enrollmentID: parameters.enrollmentID.reveal(), code: parameters.verificationCode.reveal(), app: app)
            return Interface.ConfirmSecondFactor.Reply(user: Interface.User(user))
        }
    }

    func removeSecondFactor(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.RemoveSecondFactor.self)
        let app = try app(parameters.app)
        try daemon.keeper.check()
        answer(reply, app: app) { [daemon] in
            let user = try await daemon.accounts.removeSecondFactor(uid: parameters.uid, app: app)
            return Interface.RemoveSecondFactor.Reply(user: Interface.User(user))
        }
    }

    func startSecondFactor(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.StartSecondFactor.self)
        try daemon.keeper.check()
        answer(reply) { [daemon] in
            try await daemon.accounts.startSecondFactor(resolver: parameters.resolver.reveal(), uid: parameters.uid)
            return Interface.StartSecondFactor.Reply()
        }
    }

    func resolveSecondFactor(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.ResolveSecondFactor.self)
        try daemon.keeper.check()
        answer(reply) { [daemon] in
            let result = try await daemon.accounts.resolveSecondFactor(
                resolver: parameters.resolver.reveal(), uid: parameters.uid, code: parameters.verificationCode.reveal())
            if let completed = result.completed { await daemon.inventory.changed(completed.profile.identity) }
            return Interface.ResolveSecondFactor.Reply(result: Interface.AuthResult(result))
        }
    }
}
