import PosternCore
import PosternInterface
import StrictJSON

extension InterfaceService {
    func listProviders(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try parameters(of: call, as: Interface.ListProviders.self)
        answerWithAddresses(reply) { [daemon] in
            let providers = daemon.providers.all.map { provider in
                var provider = provider
                // Said where it would be met: a person who signs in with a code needs no address.
                let flow = provider.flow ?? daemon.settings.configuration.signIn.flow
                if flow == .browser { provider.problem = provider.problem ?? daemon.origins.problem(of: provider) }
                return Interface.Provider(
                    provider, flows: daemon.providers.flows(of: provider), redirectURI: daemon.origins.registrableRedirectURI(of: provider))
            }
            return Interface.ListProviders.Reply(providers: providers)
        }
    }

    /// What depends on the listener's addresses; where one is missing, it is tried again first.
    private func answerWithAddresses(
        _ reply: any InterfaceReply, _ make: @escaping @Sendable @DaemonActor () -> any InterfaceObject
    ) {
        guard !daemon.origins.isComplete else { return reply.send(make(), continues: false) }
        answer(reply) { [daemon] in
            await daemon.watch.seek()
            return make()
        }
    }

    func getStatus(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try parameters(of: call, as: Interface.GetStatus.self)
        answerWithAddresses(reply) { [daemon] in
            Interface.GetStatus.Reply(
                version: daemon.version, startedAt: "\(daemon.startedAt)", callbackURLs: daemon.origins.callbackURLs,
                locked: daemon.store.isUnavailable,
                sessions: daemon.coordinator.signIns.liveCount, users: daemon.inventory.userCount, credentials: daemon.inventory.shelf.count
            )
        }
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
        try daemon.events.monitor(call, reply)
    }
}
