import CEpoll
import Glibc
import PosternApplication
import Reactor

/// The loop on which the daemon lives: its state, its timers and the socket of its clients.
enum DaemonLoop {
    static let loop: EpollLoop = {
        guard let loop = EpollLoop() else {
            Daemon.complain("the system gives no descriptor to wait with: \(String(cString: strerror(errno)))")
            exit(1)
        }
        return loop
    }()

    /// Gives the daemon's actor to the loop, once.
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

/// Takes the signals that end the daemon or have it read its configuration.
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

    /// One signal: the next is reported again, and a stream of them does not hold up the others.
    func ready(for readiness: Readiness) {
        var signal = signalfd_siginfo()
        guard read(descriptor, &signal, MemoryLayout.size(ofValue: signal)) == MemoryLayout.size(ofValue: signal) else { return }
        received(CInt(signal.ssi_signo))
    }
}
