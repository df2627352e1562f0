import Glibc
import PosternClient
import Synchronization

/// Ctrl-C and similar signals, in a form that can be waited for: the command ends what it began before it exits.
///
/// A thread receives the signals, which are blocked everywhere else, and writes a byte to a pipe for each.
final class Interrupts: Sendable {
    /// Readable while an interrupt has not been taken.
    let descriptor: Int32
    /// Whether keys such as Ctrl-C are meant for another program, which has the terminal.
    private let areKeysOfAnother = Flag()

    private final class Flag: Sendable { let value = Atomic(false) }

    /// Including Ctrl-\\: it would leave a terminal that hides what is typed in that state.
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Call it before any thread is started: threads inherit the mask.
    init() throws {
        let pipe = try PipeEnds(blocking: false)
        descriptor = pipe.readEnd
        let writeEnd = pipe.writeEnd
        var set = Self.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let isStarted = DedicatedThread.start { [areKeysOfAnother] in
            var set = Self.set
            var signal: Int32 = 0
            // If nobody takes the interrupts, or handling them takes too long, the third one ends the process.
            var count = 0
            while sigwait(&set, &signal) == 0 {
                if areKeysOfAnother.value.load(ordering: .relaxed), signal == SIGINT || signal == SIGQUIT { continue }
                count += 1
                if count > 2 { _exit(CommandStatus.declined.rawValue) }
                var byte = UInt8(truncatingIfNeeded: signal)
                _ = write(writeEnd, &byte, 1)
            }
        }
        guard isStarted else { throw CommandFailure("no thread could be started") }
    }

    /// Passes over Ctrl-C and Ctrl-\\ while another program has the terminal.
    func leavingKeys<Result>(toAnother body: () throws -> Result) rethrows -> Result {
        areKeysOfAnother.value.store(true, ordering: .relaxed)
        defer { areKeysOfAnother.value.store(false, ordering: .relaxed) }
        return try body()
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
