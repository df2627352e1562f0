import PosternInterface
import Varlink

/// The interface's description as Varlink's parser reads it, by name.
struct Description: Sendable {
    typealias Shape = InterfaceDescription.TypeExpression
    typealias Field = InterfaceDescription.Field

    let types: [String: Shape]
    let methods: [String: InterfaceDescription.MethodDefinition]
    let errors: [String: [Field]]
    /// The members that the comments call secret, by the definition in which they stand.
    let secrets: [String: Set<String>]

    init(_ text: String) throws {
        let parsed = try InterfaceDescription(parsing: text)
        types = Dictionary(uniqueKeysWithValues: parsed.types.map { ($0.name, $0.type) })
        methods = Dictionary(uniqueKeysWithValues: parsed.methods.map { ($0.name, $0) })
        errors = Dictionary(uniqueKeysWithValues: parsed.errors.map { ($0.name, $0.parameters) })
        let comments =
            parsed.types.map { ($0.name, $0.documentation) } + parsed.methods.map { ($0.name, $0.documentation) }
            + parsed.errors.map { ($0.name, $0.documentation) }
        secrets = Dictionary(
            uniqueKeysWithValues: comments.map { name, comment in
                let list = comment.split(separator: "Secret: ").dropFirst().first?.prefix { $0 != "." } ?? ""
                return (name, Set(list.split { ", \n".contains($0) }.map(String.init)))
            })
    }

    /// Some method has it among its parameters.
    func isInput(_ type: String) -> Bool {
        func names(_ shape: Shape) -> Bool {
            switch shape {
            case .named(type): true
            case .nullable(let inner), .array(let inner), .map(let inner): names(inner)
            default: false
            }
        }
        return methods.values.contains { $0.parameters.contains { names($0.type) } }
    }
}
