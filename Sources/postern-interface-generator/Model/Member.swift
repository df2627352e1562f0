import Varlink

/// A member of a structure or of an error.
struct Member {
    let name: String
    let type: SwiftType
    let isOptional: Bool
    let documentation: [String]

    /// The declaration: `var providerID: String?`.
    func declaration(prefix: String = "") -> String { "\(swiftName): \(swiftType(prefix: prefix))" }

    func swiftType(prefix: String = "") -> String { type.text(prefix: prefix) + (isOptional ? "?" : "") }

    var swiftName: String { SwiftName.escaped(name) }

    /// The expression that reads it from an object.
    var reading: String { "object.\(isOptional ? "optional" : "required")(\"\(name)\")" }

    /// The expression that writes it, as a member of an object.
    var writing: String { "JSONMember(\"\(name)\", \(swiftName))" }

    /// As a parameter of a function: an optional one has the default nil.
    func parameter(prefix: String = "") -> String { declaration(prefix: prefix) + (isOptional ? " = nil" : "") }

    static func list(
        _ fields: [InterfaceDescription.Field], _ marks: Marks, owner: String, _ names: inout TypeNames, _ nested: inout [Enumeration]
    ) throws(GeneratorError) -> [Member] {
        var members: [Member] = []
        for field in fields {
            let isSecret = marks.secrets.contains(field.name)
            var (shape, isOptional) = (field.type, false)
            if case .nullable(let inner) = shape { (shape, isOptional) = (inner, true) }
            let type = try SwiftType(shape, of: field.name, owner: owner, isSecret: isSecret, &names, &nested)
            guard !isSecret || type.holdsSecrets else {
                throw GeneratorError("\(owner).\(field.name) is no string, so it cannot be secret")
            }
            members.append(
                Member(name: field.name, type: type, isOptional: isOptional, documentation: Marks(field.documentation).documentation))
        }
        return members
    }
}

/// The Swift type of a member, without the question mark.
indirect enum SwiftType {
    case plain(String)
    case secret
    /// A type in `Interface`, by its path there.
    case interface(String)
    case array(SwiftType)
    case dictionary(SwiftType)

    init(
        _ shape: InterfaceDescription.TypeExpression, of field: String, owner: String, isSecret: Bool, isElement: Bool = false,
        _ names: inout TypeNames, _ nested: inout [Enumeration]
    ) throws(GeneratorError) {
        func element(_ inner: InterfaceDescription.TypeExpression) throws(GeneratorError) -> SwiftType {
            try SwiftType(inner, of: field, owner: owner, isSecret: isSecret, isElement: true, &names, &nested)
        }
        switch shape {
        case .bool: self = .plain("Bool")
        case .int: self = .plain("Int")
        case .string: self = isSecret ? .secret : .plain("String")
        case .object: self = .plain("JSONObject")
        case .any: self = .plain("JSON")
        case .named(let name): self = .interface(name)
        case .array(let inner): self = .array(try element(inner))
        case .map(let inner): self = .dictionary(try element(inner))
        case .enumeration(let words):
            self = .interface(names.path(of: words, in: field, isElement: isElement, owner: owner, &nested))
        case .structure: throw GeneratorError("the structure \(owner).\(field) needs a name: make it a type")
        case .float: throw GeneratorError("\(owner).\(field): fractions have no Swift type here yet")
        case .nullable: throw GeneratorError("\(owner).\(field): only a whole member can be left out")
        }
    }

    var holdsSecrets: Bool {
        switch self {
        case .secret: true
        case .array(let inner), .dictionary(let inner): inner.holdsSecrets
        case .plain, .interface: false
        }
    }

    /// - Parameter prefix: the prefix of an interface's type: nothing within `Interface`, otherwise `Interface.`.
    func text(prefix: String) -> String {
        switch self {
        case .plain(let name): name
        case .secret: "Secret"
        case .interface(let path): prefix + path
        case .array(let inner): "[\(inner.text(prefix: prefix))]"
        case .dictionary(let inner): "[String: \(inner.text(prefix: prefix))]"
        }
    }
}

/// Names for the anonymous enumerations of the description.
///
/// Such an enumeration belongs to the structure in which it occurs first, under the member's name; a later one with the same words is the
/// same type.
struct TypeNames {
    private var paths: [[String]: String] = [:]

    mutating func path(
        of words: [String], in field: String, isElement: Bool, owner: String, _ nested: inout [Enumeration]
    ) -> String {
        if let known = paths[words] { return known }
        let singular = isElement && field.utf8.last == UInt8(ascii: "s") ? String(field.dropLast()) : field
        let name = SwiftName.raised(singular)
        nested.append(Enumeration(name: name, words: words))
        paths[words] = "\(owner).\(name)"
        return "\(owner).\(name)"
    }
}

enum SwiftName {
    /// `GetUserToken` becomes `getUserToken`, `IDToken` becomes `idToken`.
    static func lowered(_ name: String) -> String {
        let capitals = name.prefix { $0.isUppercase }.count
        let count = capitals > 1 && capitals < name.count ? capitals - 1 : capitals
        return name.prefix(count).lowercased() + name.dropFirst(count)
    }

    static func raised(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal",
        "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
