import CProcess
import Glibc

/// Waits for what ends the program from outside: a signal, or its parent's end.
struct EndOfProgram {
    private static let parentsEnd = SIGUSR1
    private let signals: sigset_t
    private let parent: pid_t

    /// To be made before other threads are, so that the signals reach the thread that waits.
    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP, Self.parentsEnd] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        self.signals = signals
        // A client that is gone is noticed where it is written to.
        signal(SIGPIPE, SIG_IGN)
        _ = postern_signal_at_parents_end(Self.parentsEnd)
        // If the parent ended before that, so did its end of standard input.
        parent = getppid()
    }

    /// - Parameter stop: called on this thread for each wish that the program ends.
    func wait(_ stop: () -> Void) -> Never {
        while true {
            var signals = signals
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { continue }
            // The signal says that a thread has ended: a client may have started this program from one of many.
            if number != Self.parentsEnd || getppid() != parent { stop() }
        }
    }
}
