import CEpoll
import ConnectionAdmission
import Glibc
import Reactor

/// Accepts the connections of one listening socket.
///
/// When the process has run out of file descriptors or memory, it makes room among the listener's own connections. If it cannot, or if
/// there is another problem, it tries again after a pause, and not in an endless loop.
final class Acceptor: ReadinessHandler {
    /// Short, since a person may be waiting; long enough to cause no load.
    private static let pause = Duration.milliseconds(100)

    private let listener: ListenerState
    private let descriptor: CInt
    private var watch: EpollLoop.Watch?
    private var retry: LoopTimer?
    private var warnings = RareWarnings()

    init(_ socket: ListeningSocket, for listener: ListenerState) throws(VarlinkListenerError) {
        self.listener = listener
        descriptor = socket.descriptor
        watch = listener.loop.watch(descriptor, for: .readable, self)
        guard watch != nil else {
            throw .system(call: "watch", path: socket.file?.path ?? "the socket passed in", errno: errno)
        }
    }

    /// How many are accepted at a time: enough that clients with many calls do not keep new ones out, and not so many that a crowd of new
    /// ones delays the others. Those that still wait are reported again in the next turn.
    static let mostAtOnce = 16

    func ready(for readiness: Readiness) {
        var hasMadeRoom = false
        for _ in 0..<Self.mostAtOnce {
            // The service may have stopped listening because of the last one.
            guard watch != nil else { return }
            let connection = postern_accept(descriptor)
            guard connection < 0 else {
                hasMadeRoom = false
                listener.accepted(connection)
                continue
            }
            let code = errno
            switch AcceptFailure(code) {
            case .noneWaits: return
            case .oneConnection: continue
            case .shortage:
                guard AcceptShortage.keepsSomebodyWaiting(at: descriptor) else { return }
                tell(code)
                // If another process takes the room at once, this would cost one connection after another.
                guard !hasMadeRoom, listener.connections.closeLongestIdle() else { return rest() }
                hasMadeRoom = true
            case .noListener:
                tell(code)
                return close()
            case .refusal:
                tell(code)
                return rest()
            }
        }
    }

    private func tell(_ code: CInt) {
        if warnings.isDue(at: listener.loop.now) { listener.service.acceptFailed(VarlinkAcceptError(errno: code)) }
    }

    /// The socket stays ready while a client waits there.
    private func rest() {
        guard let watch, retry == nil else { return }
        listener.loop.change(watch, to: [])
        retry = listener.loop.schedule(after: Self.pause) { [weak self] in
            guard let self else { return }
            retry = nil
            if let watch = self.watch { listener.loop.change(watch, to: .readable) }
        }
    }

    func close() {
        guard let watch else { return }
        self.watch = nil
        retry?.cancel()
        retry = nil
        listener.loop.end(watch)
        Glibc.close(descriptor)
    }
}
