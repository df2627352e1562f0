/// The lines of standard input: one message each, ended by LF or CRLF.
public struct LineReader: Sendable {
    public enum Line: Sendable, Hashable {
        /// Without its line end; never empty.
        case line([UInt8])
        /// A line that was longer than the limit. It was skipped to its end.
        case tooLong
    }

    /// The longest message that the bridge carries, on every side.
    public static let defaultLimit = 16 << 20

    private let limit: Int
    /// The beginning of a line whose end has not come.
    private var beginning: [UInt8] = []
    private var isSkipping = false

    public init(limit: Int = LineReader.defaultLimit) { self.limit = limit }

    /// The lines that end within these bytes.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Line] {
        var lines: [Line] = []
        var start = 0
        while let end = ByteSearch.lineFeed(in: bytes, from: start) {
            if let line = take(bytes[start..<end]) { lines.append(line) }
            start = end + 1
        }
        keep(bytes[start...])
        return lines
    }

    public mutating func receive(_ bytes: [UInt8]) -> [Line] { bytes.withUnsafeBytes { receive($0) } }

    /// What stands behind the last line end when the client has closed its side.
    public mutating func end() -> Line? { take(UnsafeRawBufferPointer(start: nil, count: 0)[...]) }

    private mutating func take(_ rest: Slice<UnsafeRawBufferPointer>) -> Line? {
        keep(rest)
        defer { isSkipping = false }
        if isSkipping { return .tooLong }
        if beginning.last == 0x0D { beginning.removeLast() }
        guard !beginning.isEmpty else { return nil }
        guard beginning.count <= limit else {
            beginning = []
            return .tooLong
        }
        let line = beginning
        beginning = []
        return .line(line)
    }

    private mutating func keep(_ rest: Slice<UnsafeRawBufferPointer>) {
        guard !isSkipping else { return }
        // One more, for the CR that may belong to the line end.
        guard rest.count <= limit + 1 - beginning.count else {
            isSkipping = true
            beginning = []
            return
        }
        beginning.append(contentsOf: rest)
    }
}
