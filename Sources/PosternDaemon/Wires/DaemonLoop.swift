import CEpoll
import Glibc
import PosternApplication
import Reactor

/// The loop of the daemon: for its state, its timers and the socket of its clients.
enum DaemonLoop {
    static let loop: EpollLoop = {
        guard let loop = EpollLoop() else {
            Daemon.complain("the system gives no descriptor to wait with: \(String(cString: strerror(errno)))")
            exit(1)
        }
        return loop
    }()

    /// Makes the loop the executor of the daemon's actor, once.
    static func adopt() { _ = adopted }

    private static let adopted: Void = DaemonActor.run(on: loop)
}

extension EpollLoop: DaemonExecutor {}

/// Timers of the loop.
@DaemonActor
final class LoopTimers: Timers {
    func after(milliseconds: Int64, _ body: @escaping @Sendable @DaemonActor () -> Void) -> any PendingTimer {
        DaemonLoop.loop.schedule(after: .milliseconds(max(1, milliseconds))) { DaemonActor.assumeIsolated { body() } }
    }
}

extension LoopTimer: PendingTimer {}

/// Receives the signals that end the daemon or make it read its configuration.
final class SignalWatch: ReadinessHandler {
    private let descriptor: CInt
    private let received: (CInt) -> Void

    /// - Parameters:
    ///   - signals: blocked in every thread.
    ///   - received: called on the loop.
    init?(_ signals: sigset_t, on loop: EpollLoop, received: @escaping (CInt) -> Void) {
        var signals = signals
        descriptor = signalfd(-1, &signals, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK))
        self.received = received
        guard descriptor >= 0, loop.watch(descriptor, for: .readable, self) != nil else { return nil }
    }

    /// Reads one signal: the next is reported again, and a stream of them does not block other events.
    func ready(for readiness: Readiness) {
        var signal = signalfd_siginfo()
        guard read(descriptor, &signal, MemoryLayout.size(ofValue: signal)) == MemoryLayout.size(ofValue: signal) else { return }
        received(CInt(signal.ssi_signo))
    }
}
