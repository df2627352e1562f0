import StrictJSON

/// Reads messages in one pass. What is no JSON ends it; what is no message is kept in mind, because the `id` may still come.
///
/// A member that matters and appears twice is refused: some readers take the first and some the last, so that a header made from one would
/// speak of another message than the one that is carried out.
struct MessageReader {
    private(set) var scanner: JSONScanner
    /// The first reason why this is no message.
    private(set) var refusal: String?
    /// The `id` beside which the refusal stands.
    private(set) var refusedID: MessageID = .missing

    /// In bytes: what becomes a header.
    private static let longestText = 8192
    private static let longestMethod = 256

    init(_ line: UnsafeRawBufferPointer) { scanner = JSONScanner(line) }

    mutating func document() throws(JSONParseError) -> (isArray: Bool, [MCPMessage]) {
        scanner.skipWhiteSpace()
        guard scanner.next < scanner.count else { throw scanner.failure(.empty) }
        var messages: [MCPMessage] = []
        let isArray = try scanner.peek() == UInt8(ascii: "[")
        if isArray {
            var more = try scanner.openArray()
            if !more { refuse("an empty array") }
            while more {
                if messages.count < MCPBatch.mostMessages { messages.append(try message()) } else { try scanner.value() }
                more = try scanner.nextElement()
                if more, messages.count == MCPBatch.mostMessages { refuse("more than \(MCPBatch.mostMessages) messages in an array") }
            }
        } else {
            messages.append(try message())
        }
        scanner.skipWhiteSpace()
        guard scanner.next == scanner.count else { throw scanner.failure(.trailingBytes) }
        return (isArray, messages)
    }

    // MARK: - One message

    private struct Parts {
        var id: MessageID = .missing
        var hasMethod = false
        var hasResult = false
        var name: String?
        var uri: String?
        var taskID: String?
    }

    private mutating func message() throws(JSONParseError) -> MCPMessage {
        var message = MCPMessage()
        var parts = Parts()
        let start = scanner.next
        guard try isObject("a message") else {
            try scanner.value()
            return message
        }
        var seen = Seen()
        var more = try scanner.openObject()
        while more {
            let name = try scanner.name()
            switch first(of: Self.members, name, &seen) {
            case 0: parts.id = try id(into: &message)
            case 1: try method(into: &message, &parts)
            case 2: try params(into: &message, &parts)
            case 3: try result(into: &message, &parts)
            case 4: try error(into: &message)
            default: try scanner.value()
            }
            more = try scanner.nextMember()
        }
        message.range = start..<scanner.next
        // Of two, neither is the message's for sure.
        message.id = seen.isTwice(0) ? .missing : parts.id
        decide(&message, parts)
        return message
    }

    private mutating func decide(_ message: inout MCPMessage, _ parts: Parts) {
        if parts.hasMethod {
            if parts.hasResult || message.hasError { refuse("a request with a result") }
            message.kind = message.id == .missing ? .notification : .request
            if message.id == .null { refuse("the id of a request must not be null") }
            choose(&message, parts)
        } else {
            message.kind = .response
            if parts.hasResult, message.hasError { refuse("a result beside an error") }
            if !parts.hasResult, !message.hasError { refuse("neither a method nor a result nor an error") }
            if parts.hasResult, message.id == .missing || message.id == .null { refuse("a result without an id") }
        }
        if refusal != nil { refusedID = message.id }
    }

    /// Keeps what the method gives a meaning to.
    private func choose(_ message: inout MCPMessage, _ parts: Parts) {
        switch message.method {
        case "tools/call", "prompts/get": message.routedName = parts.name
        case "resources/read": message.routedName = parts.uri
        case "tasks/get", "tasks/update", "tasks/cancel": message.routedName = parts.taskID
        default: break
        }
        if message.method != "tools/call" { message.argumentsRange = nil }
        if message.method != "notifications/cancelled" { message.cancelledID = .missing }
    }

    // MARK: - Members

    private mutating func id(into message: inout MCPMessage) throws(JSONParseError) -> MessageID {
        let range = try scanner.value()
        message.idRange = range
        switch scanner.bytes[range.lowerBound] {
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard range.count <= MessageID.longest else {
                refuse("an id of more than \(MessageID.longest) bytes")
                return .missing
            }
            return .raw(Array(scanner.bytes[range]))
        default:
            refuse("an id must be a string or a number")
            return .missing
        }
    }

