import PosternCore
import PosternInterface
import StrictJSON

extension InterfaceService {
    func listProviders(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try parameters(of: call, as: Interface.ListProviders.self)
        let providers = daemon.providers.all.map {
            Interface.Provider($0, flows: daemon.providers.flows(of: $0), redirectURI: daemon.origins.registrableRedirectURI(of: $0))
        }
        reply.send(Interface.ListProviders.Reply(providers: providers), continues: false)
    }

    func getStatus(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try parameters(of: call, as: Interface.GetStatus.self)
        reply.send(
            Interface.GetStatus.Reply(
                version: daemon.version, startedAt: "\(daemon.startedAt)", callbackURLs: daemon.origins.callbackURLs,
                locked: daemon.store.isUnavailable,
                sessions: daemon.coordinator.signIns.liveCount, users: daemon.inventory.userCount, credentials: daemon.inventory.shelf.count
            ), continues: false)
    }

    func reload(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try parameters(of: call, as: Interface.Reload.self)
        answer(reply) { [daemon] in
            try await daemon.configuration.reload()
            return Interface.Reload.Reply()
        }
    }

    func lock(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try parameters(of: call, as: Interface.Lock.self)
        answer(reply) { [daemon] in
            await daemon.keeper.lock()
            return Interface.Lock.Reply()
        }
    }

    func unlock(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.Unlock.self)
        guard parameters.passphrase.map({ $0.count <= PasswordRules.longestPassphrase }) ?? true else {
            throw InterfaceError.invalidParameter("passphrase")
        }
        let passphrase = parameters.passphrase
        answer(reply) { [daemon] in
            try await daemon.keeper.unlock(passphrase: passphrase)
            return Interface.Unlock.Reply()
        }
    }

    func monitor(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try parameters(of: call, as: Interface.Monitor.self)
        guard call.more else { throw InterfaceError.expectedMore }
        let listener = daemon.feed.add { reply.send($0, continues: true) }
        reply.onCancel { [daemon] in
            daemon.feed.remove(listener)
        }
    }
}
