/// Reads the interface definition language, one token after the other.
struct DescriptionParser {
    /// Types within types; no honest interface has more.
    private static let depthLimit = 32

    private enum Token: Equatable {
        case word(String)
        case symbol(Character)
        case arrow
        case end
    }

    private var rest: Substring
    private var line = 1
    private var token = Token.end
    private var tokenLine = 1

    init(_ text: String) { rest = text[...] }

    mutating func interface() throws(InterfaceDescriptionError) -> InterfaceDescription {
        try advance()
        try expect(word: "interface")
        var interface = InterfaceDescription(name: try word("a name with full stops"))
        guard Self.isInterfaceName(interface.name) else { throw failure("\(interface.name) is no interface name") }
        while token != .end { try member(of: &interface) }
        return interface
    }

    private mutating func member(of interface: inout InterfaceDescription) throws(InterfaceDescriptionError) {
        let kind = try word("type, method or error")
        let place = tokenLine
        let name = try word("a name")
        guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first), !name.contains("."), !name.contains("_") else {
            throw InterfaceDescriptionError(line: place, message: "\(name) must begin with a capital letter, and have letters and digits only")
        }
        guard !interface.order.contains(name) else {
            throw InterfaceDescriptionError(line: place, message: "\(name) is defined twice")
        }
        interface.order.append(name)
        switch kind {
        case "type": interface.types[name] = try structureOrEnumeration(depth: 0)
        case "error": interface.errors[name] = try fields(depth: 0)
        case "method":
            let parameters = try fields(depth: 0)
            guard token == .arrow else { throw failure("-> is missing") }
            try advance()
            interface.methods[name] = InterfaceDescription.Method(parameters: parameters, reply: try fields(depth: 0))
        default: throw InterfaceDescriptionError(line: place, message: "\(kind) is neither type, method nor error")
        }
    }

    private mutating func fields(depth: Int) throws(InterfaceDescriptionError) -> [InterfaceDescription.Field] {
        guard case .structure(let fields) = try structureOrEnumeration(depth: depth) else { throw failure("fields need types") }
        return fields
    }

    private mutating func structureOrEnumeration(depth: Int) throws(InterfaceDescriptionError) -> InterfaceDescription.TypeReference {
        guard depth < Self.depthLimit else { throw failure("types are nested too deeply") }
        try expect(symbol: "(")
        var fields: [InterfaceDescription.Field] = []
        var cases: [String] = []
        if token == .symbol(")") {
            try advance()
            return .structure([])
        }
        while true {
            let name = try word("a field")
            guard !fields.contains(where: { $0.name == name }), !cases.contains(name) else { throw failure("\(name) stands twice") }
            if token == .symbol(":") {
                guard cases.isEmpty else { throw failure("\(name) has a type, but the names before it have none") }
                try advance()
                fields.append(InterfaceDescription.Field(name: name, type: try type(depth: depth + 1)))
            } else {
                guard fields.isEmpty else { throw failure("\(name) has no type") }
                cases.append(name)
            }
            if token == .symbol(",") {
                try advance()
                continue
            }
            try expect(symbol: ")")
            return fields.isEmpty ? .enumeration(cases) : .structure(fields)
        }
    }

    private mutating func type(depth: Int) throws(InterfaceDescriptionError) -> InterfaceDescription.TypeReference {
        guard depth < Self.depthLimit else { throw failure("types are nested too deeply") }
        switch token {
        case .symbol("?"):
            try advance()
            let wrapped = try type(depth: depth + 1)
            if case .optional = wrapped { throw failure("?? says no more than ?") }
            return .optional(wrapped)
        case .symbol("["):
            try advance()
            if token == .symbol("]") {
                try advance()
                return .array(try type(depth: depth + 1))
            }
            try expect(word: "string")
            try expect(symbol: "]")
            return .dictionary(try type(depth: depth + 1))
        case .symbol("("): return try structureOrEnumeration(depth: depth)
        case .word(let name):
            try advance()
            switch name {
            case "bool": return .bool
            case "int": return .int
            case "float": return .float
            case "string": return .string
            case "object": return .object
            default: return .named(name)
            }
        default: throw failure("a type is missing")
        }
    }

    // MARK: Tokens

    private mutating func word(_ what: String) throws(InterfaceDescriptionError) -> String {
        guard case .word(let text) = token else { throw failure("\(what) is missing") }
        try advance()
        return text
    }

    private mutating func expect(word: String) throws(InterfaceDescriptionError) {
        guard token == .word(word) else { throw failure("\(word) is missing") }
        try advance()
    }

    private mutating func expect(symbol: Character) throws(InterfaceDescriptionError) {
        guard token == .symbol(symbol) else { throw failure("\(symbol) is missing") }
        try advance()
    }

    private func failure(_ message: String) -> InterfaceDescriptionError { InterfaceDescriptionError(line: tokenLine, message: message) }

    private mutating func advance() throws(InterfaceDescriptionError) {
        skipBlanks()
        tokenLine = line
        guard let first = rest.first else {
            token = .end
            return
        }
        if rest.hasPrefix("->") {
            rest.removeFirst(2)
            token = .arrow
        } else if "():,?[]".contains(first) {
            rest.removeFirst()
            token = .symbol(first)
        } else if first.isASCII, first.isLetter {
            let text = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
            rest.removeFirst(text.count)
            token = .word(String(text))
        } else {
            throw failure("an unexpected character")
        }
    }

    private mutating func skipBlanks() {
        while let first = rest.first {
            if first.isNewline {
                line += 1
            } else if first == "#" {
                rest = rest.drop { !$0.isNewline }
                continue
            } else if !first.isWhitespace {
                return
            }
            rest.removeFirst()
        }
    }

    private static func isInterfaceName(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 2 && parts.allSatisfy { !$0.isEmpty && $0.first != "-" && $0.last != "-" && !$0.contains("_") }
    }
}
