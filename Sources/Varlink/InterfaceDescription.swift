/// An interface as its description file says it (varlink.org, "Interface Definition").
public struct InterfaceDescription: Sendable, Hashable {
    public indirect enum TypeReference: Sendable, Hashable {
        case bool, int, float, string, object
        /// A type of the same interface.
        case named(String)
        case optional(TypeReference)
        case array(TypeReference)
        /// Keys are strings.
        case dictionary(TypeReference)
        case structure([Field])
        case enumeration([String])
    }

    public struct Field: Sendable, Hashable {
        public var name: String
        public var type: TypeReference
    }

    public struct Method: Sendable, Hashable {
        public var parameters: [Field]
        public var reply: [Field]
    }

    public var name: String
    public var types: [String: TypeReference] = [:]
    public var methods: [String: Method] = [:]
    public var errors: [String: [Field]] = [:]
    /// Types, methods and errors as they stand, for who reads them in order.
    public var order: [String] = []

    public init(parsing text: String) throws(InterfaceDescriptionError) {
        var parser = DescriptionParser(text)
        self = try parser.interface()
    }

    init(name: String) { self.name = name }
}

/// What is wrong with a description, and where.
public struct InterfaceDescriptionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    public var line: Int
    public var message: String

    public var description: String { "line \(line): \(message)" }
}
