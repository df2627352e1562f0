import Glibc
import PosternClient

/// Ctrl-C and the like, as something to wait for: the command ends what it began before it goes.
///
/// A thread takes the signals, since they are blocked everywhere else, and writes a byte into a pipe for each.
final class Interrupts: Sendable {
    /// Readable for as long as an interrupt has not been taken.
    let descriptor: Int32

    /// Ctrl-\\ among them: it would leave a terminal that hides what is typed as it is.
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// To be called before any thread is started: threads inherit what is blocked.
    init() throws {
        let pipe = try PipeEnds(blocking: false)
        descriptor = pipe.readEnd
        let writeEnd = pipe.writeEnd
        var set = Self.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let isStarted = DedicatedThread.start {
            var set = Self.set
            var signal: Int32 = 0
            // The second one finds nobody who takes the first, or somebody who takes too long about it: then it is time to go.
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
