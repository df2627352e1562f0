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

    /// One at a time: those who wait are told of with what else is ready, so that a crowd of new clients does not hold up the others.
    func ready(for readiness: Readiness) {
        let connection = postern_accept(descriptor)
        guard connection < 0 else { return listener.accepted(connection) }
        let code = errno
        if ConnectionTable.isShortage(code) {
            rest()
        } else if [EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP].contains(code) {
            // The socket does not listen any more. Other errors are about one connection, which concerns nobody else.
            close()
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
