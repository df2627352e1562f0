/// A server's message on one line, as a client over stdio must have it.
public struct CompactedMessage: Sendable {
    /// The text with a blank in the place of each line break between tokens; every other byte is as it was.
    public private(set) var line: [UInt8]
    public let batch: MCPBatch

    /// Reads the JSON text of an answer or an event. White space may be around it.
    public init(_ text: consuming [UInt8]) throws(MCPReadError) {
        line = text
        batch = try MCPBatch(reading: line)
        // A string of JSON has no bare line break, so each one stands between tokens.
        guard let first = batch.lineBreak else { return }
        for index in first..<line.count where line[index] == 0x0A || line[index] == 0x0D { line[index] = 0x20 }
    }

    /// The line with this `id` in its error, if that has none, or null; else the line as it is. An array is not changed.
    public func line(filling id: MessageID) -> [UInt8] {
        guard case .raw(let raw) = id, !batch.isArray, let message = batch.messages.first, message.hasError else { return line }
        switch message.id {
        case .raw: return line
        case .null:
            guard let place = message.idRange else { return line }
            return line[..<place.lowerBound] + raw + line[place.upperBound...]
        case .missing:
            // The error follows, so there is a member to put the comma before.
            let place = message.range.lowerBound + 1
            return line[..<place] + Array(#""id":"#.utf8) + raw + [UInt8(ascii: ",")] + line[place...]
        }
    }
}
