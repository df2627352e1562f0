import PosternInterface

/// The interface's description, read just far enough to hold the Swift types against it (varlink.org, "Interface Definition").
struct Description: Sendable {
    indirect enum Shape: Equatable, Sendable {
        case string, int, bool, object
        case named(String)
        case optional(Shape)
        case array(Shape)
        case map(Shape)
        case enumeration([String])
        case structure([Field])
    }

    struct Field: Equatable, Sendable {
        var name: String
        var shape: Shape
    }

    struct Failure: Error {
        var message: String
    }

    private(set) var types: [String: Shape] = [:]
    private(set) var methods: [String: (parameters: [Field], reply: [Field])] = [:]
    private(set) var errors: [String: [Field]] = [:]

    private var words: ArraySlice<String>

    init(_ text: String) throws {
        words = Self.words(of: text)[...]
        guard next() == "interface", next() == Interface.name else { throw Failure(message: "it does not begin with its name") }
        while let keyword = next() {
            guard let name = next() else { throw Failure(message: "a name is missing") }
            switch keyword {
            case "type": types[name] = try structure()
            case "error": errors[name] = try fields()
            case "method":
                let parameters = try fields()
                try expect("->")
                methods[name] = (parameters, try fields())
            default: throw Failure(message: "unexpected \(keyword)")
            }
        }
    }

    private static func words(of text: String) -> [String] {
        var words: [String] = []
        for line in text.split(separator: "\n") {
            var rest = line.prefix { $0 != "#" }
            while let first = rest.first {
                if first.isWhitespace {
                    rest = rest.dropFirst()
                } else if let mark = ["->", "[string]", "[]", "(", ")", ":", ",", "?"].first(where: { rest.hasPrefix($0) }) {
                    words.append(mark)
                    rest = rest.dropFirst(mark.count)
                } else {
                    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
                    words.append(String(word))
                    rest = rest.dropFirst(max(1, word.count))
                }
            }
        }
        return words
    }

    private mutating func next() -> String? { words.popFirst() }

    private mutating func expect(_ word: String) throws {
        guard let found = next(), found == word else { throw Failure(message: "\(word) is missing") }
    }

    private mutating func fields() throws -> [Field] {
        switch try structure() {
        case .structure(let fields): return fields
        default: throw Failure(message: "fields are missing")
        }
    }

    /// What stands in parentheses: fields, or the words of an enumeration.
    private mutating func structure() throws -> Shape {
        try expect("(")
        var fields: [Field] = []
        var cases: [String] = []
        while let word = next() {
            if word == ")" { return cases.isEmpty ? .structure(fields) : .enumeration(cases) }
            if word == "," { continue }
            if words.first == ":" {
                words.removeFirst()
                fields.append(Field(name: word, shape: try shape()))
            } else {
                cases.append(word)
            }
        }
        throw Failure(message: ") is missing")
    }

    private mutating func shape() throws -> Shape {
        if words.first == "(" { return try structure() }
        switch next() {
        case "?": return .optional(try shape())
        case "[]": return .array(try shape())
        case "[string]": return .map(try shape())
        case "string": return .string
        case "int": return .int
        case "bool": return .bool
        case "object": return .object
        case let name?: return .named(name)
        case nil: throw Failure(message: "a type is missing")
        }
    }
}
