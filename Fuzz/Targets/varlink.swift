import Varlink

extension Fuzz {
    /// The framing, with the bytes whole and in pieces: both ways give the same messages, and every message ends or is refused.
    static func varlink(_ bytes: [UInt8]) {
        let whole = messages(bytes, step: max(bytes.count, 1))
        guard messages(bytes, step: 1).count == messages(bytes, step: 3).count else { fatalError("the pieces change the messages") }
        for message in whole {
            _ = try? VarlinkCall(parsing: message)
            _ = try? VarlinkReply(parsing: message.withUnsafeBytes { UnsafeRawBufferPointer($0) })
        }
        if let text = String(validating: bytes, as: UTF8.self) { _ = try? InterfaceDescription(parsing: text) }
    }
}

func messages(_ bytes: [UInt8], step: Int) -> [[UInt8]] {
    var scanner = MessageScanner(limit: 4096)
    var buffer: [UInt8] = []
    var found: [[UInt8]] = []
    var next = 0
    while next < bytes.count {
        buffer += bytes[next..<min(next + step, bytes.count)]
        next += step
        scan: while true {
            switch buffer.withUnsafeBytes({ scanner.next(in: $0) }) {
            case .message(let length, let consumed, _):
                found.append(Array(buffer[..<length]))
                buffer.removeFirst(consumed)
            case .whiteSpace(let consumed), .lateNUL(let consumed):
                guard consumed > 0 else { fatalError("nothing was consumed") }
                buffer.removeFirst(consumed)
            case .tooLong: return found
            case .needsMoreBytes: break scan
            }
        }
    }
    return found
}
