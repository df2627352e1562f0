import StrictJSON

/// The arguments of a call that are repeated in its header, found in one pass.
struct ToolArguments {
    private(set) var fields: [(name: String, value: String)] = []
    private var scanner: JSONScanner

    init(_ scanner: JSONScanner, _ root: ToolSchema.Node) throws(ToolHeaderError) {
        self.scanner = scanner
        do throws(Failure) { try read(root) } catch {
            switch error {
            case .argument(let error): throw error
            // The line was read before.
            case .json(let error): throw ToolHeaderError(message: "the arguments are \(error)")
            }
        }
    }

    private enum Failure: Error {
        case json(JSONParseError)
        case argument(ToolHeaderError)
    }

    private mutating func read(_ node: ToolSchema.Node) throws(Failure) {
        guard scanner.next < scanner.count, scanner.bytes[scanner.next] == UInt8(ascii: "{") else {
            _ = try scan { (scanner) throws(JSONParseError) in try scanner.value() }
            return
        }
        var seen: Set<Int> = []
        var more = try scan { (scanner) throws(JSONParseError) in try scanner.openObject() }
        while more {
            let name = try scan { (scanner) throws(JSONParseError) in try scanner.name() }
            if let index = node.children.firstIndex(where: { scanner.text(name, is: $0.name) }) {
                let child = node.children[index].node
                guard seen.insert(index).inserted else { throw refusal(child, "appears twice") }
                if let field = child.field { try readValue(child, into: field) } else { try read(child) }
            } else {
                _ = try scan { (scanner) throws(JSONParseError) in try scanner.value() }
            }
            more = try scan { (scanner) throws(JSONParseError) in try scanner.nextMember() }
        }
    }

    private mutating func scan<Value>(_ body: (inout JSONScanner) throws(JSONParseError) -> Value) throws(Failure) -> Value {
        do throws(JSONParseError) { return try body(&scanner) } catch { throw .json(error) }
    }

    private mutating func readValue(_ node: ToolSchema.Node, into field: String) throws(Failure) {
        let start = scanner.next
        let range = try scan { (scanner) throws(JSONParseError) in try scanner.value() }
        switch scanner.bytes[start] {
        case UInt8(ascii: "n"): break
        case UInt8(ascii: "t"): fields.append((field, "true"))
        case UInt8(ascii: "f"): fields.append((field, "false"))
        case UInt8(ascii: "\""):
            scanner.next = start
            let text = try scan { (scanner) throws(JSONParseError) in try scanner.string() }
            guard let value = scanner.string(text, upTo: ToolHeaders.longestValue) else {
                let limit = ToolHeaders.longestValue
                throw refusal(node, "must be Unicode text of at most \(limit) bytes to be sent in the header field \(field)")
            }
            fields.append((field, HeaderText.encoded(value)))
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            throw refusal(node, "must be a string, an integer or a boolean to be sent in the header field \(field)")
        default:
            guard let value = NumberText(scanner.bytes[range]).safeInteger else {
                throw refusal(node, "must be an integer within ±(2^53−1) to be sent in the header field \(field)")
            }
            fields.append((field, String(value)))
        }
    }

    private func refusal(_ node: ToolSchema.Node, _ reason: String) -> Failure {
        .argument(ToolHeaderError(message: "the argument \(node.path) \(reason)"))
    }
}
