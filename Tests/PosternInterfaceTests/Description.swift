import PosternInterface
import Varlink

/// The interface's description as Varlink's parser reads it, by name.
struct Description: Sendable {
    typealias Shape = InterfaceDescription.TypeExpression
    typealias Field = InterfaceDescription.Field

    let types: [String: Shape]
    let methods: [String: InterfaceDescription.MethodDefinition]
    let errors: [String: [Field]]

    init(_ text: String) throws {
        let parsed = try InterfaceDescription(parsing: text)
        types = Dictionary(uniqueKeysWithValues: parsed.types.map { ($0.name, $0.type) })
        methods = Dictionary(uniqueKeysWithValues: parsed.methods.map { ($0.name, $0) })
        errors = Dictionary(uniqueKeysWithValues: parsed.errors.map { ($0.name, $0.parameters) })
    }
}
