/// An event of a server (WHATWG HTML, section 9.2).
public struct ServerEvent: Sendable, Hashable {
    /// `message` if the server gave none. Longer than 256 bytes, it is cut.
    public var type: String
    /// Without the last line end. Not checked to be UTF-8.
    public var data: [UInt8]
    /// Of this event or the last one that had an `id`; empty if there was none.
    public var lastEventID: String
}

/// Reads `text/event-stream` from pieces that are cut anywhere.
///
/// An event that its stream's end cuts off is dropped, as WHATWG says: there is nothing to call at the end. Comments give nothing; whoever
/// watches for silence sees their bytes.
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

    public init(limit: Int = LineReader.defaultLimit) {}

    /// What `Last-Event-ID` can carry; nil if there is nothing to resume from.
    public var resumptionID: String? { nil }

    public mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Item] { [] }

    public mutating func receive(_ bytes: [UInt8]) -> [Item] { bytes.withUnsafeBytes { receive($0) } }
}
