import Glibc

/// Finds the ends of messages in a stream of bytes that arrives in any pieces; reads each byte once.
///
/// A NUL ends a message, and once a client has sent one, nothing else does. Until then a newline ends what is a complete JSON object, or
/// can no longer become one; any other newline is white space, so that an indented message may arrive in pieces. A NUL that follows such a
/// newline after nothing but white space belongs to the message before it: the newline was white space after all, and the client waits for
/// a NUL.
package struct MessageScanner {
    package enum Event: Equatable {
        /// A message of `length` bytes; including its ending it has `consumed` bytes.
        case message(length: Int, consumed: Int, ending: MessageEnding)
        /// White space between messages, to be dropped.
        case whiteSpace(consumed: Int)
        /// This NUL ends the previous message, which was reported as ended by a newline.
        case lateNUL(consumed: Int)
        /// The message is longer than the limit, wherever it may end.
        case tooLong
        case needsMoreBytes
    }

    private enum Shape: Equatable {
        case beforeMessage
        case object(depth: Int)
        case string(depth: Int)
        case escape(depth: Int)
        /// The object is complete; only white space may follow.
        case complete
        /// Not the beginning of a JSON object, whatever follows.
        case hopeless
    }

    /// Bytes of one message, without its ending.
    package let limit: Int
    /// The client ends its messages with NUL: from now on a newline is always white space.
    package private(set) var expectsNUL = false
    private var shape = Shape.beforeMessage
    /// How many of the bytes after the last event have been read.
    private var position = 0
    private var followsNewline = false

    package init(limit: Int) { self.limit = limit }

    /// The next event in the bytes after those consumed so far. Every call must pass all of those that have arrived.
    package mutating func next(in bytes: UnsafeRawBufferPointer) -> Event {
        if !expectsNUL {
            guard canSkipScan(bytes) else { return scan(bytes) }
            expectsNUL = true
        }
        guard let end = bytes.firstIndex(of: 0, from: position) else {
            position = bytes.count
            return position > limit ? .tooLong : .needsMoreBytes
        }
        return message(length: end, consumed: end + 1, ending: .nul)
    }

    /// The case of most connections: the first message has arrived complete, ended by NUL, without a newline.
    private func canSkipScan(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard position == 0, bytes.first == UInt8(ascii: "{"), let end = bytes.firstIndex(of: 0, from: 0) else { return false }
        return UnsafeRawBufferPointer(rebasing: bytes[..<end]).firstIndex(of: UInt8(ascii: "\n"), from: 0) == nil
    }

    private mutating func message(length: Int, consumed: Int, ending: MessageEnding) -> Event {
        position = 0
        shape = .beforeMessage
        followsNewline = ending == .newline
        if ending == .nul { expectsNUL = true }
        return length > limit ? .tooLong : .message(length: length, consumed: consumed, ending: ending)
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Event {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0 { return nulFound() }
            switch shape {
            case .beforeMessage:
                if Self.isWhiteSpace(byte) { break }
                if position > 0 { return dropWhiteSpace() }
                followsNewline = false
                shape = byte == UInt8(ascii: "{") ? .object(depth: 1) : .hopeless
            case .object(let depth):
                switch byte {
                case UInt8(ascii: "\""): shape = .string(depth: depth)
                case UInt8(ascii: "{"): shape = .object(depth: depth + 1)
                case UInt8(ascii: "}"): shape = depth == 1 ? .complete : .object(depth: depth - 1)
                default: break
                }
            case .string(let depth):
                switch byte {
                case UInt8(ascii: "\""): shape = .object(depth: depth)
                case UInt8(ascii: "\\"): shape = .escape(depth: depth)
                // No JSON string contains a bare newline.
                case UInt8(ascii: "\n"): return newlineFound(in: bytes)
                default: break
                }
            case .escape(let depth):
                if byte == UInt8(ascii: "\n") { return newlineFound(in: bytes) }
                shape = .string(depth: depth)
            case .complete:
                if byte == UInt8(ascii: "\n") { return newlineFound(in: bytes) }
                if !Self.isWhiteSpace(byte) { shape = .hopeless }
            case .hopeless:
                if byte == UInt8(ascii: "\n") { return newlineFound(in: bytes) }
            }
            position += 1
            if shape != .beforeMessage, position > limit { return .tooLong }
        }
        if shape == .beforeMessage, position > 0 { return dropWhiteSpace() }
        return .needsMoreBytes
    }

    private mutating func dropWhiteSpace() -> Event {
        defer { position = 0 }
        return .whiteSpace(consumed: position)
    }

    private mutating func nulFound() -> Event {
        expectsNUL = true
        guard shape == .beforeMessage, followsNewline else {
            return message(length: position, consumed: position + 1, ending: .nul)
        }
        followsNewline = false
        defer { position = 0 }
        return .lateNUL(consumed: position + 1)
    }

    private mutating func newlineFound(in bytes: UnsafeRawBufferPointer) -> Event {
        var ahead = position + 1
        while ahead < bytes.count, Self.isWhiteSpace(bytes[ahead]) { ahead += 1 }
        if ahead < bytes.count, bytes[ahead] == 0 {
            return message(length: position, consumed: ahead + 1, ending: .nul)
        }
        return message(length: position, consumed: position + 1, ending: .newline)
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count else { return nil }
        guard let found = memchr(base + start, CInt(byte), count - start) else { return nil }
        return base.distance(to: UnsafeRawPointer(found))
    }
}

/// The byte that ends a message on the socket.
public enum MessageEnding: UInt8, Sendable {
    /// What programs send (varlink.org).
    case nul = 0x00
    /// What a user at a shell sends, through `socat` or `nc -U`.
    case newline = 0x0A
}
