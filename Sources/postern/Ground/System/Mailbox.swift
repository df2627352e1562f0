import Glibc
import Synchronization

/// Messages from other threads to a thread that waits in `poll`.
final class Mailbox<Message: Sendable>: Sendable {
    /// Readable while there may be messages.
    let descriptor: Int32
    private let writeEnd: Int32
    private let messages = Mutex<[Message]>([])

    init() throws {
        let pipe = try PipeEnds(blocking: false)
        (descriptor, writeEnd) = (pipe.readEnd, pipe.writeEnd)
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    func put(_ message: Message) {
        messages.withLock { $0.append(message) }
        // A full pipe is readable anyway.
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    func takeAll() -> [Message] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// A pipe whose ends no child inherits unless it is given one. (Glibc's module does not have `pipe2`; between the two
/// calls no program is started here.)
struct PipeEnds {
    let readEnd: Int32
    let writeEnd: Int32

    init(blocking: Bool) throws(CommandFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CommandFailure("no pipe could be opened: \(String(cString: strerror(errno)))") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            if !blocking { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}
