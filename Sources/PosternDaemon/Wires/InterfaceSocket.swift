import PosternApplication
import PosternInterface
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
        DaemonActor.assumeIsolated { front.answer(call, reply: reply) }
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
                requester: peer.process)
        }
    }
}

extension VarlinkPeer {
    fileprivate var process: CallingProcess { CallingProcess(pid: pid, executable: executable, unit: unit) }
}

extension VarlinkReplyHandle: InterfaceReply {
    public var caller: CallingProcess { peer.process }

    public func fail(_ error: InterfaceError) { fail(error.name, error) }

    public func onDisconnect(_ body: @escaping @Sendable @DaemonActor () -> Void) {
        onCancel { DaemonActor.assumeIsolated { body() } }
    }
}
