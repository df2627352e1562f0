import PosternCore
import PosternInterface
import PosternStore
import StrictJSON
import Varlink
import VarlinkServer

extension SocketService {
    func listProviders(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: Interface.ListProviders.self)
        let providers = daemon.providers.all.map {
            Interface.Provider($0, flows: daemon.providers.flows(of: $0), redirectURI: daemon.registrableRedirectURI(of: $0))
        }
        reply.send(Interface.ListProviders.Reply(providers: providers).object, continues: false)
    }

    func getStatus(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: Interface.GetStatus.self)
        reply.send(
            Interface.GetStatus.Reply(
                version: daemon.version, startedAt: daemon.startedAt, callbackURLs: daemon.callbackURLs, locked: daemon.store.isUnavailable,
                sessions: daemon.coordinator.liveCount, users: daemon.userCount, credentials: daemon.shelf.count
            ).object, continues: false)
    }

    func reload(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: Interface.Reload.self)
        answer(reply) { [daemon] in
            try await daemon.reload()
            return Interface.Reload.Reply()
        }
    }

    func lock(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: Interface.Lock.self)
        answer(reply) { [daemon] in
            await daemon.lock()
            return Interface.Lock.Reply()
        }
    }

    func unlock(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let parameters = try parameters(of: call, as: Interface.Unlock.self)
        guard parameters.passphrase.map({ $0.utf8.count <= KeyWrapping.longestPassphrase }) ?? true else {
            throw VarlinkError.invalidParameter("passphrase")
        }
        let passphrase = parameters.passphrase.map { Secret($0) }
        answer(reply) { [daemon] in
            try await daemon.unlock(passphrase: passphrase)
            return Interface.Unlock.Reply()
        }
    }

    func monitor(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: Interface.Monitor.self)
        guard call.more else { throw VarlinkError.expectedMore }
        let listener = daemon.feed.add { reply.send($0.object, continues: true) }
        reply.onCancel { [daemon] in
            DaemonActor.assumeIsolated { daemon.feed.remove(listener) }
        }
    }
}
