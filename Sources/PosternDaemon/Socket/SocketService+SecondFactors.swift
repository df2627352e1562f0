import PosternCore
import PosternInterface
import Varlink
import VarlinkServer

extension SocketService {
    func enrollSecondFactor(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let parameters = try parameters(of: call, as: EnrollSecondFactorParameters.self)
        let app = try app(parameters.app)
        try daemon.store.check()
        let kind: PosternCore.SecondFactor.Kind =
            switch parameters.factorID {
            case .totp: .totp
            case .phone: .phone
            }
        guard (kind == .phone) == (parameters.phoneNumber != nil) else { throw VarlinkError.invalidParameter("phoneNumber") }
        if let name = parameters.displayName, !(1...128).contains(name.utf8.count) || !name.unicodeScalars.allSatisfy(\.isFitToShow) {
            throw VarlinkError.invalidParameter("displayName")
        }
        answer(reply, app: app) { [daemon] in
            let enrollment = try await daemon.accounts.enroll(
                kind, phoneNumber: parameters.phoneNumber, displayName: parameters.displayName, app: app)
            return EnrollSecondFactorReply(
                enrollmentID: enrollment.id.reveal(), secret: enrollment.secret?.reveal(),
                provisioningURI: enrollment.provisioningURI?.reveal())
        }
    }

    func confirmSecondFactor(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let parameters = try parameters(of: call, as: ConfirmSecondFactorParameters.self)
        let app = try app(parameters.app)
        try daemon.store.check()
        answer(reply, app: app) { [daemon] in
            let user = try await daemon.accounts.confirm(
                enrollmentID: parameters.enrollmentID, code: parameters.verificationCode, app: app)
            return ConfirmSecondFactorReply(user: PosternInterface.User(user))
        }
    }

    func removeSecondFactor(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let parameters = try parameters(of: call, as: RemoveSecondFactorParameters.self)
        let app = try app(parameters.app)
        try daemon.store.check()
        answer(reply, app: app) { [daemon] in
            let user = try await daemon.accounts.removeSecondFactor(uid: parameters.uid, app: app)
            return RemoveSecondFactorReply(user: PosternInterface.User(user))
        }
    }

    func startSecondFactor(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let parameters = try parameters(of: call, as: StartSecondFactorParameters.self)
        try daemon.store.check()
        answer(reply) { [daemon] in
            try await daemon.accounts.startSecondFactor(resolver: parameters.resolver, uid: parameters.uid)
            return StartSecondFactorReply()
        }
    }

    func resolveSecondFactor(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let parameters = try parameters(of: call, as: ResolveSecondFactorParameters.self)
        try daemon.store.check()
        answer(reply) { [daemon] in
            let result = try await daemon.accounts.resolveSecondFactor(
                resolver: parameters.resolver, uid: parameters.uid, code: parameters.verificationCode)
            if let completed = result.completed { await daemon.accountsChanged(completed.profile.identity) }
            return ResolveSecondFactorReply(result: AuthResult(result))
        }
    }
}
