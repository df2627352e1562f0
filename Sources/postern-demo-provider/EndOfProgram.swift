import Glibc

/// Waits for what ends the program: SIGTERM, SIGINT, the end of standard input, or time.
struct EndOfProgram {
    private var otherSignals = sigset_t()

    /// To be made before other threads are, so that the signals reach the thread that waits.
    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT] {
            sigaddset(&signals, number)
            // Only so that the signal interrupts the wait instead of ending the program half way.
            signal(number) { _ in }
        }
        pthread_sigmask(SIG_BLOCK, &signals, &otherSignals)
        sigdelset(&otherSignals, SIGTERM)
        sigdelset(&otherSignals, SIGINT)
    }

    func wait(seconds: Int, orEndOfInput: Bool) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let left = deadline - .now
            guard left > .zero else { return }
            var time = timespec(tv_sec: Int(left.components.seconds), tv_nsec: Int(left.components.attoseconds / 1_000_000_000))
            var input = fd_set()
            // The bit of descriptor 0; the C macros do not reach Swift.
            if orEndOfInput { input.__fds_bits.0 = 1 }
            // The signals get through only while it waits, so none is missed before.
            var signals = otherSignals
            let ready = pselect(1, &input, nil, nil, &time, &signals)
            guard ready > 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 4096)
            guard read(STDIN_FILENO, &buffer, buffer.count) > 0 else { return }
        }
    }
}
