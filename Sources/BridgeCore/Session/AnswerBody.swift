/// What is read of an answer.
struct AnswerBody: Sendable {
    private enum Form { case text, events }

    private var form = Form.text
    private(set) var text: [UInt8] = []
    private(set) var reader = EventStreamReader()
    private var limit = 0
    /// Of an event that is not complete.
    private var unread = 0
    private(set) var isTooLong = false
    /// Whether it is of a type that may have the answer; else it is only read to its end.
    private(set) var hasMessages = false

    init() {}

    /// The whole of it.
    init(of answer: BridgeAnswer, limits: SessionLimits) {
        limit = limits.drained
        switch (answer.status, answer.mediaType) {
        case (202, _), (204, _): break
        case (200..<300, "text/event-stream"):
            (form, limit, hasMessages) = (.events, limits.message, true)
            reader = EventStreamReader(limit: limit)
        case (200..<300, "application/json"): (limit, hasMessages) = (limits.message, true)
        case (200..<300, _): break
        default: limit = limits.errorBody
        }
    }

    /// Nothing of it.
    init(draining limits: SessionLimits) { limit = limits.drained }

    var isEvents: Bool { form == .events }
    var size: Int { text.count + unread }

    /// What a refusal says as an error of JSON-RPC.
    var error: (message: CompactedMessage, response: MCPMessage)? {
        guard let message = try? CompactedMessage(text), !message.batch.isArray, let response = message.batch.messages.first,
            response.hasError
        else { return nil }
        return (message, response)
    }

    mutating func receive(_ bytes: [UInt8]) -> [EventStreamReader.Item] {
        switch form {
        case .text:
            isTooLong = isTooLong || bytes.count > limit - text.count
            if isTooLong { text = [] } else { text += bytes }
            return []
        case .events:
            let items = reader.receive(bytes)
            unread = items.isEmpty ? min(unread + bytes.count, limit) : bytes.count
            return items
        }
    }
}

extension BridgeAnswer {
    /// Lower case, without parameters; empty if there is none, or more than one.
    var mediaType: String {
        let values = values(of: "Content-Type")
        guard values.count == 1, let value = values.first else { return "" }
        let type = Array(value.utf8).prefix { $0 != UInt8(ascii: ";") }
        return String(decoding: type.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
    }

    /// `Mcp-Session-Id`, printable ASCII without blanks.
    var sessionID: SessionIDField {
        let values = values(of: "Mcp-Session-Id")
        guard let value = values.first else { return .none }
        guard values.count == 1, !value.isEmpty, value.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return .invalid }
        return .id(value)
    }

    enum SessionIDField: Sendable, Hashable { case none, id(String), invalid }

    /// `Retry-After` in seconds; nil also for a date.
    var retryAfter: Int64? {
        guard let value = values(of: "Retry-After").first, value.utf8.count <= 6 else { return nil }
        return Int64(value).flatMap { $0 >= 0 ? $0 : nil }
    }
}
