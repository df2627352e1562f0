import PosternValues
import StrictJSON

/// Which arguments of a tool are repeated in header fields: `x-mcp-header` in its `inputSchema` (MCP 2026-07-28).
struct ToolSchema: Sendable {
    /// Arguments by the way to them.
    private(set) var root = Node()

    struct Node: Sendable {
        var children: [(name: String, node: Node)] = []
        /// The field of the argument here.
        var field: String?
        /// As it is named to a person.
        var path = ""

        /// In bytes: what is kept.
        var size: Int { path.utf8.count + (field?.utf8.count ?? 0) + children.reduce(64) { $0 + $1.name.utf8.count + $1.node.size } }
    }

    /// Why a tool is invalid. A sentence for a person.
    struct Invalid: Error {
        var reason: String
    }

    private static let longestName = 128
    /// In bytes, of the names on the way to an argument.
    private static let longestPath = 1024

    private var fields: Set<String> = []

    /// Of a tool without annotations.
    init() {}

    init(_ schema: JSON) throws(Invalid) {
        try read(schema, path: [])
        for argument in found { root.add(argument.path[...], field: argument.field) }
    }

    private var found: [(path: [String], field: String)] = []

    /// - Parameter path: nil where `properties` alone do not lead.
    private mutating func read(_ schema: JSON, path: [String]?) throws(Invalid) {
        switch schema {
        case .array(let schemas):
            for schema in schemas { try read(schema, path: nil) }
        case .object(let schema):
            if let annotation = schema["x-mcp-header"] { try add(annotation, type: schema["type"], path: path) }
            for (keyword, value) in schema.members {
                switch keyword {
                // Data, in which the name means nothing.
                case "default", "const", "enum", "examples", "example": break
                case "properties":
                    for (name, property) in value.objectValue?.members ?? [] { try read(property, path: path.map { $0 + [name] }) }
                // Names that the server chose, with schemas.
                case "$defs", "definitions", "patternProperties", "dependentSchemas":
                    for (_, schema) in value.objectValue?.members ?? [] { try read(schema, path: nil) }
                default: try read(value, path: nil)
                }
            }
        default: break
        }
    }

    private mutating func add(_ annotation: JSON, type: JSON?, path: [String]?) throws(Invalid) {
        guard let name = annotation.stringValue, !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
            throw Invalid(reason: "an x-mcp-header is not a valid field name")
        }
        guard name.utf8.count <= Self.longestName else {
            throw Invalid(reason: "an x-mcp-header has more than \(Self.longestName) characters")
        }
        guard let path, !path.isEmpty else {
            throw Invalid(reason: "x-mcp-header \(name) is not at a property that `properties` alone lead to")
        }
        guard let type = type?.stringValue, ["string", "integer", "boolean"].contains(type) else {
            throw Invalid(reason: "x-mcp-header \(name) is at a property whose type is not string, integer or boolean")
        }
        guard path.reduce(0, { $0 + $1.utf8.count }) <= Self.longestPath else {
            throw Invalid(reason: "x-mcp-header \(name) is at a property whose name is too long")
        }
        guard fields.insert(name.lowercased()).inserted else { throw Invalid(reason: "x-mcp-header \(name) appears twice") }
        guard found.count < ToolHeaders.mostHeaders else {
            throw Invalid(reason: "it has more than \(ToolHeaders.mostHeaders) x-mcp-header")
        }
        found.append((path, "Mcp-Param-" + name))
    }
}

extension ToolSchema.Node {
    fileprivate mutating func add(_ rest: ArraySlice<String>, field: String, within outer: String = "") {
        guard let name = rest.first else { return self.field = field }
        // By bytes: equivalent names are two properties.
        let index = children.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } ?? children.endIndex
        if index == children.endIndex {
            children.append((name, ToolSchema.Node(path: outer.isEmpty ? name : outer + "." + name)))
        }
        let path = children[index].node.path
        children[index].node.add(rest.dropFirst(), field: field, within: path)
    }
}
