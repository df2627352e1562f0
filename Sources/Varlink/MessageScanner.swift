/// Finds the end of the next message in bytes that arrive in pieces. Every byte is looked at once.
///
/// A NUL ends a message. For a person at a shell a line feed does too, where what stands before it is a whole object, or
/// cannot become one; else it is white space. Once a NUL has come on a connection, line feeds are white space for good.
public struct MessageScanner: Sendable {
    public enum Terminator: UInt8, Sendable {
        case nul = 0
        case lineFeed = 0x0A
    }

    public struct Message: Sendable, Equatable {
        /// Bytes of the message, without its end.
        public var length: Int
        /// Bytes to drop from the buffer.
        public var consumed: Int
        public var terminator: Terminator
    }

    public private(set) var hasSeenNUL = false
    /// Bytes of the buffer that were looked at.
    private var scanned = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// A value has begun; nil in white space before it.
    private var beganAsObject: Bool?

    public init() {}

    /// - Parameter buffer: all bytes that were not consumed; those that were there before are the same as before.
    /// - Returns: nil where the end of the message has not come.
    public mutating func next(in buffer: UnsafeRawBufferPointer) -> Message? {
        while scanned < buffer.count {
            let byte = buffer[scanned]
            scanned += 1
            if byte == 0 {
                hasSeenNUL = true
                return found(length: scanned - 1, .nul)
            }
            guard !hasSeenNUL else { continue }
            if byte == 0x0A, isLineComplete {
                // `}` LF NUL is one message, ended by its NUL.
                if scanned < buffer.count, buffer[scanned] == 0 { continue }
                return found(length: scanned - 1, .lineFeed)
            }
            advance(over: byte)
        }
        return nil
    }

    private var isLineComplete: Bool {
        switch beganAsObject {
        case nil: false
        case true?: depth == 0
        case false?: true
        }
    }

    private mutating func advance(over byte: UInt8) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case 0x20, 0x09, 0x0D, 0x0A: return
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        if beganAsObject == nil { beganAsObject = byte == UInt8(ascii: "{") }
    }

    private mutating func found(length: Int, _ terminator: Terminator) -> Message {
        let message = Message(length: length, consumed: scanned, terminator: terminator)
        self = MessageScanner(hasSeenNUL: hasSeenNUL)
        return message
    }

    private init(hasSeenNUL: Bool) { self.hasSeenNUL = hasSeenNUL }
}
