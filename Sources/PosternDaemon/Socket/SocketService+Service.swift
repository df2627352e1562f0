import PosternCore
import PosternInterface
import PosternStore
import StrictJSON
import Varlink
import VarlinkServer

extension SocketService {
    func listProviders(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: ListProvidersParameters.self)
        let providers = daemon.providers.all.map {
            PosternInterface.Provider($0, flows: daemon.providers.flows(of: $0), redirectURI: daemon.registrableRedirectURI(of: $0))
        }
        reply.send(ListProvidersReply(providers: providers).object, continues: false)
    }

    func getStatus(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: GetStatusParameters.self)
        reply.send(
            GetStatusReply(
                version: daemon.version, startedAt: daemon.startedAt, callbackURLs: daemon.callbackURLs, locked: daemon.store.isUnavailable,
                sessions: daemon.coordinator.liveCount, users: daemon.userCount, credentials: daemon.shelf.count
            ).object, continues: false)
    }

    func reload(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: ReloadParameters.self)
        answer(reply) { [daemon] in
            try await daemon.reload()
            return ReloadReply()
        }
    }

    func lock(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: LockParameters.self)
        answer(reply) { [daemon] in
            await daemon.lock()
            return LockReply()
        }
    }

    func unlock(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        let parameters = try parameters(of: call, as: UnlockParameters.self)
        guard parameters.passphrase.map({ $0.utf8.count <= KeyWrapping.longestPassphrase }) ?? true else {
            throw VarlinkError.invalidParameter("passphrase")
        }
        let passphrase = parameters.passphrase.map { Secret($0) }
        answer(reply) { [daemon] in
            try await daemon.unlock(passphrase: passphrase)
            return UnlockReply()
        }
    }

    func monitor(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: MonitorParameters.self)
        guard call.more else { throw VarlinkError.expectedMore }
        let listener = daemon.feed.add { reply.send($0.object, continues: true) }
        reply.onCancel { [daemon] in
            DaemonActor.assumeIsolated { daemon.feed.remove(listener) }
        }
    }
}
