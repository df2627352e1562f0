import PosternApplication
import PosternInterface
import StrictJSON
import Varlink
import VarlinkServer

/// The interface on the Varlink socket.
@DaemonActor
final class InterfaceSocket: VarlinkService {
    private let front: ConfiguredDaemon
    private let observer: any ApplicationObserver

    init(_ front: ConfiguredDaemon, observer: any ApplicationObserver) {
        self.front = front
        self.observer = observer
    }

    nonisolated var interfaces: [VarlinkInterface] {
        [VarlinkInterface(name: Interface.name, description: Interface.description, methods: Interface.Method.allCases.map(\.rawValue))]
    }

    nonisolated func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle) {
        DaemonActor.assumeIsolated {
            front.answer(
                InterfaceCall(method: call.method, parameters: call.parameters, more: call.more), from: peer, reply: SocketReply(reply))
        }
    }

    nonisolated func connectionOpened(_ peer: VarlinkPeer) {
        DaemonActor.assumeIsolated { observer.clientsChanged() }
    }

    nonisolated func connectionClosed(_ peer: VarlinkPeer) {
        DaemonActor.assumeIsolated { observer.clientsChanged() }
    }

    nonisolated func acceptFailed(_ error: VarlinkAcceptError) {
        DaemonActor.assumeIsolated { front.events.report(.configuration, "Varlink socket: \(error)") }
    }

    nonisolated func clientCutOff(_ peer: VarlinkPeer, _ unread: VarlinkUnreadReplies) {
        DaemonActor.assumeIsolated {
            front.events.report(
                .configuration,
                """
                the connection of pid \(peer.pid), \(peer.executable ?? "an unknown program"), was closed: \(unread.bytes) bytes of answers wait there, \
                and \(unread.inAll) for all programs; a program has to read what it is answered before it asks for more
                """,
                requester: EventLog.Requester(pid: peer.pid, executable: peer.executable, unit: peer.unit))
        }
    }
}

extension VarlinkPeer: CallingProcess {}

@DaemonActor
private final class SocketReply: InterfaceReply {
    private let handle: VarlinkReplyHandle

    init(_ handle: VarlinkReplyHandle) { self.handle = handle }

    var isCancelled: Bool { handle.isCancelled }
    var isOneway: Bool { handle.isOneway }

    func send(_ reply: any JSONMembers, continues: Bool) { handle.send(reply, continues: continues) }

    func fail(_ error: InterfaceError) { handle.fail(error.name, error) }

    func onCancel(_ body: @escaping @Sendable @DaemonActor () -> Void) {
        handle.onCancel { DaemonActor.assumeIsolated { body() } }
    }
}
