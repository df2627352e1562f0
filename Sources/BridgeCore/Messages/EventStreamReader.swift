import PosternValues

/// An event of a server (WHATWG HTML, section 9.2).
public struct ServerEvent: Sendable, Hashable {
    /// `message` if the server gave none. Longer than 256 bytes, it is cut.
    public var type: String
    /// Without the last line end. Not checked to be UTF-8.
    public var data: [UInt8]

    public init(type: String = "message", data: [UInt8]) {
        self.type = type
        self.data = data
    }
}

/// Reads `text/event-stream` from pieces that are cut anywhere.
///
/// An event that its stream's end cuts off is dropped, as WHATWG says: there is nothing to call at the end. Comments give nothing; whoever
/// watches for silence sees their bytes. No line is kept: what belongs to a field goes where the event collects it.
public struct EventStreamReader: Sendable {
    public enum Item: Sendable, Hashable {
        case event(ServerEvent)
        /// An event longer than the limit. It was skipped to its end; ``EventStreamReader/lastEventID`` is set as by any other.
        case tooLong
    }

    /// `id` of the last event that was complete, as WHATWG counts it; empty if there was none, or it said so.
    public private(set) var lastEventID = ""
    /// The last `retry`, in milliseconds.
    public private(set) var retry: Int64?

    private let limit: Int

    private enum Field { case data, event, id, retry, ignored }

    private enum State {
        /// So many bytes of a byte order mark were there.
        case start(Int)
        case name
        case afterColon(Field)
        case value(Field)
    }
    private var state = State.start(0)
    /// The last byte was a CR; an LF belongs to it.
    private var isAfterCR = false

    /// Of the line's field; one byte more than any that counts.
    private var name: [UInt8] = []
    private var newID: [UInt8] = []
    private var newRetry: Int64?
    private var isRetryValid = false

    // Of the event.
    private var data: [UInt8]?
    private var type: [UInt8] = []
    private var id: [UInt8] = []
    private var isTooLong = false

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let longestName = 5
    private static let longestType = 256
    /// A longer one is not kept: nothing can be resumed from it then, and not from the one before either.
    private static let longestID = 4096

    public init(limit: Int = LineReader.defaultLimit) { self.limit = limit }

    /// What `Last-Event-ID` can carry; nil if there is nothing to resume from.
    public var resumptionID: String? {
        let id = lastEventID.utf8
        guard let first = id.first, let last = id.last, first != 0x20, last != 0x20 else { return nil }
        return id.allSatisfy { 0x20...0x7E ~= $0 } ? lastEventID : nil
    }

    public mutating func receive(_ bytes: [UInt8]) -> [Item] { bytes.withUnsafeBytes { receive($0) } }

    public mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Item] {
        var items: [Item] = []
        var next = 0
        while next < bytes.count {
            if isAfterCR {
                isAfterCR = false
                if bytes[next] == 0x0A {
                    next += 1
                    continue
                }
            }
            switch state {
            case .start(let matched): start(matched, bytes, &next)
            case .name: readName(bytes, &next, &items)
            case .afterColon(let field):
                if bytes[next] == 0x20 { next += 1 }
                state = .value(field)
            case .value(let field):
                let end = ByteSearch.lineEnd(in: bytes, from: next)
                if end > next { add(UnsafeRawBufferPointer(rebasing: bytes[next..<end]), to: field) }
                next = end
                if end < bytes.count {
                    finish(field)
                    endLine(bytes, &next)
                }
            }
        }
        return items
    }

    private mutating func start(_ matched: Int, _ bytes: UnsafeRawBufferPointer, _ next: inout Int) {
        guard bytes[next] == Self.mark[matched] else {
            // No byte order mark after all: what was there is the beginning of a name.
            name = Array(Self.mark[..<matched])
            state = .name
            return
        }
        next += 1
        state = matched + 1 == Self.mark.count ? .name : .start(matched + 1)
    }

    private mutating func readName(_ bytes: UnsafeRawBufferPointer, _ next: inout Int, _ items: inout [Item]) {
        switch bytes[next] {
        case 0x0A, 0x0D:
            if name.isEmpty {
                dispatch(into: &items)
            } else {
                // Without a colon, the value is empty.
                let field = begin()
                finish(field)
            }
            endLine(bytes, &next)
        case UInt8(ascii: ":"):
            next += 1
            state = .afterColon(begin())
        default:
            if name.count <= Self.longestName { name.append(bytes[next]) }
            next += 1
        }
    }

    /// `next` is at the line's end.
    private mutating func endLine(_ bytes: UnsafeRawBufferPointer, _ next: inout Int) {
        isAfterCR = bytes[next] == 0x0D
        next += 1
        name.removeAll(keepingCapacity: true)
        state = .name
    }

    // MARK: - Fields

    private mutating func begin() -> Field {
        if name.elementsEqual("data".utf8) {
            if data == nil { data = [] } else { add([0x0A]) }
            return .data
        }
        if name.elementsEqual("event".utf8) {
            type = []
            return .event
        }
        if name.elementsEqual("id".utf8) {
            newID = []
            return .id
        }
        if name.elementsEqual("retry".utf8) {
            newRetry = nil
            isRetryValid = true
            return .retry
        }
        return .ignored
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer, to field: Field) {
        switch field {
        case .data: add(bytes)
        case .event: type.append(contentsOf: bytes.prefix(Self.longestType - type.count))
        case .id: newID.append(contentsOf: bytes.prefix(Self.longestID + 1 - newID.count))
        case .retry: for byte in bytes { addRetry(byte) }
        case .ignored: break
        }
    }

    private mutating func add(_ bytes: some Collection<UInt8>) {
        guard !isTooLong else { return }
        guard bytes.count <= limit - (data?.count ?? 0) else {
            isTooLong = true
            data = []
            return
        }
        data?.append(contentsOf: bytes)
    }

    private mutating func addRetry(_ byte: UInt8) {
        guard byte.isDecimalDigit else { return isRetryValid = false }
        let (shifted, overflow) = (newRetry ?? 0).multipliedReportingOverflow(by: 10)
        let (sum, carry) = shifted.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
        newRetry = overflow || carry ? .max : sum
    }

    /// The line of a field is complete.
    private mutating func finish(_ field: Field) {
        switch field {
        case .id where newID.count > Self.longestID: id = []
        case .id where !newID.contains(0): id = newID
        case .retry where isRetryValid: retry = newRetry ?? retry
        default: break
        }
    }

    /// A blank line.
    private mutating func dispatch(into items: inout [Item]) {
        if !id.elementsEqual(lastEventID.utf8) { lastEventID = String(decoding: id, as: UTF8.self) }
        if isTooLong {
            items.append(.tooLong)
        } else if let data {
            let type = type.isEmpty ? "message" : String(decoding: type, as: UTF8.self)
            items.append(.event(ServerEvent(type: type, data: data)))
        }
        data = nil
        type = []
        isTooLong = false
    }
}
