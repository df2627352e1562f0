import Glibc
import Synchronization

/// Messages from other threads to one that waits in `poll`.
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