    private mutating func method(into message: inout MCPMessage, _ parts: inout Parts) throws(JSONParseError) {
        parts.hasMethod = true
        // It becomes a header as it is.
        guard let method = try text(upTo: Self.longestMethod), !method.isEmpty, method.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return refuse("a method must be a string of printable ASCII, of at most \(Self.longestMethod) characters") }
        message.method = method
    }

    private mutating func params(into message: inout MCPMessage, _ parts: inout Parts) throws(JSONParseError) {
        guard try scanner.peek() == UInt8(ascii: "{") else {
            try scanner.value()
            return
        }
        var seen = Seen()
        var more = try scanner.openObject()
        while more {
            let name = try scanner.name()
            switch first(of: Self.paramsMembers, name, &seen) {
            case 0: parts.name = try text(upTo: Self.longestText)
            case 1: parts.uri = try text(upTo: Self.longestText)
            case 2: parts.taskID = try text(upTo: Self.longestText)
            case 3: message.cancelledID = try token()
            case 4: try meta(into: &message)
            case 5: message.hasCursor = scanner.bytes[try scanner.value().lowerBound] != UInt8(ascii: "n")
            case 6: message.argumentsRange = try scanner.value()
            default: try scanner.value()
            }
            more = try scanner.nextMember()
        }
    }

    private mutating func meta(into message: inout MCPMessage) throws(JSONParseError) {
        guard try scanner.peek() == UInt8(ascii: "{") else {
            try scanner.value()
            return
        }
        var seen = Seen()
        var more = try scanner.openObject()
        while more {
            let name = try scanner.name()
            switch first(of: Self.metaMembers, name, &seen) {
            case 0: message.metaVersion = try version()
            default: try scanner.value()
            }
            more = try scanner.nextMember()
        }
    }

    private mutating func result(into message: inout MCPMessage, _ parts: inout Parts) throws(JSONParseError) {
        let start = scanner.next
        guard try scanner.peek() == UInt8(ascii: "{") else {
            // Null beside an error is JSON-RPC 1.0's way to say that there is none.
            let range = try scanner.value()
            if scanner.bytes[range.lowerBound] != UInt8(ascii: "n") { refuse("a result must be an object") }
            return
        }
        parts.hasResult = true
        var seen = Seen()
        var more = try scanner.openObject()
        while more {
            let name = try scanner.name()
            switch first(of: Self.resultMembers, name, &seen) {
            case 0: message.resultVersion = try version()
            default: try scanner.value()
            }
            more = try scanner.nextMember()
        }
        message.resultRange = start..<scanner.next
    }

    private mutating func error(into message: inout MCPMessage) throws(JSONParseError) {
        if try scanner.peek() == UInt8(ascii: "n") {
            try scanner.value()
            return
        }
        message.hasError = true
        guard try isObject("an error") else {
            try scanner.value()
            return
        }
        var seen = Seen()
        var hasMessage = false
        var more = try scanner.openObject()
        while more {
            let name = try scanner.name()
            switch first(of: Self.errorMembers, name, &seen) {
            case 0:
                let range = try scanner.value()
                if scanner.bytes[range.lowerBound] &- UInt8(ascii: "0") < 10 || scanner.bytes[range.lowerBound] == UInt8(ascii: "-") {
                    message.errorCode = NumberText(scanner.bytes[range]).safeInteger
                }
            case 1: hasMessage = scanner.bytes[try scanner.value().lowerBound] == UInt8(ascii: "\"")
            default: try scanner.value()
            }
            more = try scanner.nextMember()
        }
        // A client that cannot read the error would wait for another answer.
        if message.errorCode == nil || !hasMessage { refuse("an error must have a code and a message") }
    }

    // MARK: - Values

    /// The string that follows; nil for anything else, and for one that is too long or has no UTF-8.
    private mutating func text(upTo limit: Int) throws(JSONParseError) -> String? {
        guard try scanner.peek() == UInt8(ascii: "\"") else {
            try scanner.value()
            return nil
        }
        let text = try scanner.string()
        return scanner.string(text, upTo: limit)
    }

    /// A revision of the protocol, which becomes a header as it is.
    private mutating func version() throws(JSONParseError) -> String? {
        guard let version = try text(upTo: 64), !version.isEmpty, version.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        return version
    }

    private mutating func token() throws(JSONParseError) -> MessageID {
        let range = try scanner.value()
        switch scanner.bytes[range.lowerBound] {
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return range.count <= MessageID.longest ? .raw(Array(scanner.bytes[range])) : .missing
        default: return .missing
        }
    }

    private mutating func isObject(_ what: String) throws(JSONParseError) -> Bool {
        if try scanner.peek() == UInt8(ascii: "{") { return true }
        refuse("\(what) must be an object")
        return false
    }

    private mutating func refuse(_ reason: @autoclosure () -> String) { if refusal == nil { refusal = reason() } }

    // MARK: - Names

    // The last ones of some lists are not read here, but matter to a client or a server.

    private static let members: [StaticString] = ["id", "method", "params", "result", "error"]
    private static let paramsMembers: [StaticString] = [
        "name", "uri", "taskId", "requestId", "_meta", "cursor", "arguments", "protocolVersion", "progressToken",
    ]
    private static let metaMembers: [StaticString] = ["io.modelcontextprotocol/protocolVersion", "progressToken"]
    private static let resultMembers: [StaticString] = ["protocolVersion", "resultType"]
    private static let errorMembers: [StaticString] = ["code", "message"]

    /// Which names of a list an object has had.
    private struct Seen {
        private var once: UInt16 = 0
        private var twice: UInt16 = 0

        mutating func see(_ index: Int) {
            twice |= once & 1 << UInt16(index)
            once |= 1 << UInt16(index)
        }

        func isTwice(_ index: Int) -> Bool { twice & 1 << UInt16(index) != 0 }
    }

    /// Which of the names it is.
    private mutating func first(of names: [StaticString], _ name: JSONScanner.Text, _ seen: inout Seen) -> Int? {
        for index in names.indices where scanner.text(name, is: names[index]) {
            seen.see(index)
            if seen.isTwice(index) { refuse("\(names[index]) appears twice") }
            return index
        }
        return nil
    }
}
