/// An interface, parsed from its description in the Varlink interface definition language.
public struct InterfaceDescription: Sendable, Hashable {
    /// In reverse-domain notation: `org.varlink.service`.
    public var name: String
    public var documentation: String
    /// In the order of the text.
    public var types: [TypeDefinition]
    public var methods: [MethodDefinition]
    public var errors: [ErrorDefinition]

    public func type(named name: String) -> TypeDefinition? { types.first { $0.name == name } }
    public func method(named name: String) -> MethodDefinition? { methods.first { $0.name == name } }
    public func error(named name: String) -> ErrorDefinition? { errors.first { $0.name == name } }
}

extension InterfaceDescription {
    /// `type Name (…)`.
    public struct TypeDefinition: Sendable, Hashable {
        public var name: String
        /// The comment lines directly above, without `#`.
        public var documentation: String
        /// A structure or an enumeration.
        public var type: TypeExpression
        /// From 1.
        public var line: Int
    }

    /// `method Name(…) -> (…)`.
    public struct MethodDefinition: Sendable, Hashable {
        public var name: String
        public var documentation: String
        public var parameters: [Field]
        public var reply: [Field]
        public var line: Int
    }

    /// `error Name (…)`.
    public struct ErrorDefinition: Sendable, Hashable {
        public var name: String
        public var documentation: String
        public var parameters: [Field]
        public var line: Int
    }

    public struct Field: Sendable, Hashable {
        public var name: String
        public var type: TypeExpression
        public var documentation = ""
    }

    public indirect enum TypeExpression: Sendable, Hashable {
        case bool
        case int
        case float
        case string
        /// Any JSON object.
        case object
        /// Any JSON value.
        case any
        /// A type that the interface defines.
        case named(String)
        case structure([Field])
        case enumeration([String])
        case array(TypeExpression)
        /// A JSON object with values of one type; a set of strings is a map to the empty structure.
        case map(TypeExpression)
        case nullable(TypeExpression)
    }
}
