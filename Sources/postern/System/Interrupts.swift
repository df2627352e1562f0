import Glibc
import PosternClient

/// Ctrl-C and similar signals, in a form that can be waited for: the command ends what it began before it exits.
///
/// A thread receives the signals, which are blocked everywhere else, and writes a byte to a pipe for each.
final class Interrupts: Sendable {
    /// Readable while an interrupt has not been taken.
    let descriptor: Int32

    /// Including Ctrl-\\: it would leave a terminal that hides what is typed in that state.
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Call it before any thread is started: threads inherit the mask.
    init() throws {
        let pipe = try PipeEnds(blocking: false)
        descriptor = pipe.readEnd
        let writeEnd = pipe.writeEnd
        var set = Self.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let isStarted = DedicatedThread.start {
            var set = Self.set
            var signal: Int32 = 0
            // If nobody takes the interrupts, or handling them takes too long, the third one ends the process.
            var count = 0
            while sigwait(&set, &signal) == 0 {
                count += 1
                if count > 2 { _exit(CommandStatus.declined.rawValue) }
                var byte = UInt8(truncatingIfNeeded: signal)
                _ = write(writeEnd, &byte, 1)
            }
        }
        guard isStarted else { throw CommandFailure("no thread could be started") }
    }

    /// True once for each interrupt.
    func take() -> Bool {
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) == 1
    }

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
