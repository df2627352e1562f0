import PosternValues
import StrictJSON

/// A list of tools for the client.
public struct ToolListing: Sendable {
    /// The line without the tools that are invalid; every other byte is as it was.
    public var line: [UInt8]
    /// The tools that were cut out. For a person.
    public var leftOut: [(tool: String, reason: String)] = []
    /// Why tools of this answer are not known; their calls go without fields of their own.
    public var problem: String?
}

/// What an answer to `tools/list` says, with where its tools are.
struct ToolPage {
    struct Tool {
        var range: Range<Int>
        var name: String?
        var schema: Schema
    }

    enum Schema {
        case valid(ToolSchema)
        case invalid(String)
        /// Not read: its calls go without fields of their own.
        case unread(String)
    }

    private(set) var tools: [Tool] = []
    private(set) var hasNextPage = false
    /// What is kept of a tool is many times the size of `{}`, so a list of more is not read.
    private(set) var hasTooMany = false

    /// In bytes. Of a larger schema no tree is made.
    private static let largestSchema = 256 << 10
    private static let longestName = 1024
    static let mostTools = 4096

    /// - Parameter result: where the result is, an object.
    init(_ line: UnsafeRawBufferPointer, result: Range<Int>) throws(JSONParseError) {
        var scanner = JSONScanner(line, from: result.lowerBound)
        var hasTools = false
        var more = try scanner.openObject()
        while more {
            let name = try scanner.name()
            if scanner.text(name, is: "tools"), try scanner.peek() == UInt8(ascii: "[") {
                // Of two, the client would see one that was not read.
                guard !hasTools else { throw scanner.failure(.duplicateKey, at: name.range.lowerBound) }
                hasTools = true
                try readTools(&scanner)
            } else {
                let isCursor = scanner.text(name, is: "nextCursor")
                let value = try scanner.value()
                if isCursor { hasNextPage = line[value.lowerBound] == UInt8(ascii: "\"") }
            }
            more = try scanner.nextMember()
        }
    }

    private mutating func readTools(_ scanner: inout JSONScanner) throws(JSONParseError) {
        var more = try scanner.openArray()
        while more {
            if tools.count < Self.mostTools {
                tools.append(try Self.tool(&scanner))
            } else {
                hasTooMany = true
                try scanner.value()
            }
            more = try scanner.nextElement()
        }
    }

    private static func tool(_ scanner: inout JSONScanner) throws(JSONParseError) -> Tool {
        let start = scanner.next
        guard try scanner.peek() == UInt8(ascii: "{") else {
            return Tool(range: try scanner.value(), name: nil, schema: .unread("a tool is not an object"))
        }
        var tool = Tool(range: start..<start, name: nil, schema: .unread("a tool has no inputSchema"))
        var names = 0
        var schemas = 0
        var more = try scanner.openObject()
        while more {
            let name = try scanner.name()
            if scanner.text(name, is: "name") {
                names += 1
                if try scanner.peek() == UInt8(ascii: "\"") {
                    tool.name = scanner.string(try scanner.string(), upTo: longestName)
                } else {
                    try scanner.value()
                }
            } else if scanner.text(name, is: "inputSchema") {
                schemas += 1
                tool.schema = schema(UnsafeRawBufferPointer(rebasing: scanner.bytes[try scanner.value()]))
            } else {
                try scanner.value()
            }
            more = try scanner.nextMember()
        }
        if names > 1 || schemas > 1 { tool.schema = .invalid("it has two names or two schemas") }
        tool.range = start..<scanner.next
        return tool
    }

    private static func schema(_ text: UnsafeRawBufferPointer) -> Schema {
        guard mayBeAnnotated(text) else { return .valid(ToolSchema()) }
        guard text.count <= largestSchema else { return .unread("its schema is larger than \(largestSchema >> 10) KiB") }
        let tree: JSON
        do throws(JSONParseError) { tree = try JSON(parsing: text) } catch { return .unread("its schema is \(error)") }
        do throws(ToolSchema.Invalid) { return .valid(try ToolSchema(tree)) } catch { return .invalid(error.reason) }
    }

    /// Whether the text has the name of the annotation, or an escape that may hide it. Few schemas have, and no tree is made of the others.
    private static func mayBeAnnotated(_ text: UnsafeRawBufferPointer) -> Bool {
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "x"): if text[index...].starts(with: "x-mcp-header".utf8) { return true }
            case UInt8(ascii: "\\"): if text[index...].starts(with: "\\u00".utf8) { return true }
            default: break
            }
        }
        return false
    }

    /// The line without the invalid tools.
    func withoutInvalid(_ line: [UInt8]) -> [UInt8] {
        guard let first = tools.first, let last = tools.last, tools.contains(where: \.isInvalid) else { return line }
        var result = Array(line[..<first.range.lowerBound])
        result.reserveCapacity(line.count)
        var isFirst = true
        for (index, tool) in tools.enumerated() where !tool.isInvalid {
            // The comma that stood before it, with the blanks around.
            if !isFirst { result += line[tools[index - 1].range.upperBound..<tool.range.lowerBound] }
            result += line[tool.range]
            isFirst = false
        }
        return result + line[last.range.upperBound...]
    }
}

extension ToolPage.Tool {
    var isInvalid: Bool { if case .invalid = schema { true } else { false } }

    /// For a person: the name comes from the server.
    var shownName: String {
        guard let name else { return "without a name" }
        let shown = name.keeping {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        return String(String.UnicodeScalarView(shown.unicodeScalars.prefix(80)))
    }
}
