import CEpoll
import ConnectionAdmission
import Glibc
import Reactor

/// Accepts the connections of one listening socket.
///
/// When the process has run out of file descriptors or memory, it makes room among the listener's own connections, and tries again after a
/// pause, not at once and for ever.
final class Acceptor: ReadinessHandler {
    /// Short, since a person may be waiting; long enough to be no load.
    private static let pause = Duration.milliseconds(100)

    private let listener: ListenerState
    private let descriptor: CInt
    private var watch: EpollLoop.Watch?
    private var retry: LoopTimer?

    init(_ socket: ListeningSocket, for listener: ListenerState) throws(VarlinkListenerError) {
        self.listener = listener
        descriptor = socket.descriptor
        watch = listener.loop.watch(descriptor, for: .readable, self)
        guard watch != nil else {
            throw .system(call: "watch", path: socket.file?.path ?? "the socket passed in", errno: errno)
        }
    }

    /// So many at a time: enough that clients with many calls do not keep new ones out, and not so many that a crowd of new ones holds up
    /// the others. Those who wait longer are reported again in the next turn.
    static let mostAtOnce = 16

    func ready(for readiness: Readiness) {
        for _ in 0..<Self.mostAtOnce {
            // The service may have stopped listening over the last one.
            guard watch != nil else { return }
            let connection = postern_accept(descriptor)
            guard connection < 0 else {
                listener.accepted(connection)
                continue
            }
            let code = errno
            if ConnectionTable.isShortage(code) {
                return rest()
            } else if [EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP].contains(code) {
                // The socket does not listen any more.
                return close()
            } else if code == EAGAIN {
                return
            }
            // Other errors are about one connection, which concerns nobody else.
        }
    }

    private func rest() {
        listener.connections.closeLongestIdle()
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
