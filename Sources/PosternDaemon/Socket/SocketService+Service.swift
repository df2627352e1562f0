import PosternCore
import PosternInterface
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

    func monitor(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) throws {
        _ = try parameters(of: call, as: MonitorParameters.self)
        guard call.more else { throw VarlinkError.expectedMore }
        let listener = daemon.feed.add { reply.send($0.object, continues: true) }
        reply.onCancel { [daemon] in
            DaemonActor.assumeIsolated { daemon.feed.remove(listener) }
        }
    }
}
