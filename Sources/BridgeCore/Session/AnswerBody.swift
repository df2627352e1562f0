/// What is read of an answer.
struct AnswerBody: Sendable {
    private enum Form { case nothing, text(limit: Int), events }

    private var form = Form.nothing
    private(set) var text: [UInt8] = []
    private(set) var reader = EventStreamReader()
    /// Of an event that is not complete.
    private var unread = 0
    private(set) var isTooLong = false

    init() {}

    init(of answer: BridgeAnswer) {
        switch answer.status {
        case 202, 204: form = .nothing
        case 200..<300:
            switch answer.mediaType {
            case "text/event-stream": form = .events
            case "application/json": form = .text(limit: StreamableSession.Limit.message)
            default: form = .nothing
            }
        default: form = .text(limit: StreamableSession.Limit.errorBody)
        }
    }

    static var drained: AnswerBody {
        var body = AnswerBody()
        body.form = .text(limit: StreamableSession.Limit.drained)
        return body
    }

    var isEvents: Bool { if case .events = form { true } else { false } }
    var size: Int { text.count + unread }

    mutating func receive(_ bytes: [UInt8]) -> [EventStreamReader.Item] {
        switch form {
        case .nothing: return []
        case .text(let limit):
            if bytes.count > limit - text.count {
                isTooLong = true
                text = []
                form = .nothing
            } else {
                text += bytes
            }
            return []
        case .events:
            let items = reader.receive(bytes)
            unread = items.isEmpty ? min(unread + bytes.count, StreamableSession.Limit.message) : bytes.count
            return items
        }
    }
}

extension BridgeAnswer {
    /// Lower case, without parameters; empty if there is none, or more than one.
    var mediaType: String {
        let values = values(of: "Content-Type")
        guard values.count == 1, let value = values.first else { return "" }
        let type = value.utf8.prefix { $0 != UInt8(ascii: ";") }
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
