import NIOCore

/// Finds the parts and the end of one request's body (RFC 9112 sections 6 and 7.1), and accepts nothing that others might read differently.
///
/// The bytes come in pieces of any size. What is left in the buffer after the end belongs to the next request.
struct RequestBodyReader {
    enum Step: Equatable {
        case part(ByteBuffer)
        case needsMore
        case end
    }

    private enum State {
        case fixed(remaining: Int)
        case chunkLine(Line)
        case chunk(remaining: Int)
        case chunkEnd(Line)
        case trailer(Line)
        case ended
    }

    /// A line that has not ended yet.
    private struct Line {
        var bytes: [UInt8] = []
        var lastWasCarriageReturn = false
    }

    /// A size, and extensions that nobody needs.
    private static let chunkLineBytes = 1024

    private let trailerBytes: Int
    private var trailerBytesSeen = 0
    private var trailerFields: HeaderFieldRules = HeaderFieldRules()
    private let maximumBytes: Int
    private var received = 0
    private var state: State

    /// - Parameter limits: of the body, and, for the trailer, of header lines.
    init(_ body: RequestHead.Body, limits: HTTPLimits) {
        trailerBytes = limits.headerBytes
        maximumBytes = limits.bodyBytes
        state =
            switch body {
            case .none: .ended
            case .length(let length): length > 0 ? .fixed(remaining: length) : .ended
            case .chunked: .chunkLine(Line())
            }
    }

    /// To be called until it needs more or is at the end.
    mutating func next(from bytes: inout ByteBuffer) throws(RequestFault) -> Step {
        while true {
            switch state {
            case .ended: return .end
            case .fixed(let remaining):
                guard let part = bytes.readSlice(length: min(remaining, bytes.readableBytes)), part.readableBytes > 0 else {
                    return .needsMore
                }
                let left = remaining - part.readableBytes
                state = left > 0 ? .fixed(remaining: left) : .ended
                return .part(part)
            case .chunk(let remaining):
                guard let part = bytes.readSlice(length: min(remaining, bytes.readableBytes)), part.readableBytes > 0 else {
                    return .needsMore
                }
                let left = remaining - part.readableBytes
                state = left > 0 ? .chunk(remaining: left) : .chunkEnd(Line())
                return .part(part)
            case .chunkLine(var line):
                guard try read(&line, limit: Self.chunkLineBytes, from: &bytes) else {
                    state = .chunkLine(line)
                    return .needsMore
                }
                let size = try Self.size(line.bytes)
                // Both are far from overflowing: a size has at most 15 digits.
                guard size <= maximumBytes - received else { throw .bodyTooLarge }
                received += size
                state = size > 0 ? .chunk(remaining: size) : .trailer(Line())
            case .chunkEnd(var line):
                guard try read(&line, limit: 0, from: &bytes) else {
                    state = .chunkEnd(line)
                    return .needsMore
                }
                state = .chunkLine(Line())
            case .trailer(var line):
                guard try read(&line, limit: trailerBytes, from: &bytes) else {
                    state = .trailer(line)
                    return .needsMore
                }
                guard !line.bytes.isEmpty else {
                    state = .ended
                    continue
                }
                trailerBytesSeen += line.bytes.count
                guard trailerBytesSeen <= trailerBytes else { throw .headersTooLarge }
                // Only checked: nobody passes a trailer on, since its fields may mean what only a head's may.
                try trailerFields.add(line.bytes)
                state = .trailer(Line())
            }
        }
    }

    /// - Returns: whether the line is complete.
    private func read(_ line: inout Line, limit: Int, from bytes: inout ByteBuffer) throws(RequestFault) -> Bool {
        while let byte = bytes.readInteger(as: UInt8.self) {
            if line.lastWasCarriageReturn {
                guard byte == UInt8(ascii: "\n") else { throw .malformed("a carriage return stands without a line feed") }
                return true
            }
            switch byte {
            case UInt8(ascii: "\r"): line.lastWasCarriageReturn = true
            case UInt8(ascii: "\n"): throw .malformed("a line feed stands without a carriage return")
            case UInt8(ascii: "\t"), 0x20...0x7e, 0x80...:
                guard line.bytes.count < limit else {
                    throw .malformed("a chunk is longer than its size, or a line among the chunks too long")
                }
                line.bytes.append(byte)
            default: throw .malformed("a line among the chunks holds a control character")
            }
        }
        return false
    }

    /// Hexadecimal digits, and after a semicolon extensions, which are ignored (RFC 9112 section 7.1.1).
    private static func size(_ line: [UInt8]) throws(RequestFault) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        // No blank before the semicolon either, though old servers took one: what others read there is unknown.
        guard !digits.isEmpty, digits.count <= 15, digits.allSatisfy(\.isHexadecimalDigit),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .malformed("a chunk's size is not a hexadecimal number") }
        return size
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }
}
