extension InterfaceDescription {
    /// Parses a description: syntax, names, and that every type it uses is defined.
    ///
    /// Newlines are white space here: stricter layout rules would be of no use to a reader.
    public init(parsing text: String) throws(InterfaceDescriptionError) {
        var parser = try DescriptionParser(text)
        self = try parser.interface()
    }
}

private struct DescriptionParser {
    typealias Failure = InterfaceDescriptionError
    typealias Field = InterfaceDescription.Field
    typealias TypeExpression = InterfaceDescription.TypeExpression

    /// Deeper than any type that a user would write; bounds the recursion.
    static let depthLimit = 32

    var lexer: DescriptionLexer
    /// Uses of named types, checked when all definitions are known.
    var uses: [(name: String, line: Int)] = []

    init(_ text: String) throws(Failure) { lexer = try DescriptionLexer(text) }

    mutating func interface() throws(Failure) -> InterfaceDescription {
        let documentation = lexer.comment.joined(separator: "\n")
        try expect(.name("interface"))
        let line = lexer.line
        let name = try name("an interface name")
        guard DescriptionNames.isInterface(name) else { throw Failure(line: line, reason: .invalidInterfaceName(name)) }
        var interface = InterfaceDescription(name: name, documentation: documentation, types: [], methods: [], errors: [])
        var members: Set<String> = []
        while lexer.token != .end { try member(of: &interface, names: &members) }
        for use in uses where interface.type(named: use.name) == nil {
            throw Failure(line: use.line, reason: .unknownType(use.name))
        }
        return interface
    }

    private mutating func member(of interface: inout InterfaceDescription, names: inout Set<String>) throws(Failure) {
        let documentation = lexer.comment.joined(separator: "\n")
        let line = lexer.line
        guard case .name(let keyword) = lexer.token, ["type", "method", "error"].contains(keyword) else {
            throw Failure(line: line, reason: .expected("'type', 'method' or 'error'", found: lexer.token.text))
        }
        try lexer.advance()
        let name = try name("a name")
        guard DescriptionNames.isMember(name) else { throw Failure(line: line, reason: .invalidMemberName(name)) }
        guard names.insert(name).inserted else { throw Failure(line: line, reason: .duplicateMember(name)) }
        switch keyword {
        case "type":
            let type = try list(depth: 0)
            interface.types.append(.init(name: name, documentation: documentation, type: type, line: line))
        case "method":
            let parameters = try fields()
            try expect(.arrow)
            let reply = try fields()
            interface.methods.append(
                .init(name: name, documentation: documentation, parameters: parameters, reply: reply, line: line))
        default:
            interface.errors.append(.init(name: name, documentation: documentation, parameters: try fields(), line: line))
        }
    }

    // MARK: - Types

    private mutating func type(depth: Int) throws(Failure) -> TypeExpression {
        guard depth < Self.depthLimit else { throw Failure(line: lexer.line, reason: .tooDeep) }
        let line = lexer.line
        switch lexer.token {
        case .sign("?"):
            try lexer.advance()
            if lexer.token == .sign("?") { throw Failure(line: line, reason: .nestedNullable) }
            return .nullable(try type(depth: depth + 1))
        case .sign("["):
            try lexer.advance()
            if case .name("string") = lexer.token {
                try lexer.advance()
                try expect(.sign("]"))
                return .map(try type(depth: depth + 1))
            }
            try expect(.sign("]"))
            return .array(try type(depth: depth + 1))
        case .sign("("):
            return try list(depth: depth + 1)
        case .name(let name):
            try lexer.advance()
            switch name {
            case "bool": return .bool
            case "int": return .int
            case "float": return .float
            case "string": return .string
            case "object": return .object
            case "any": return .any
            default:
                guard DescriptionNames.isMember(name) else { throw Failure(line: line, reason: .unknownType(name)) }
                uses.append((name, line))
                return .named(name)
            }
        case .sign, .arrow, .end:
            throw Failure(line: line, reason: .expected("a type", found: lexer.token.text))
        }
    }

    private mutating func fields() throws(Failure) -> [Field] {
        let line = lexer.line
        guard case .structure(let fields) = try list(depth: 0) else {
            throw Failure(line: line, reason: .expected("fields with their types", found: "an enumeration"))
        }
        return fields
    }

    /// A list in parentheses: a structure, or an enumeration if the names have no types.
    private mutating func list(depth: Int) throws(Failure) -> TypeExpression {
        try expect(.sign("("))
        var fields: [Field] = []
        var words: [String] = []
        var names: Set<String> = []
        while lexer.token != .sign(")") {
            let documentation = lexer.comment.joined(separator: "\n")
            let line = lexer.line
            let name = try name("a field")
            guard DescriptionNames.isField(name) else { throw Failure(line: line, reason: .invalidFieldName(name)) }
            guard names.insert(name).inserted else { throw Failure(line: line, reason: .duplicateField(name)) }
            if lexer.token == .sign(":") {
                try lexer.advance()
                fields.append(Field(name: name, type: try type(depth: depth), documentation: documentation))
            } else {
                words.append(name)
            }
            if !fields.isEmpty && !words.isEmpty { throw Failure(line: line, reason: .mixedList) }
            guard lexer.token == .sign(",") else { break }
            try lexer.advance()
            // A comma must be followed by another field.
            if lexer.token == .sign(")") { throw Failure(line: lexer.line, reason: .expected("a field", found: "')'")) }
        }
        try expect(.sign(")"))
        return words.isEmpty ? .structure(fields) : .enumeration(words)
    }

    // MARK: - Tokens

    private mutating func name(_ what: String) throws(Failure) -> String {
        guard case .name(let name) = lexer.token else {
            throw Failure(line: lexer.line, reason: .expected(what, found: lexer.token.text))
        }
        try lexer.advance()
        return name
    }

    private mutating func expect(_ token: DescriptionLexer.Token) throws(Failure) {
        guard lexer.token == token else { throw Failure(line: lexer.line, reason: .expected(token.text, found: lexer.token.text)) }
        try lexer.advance()
    }
}
