/// The methods: their names, parameters and replies.
enum MethodsFile {
    static func text(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["Secrets", "StrictJSON"])
        swift.block("extension Interface") { swift in
            swift.documentation(["The methods of the interface."])
            swift.block("public enum Method: String, CaseIterable, Sendable") { swift in
                for method in model.methods { swift.line("case \(SwiftName.escaped(method.functionName)) = \"\(method.name)\"") }
            }
            for method in model.methods {
                swift.line()
                write(method, to: &swift)
            }
        }
        return swift.text
    }

    private static func write(_ method: Method, to swift: inout SwiftText) {
        swift.documentation(method.documentation)
        swift.block("public struct \(method.name): MethodParameters, Hashable") { swift in
            swift.line("public static let method = Method.\(method.functionName)")
            swift.line()
            TypesFile.writeBody(of: method.parameters, to: &swift)
            swift.line()
            swift.block("public struct Reply: InterfaceObject, Hashable") { TypesFile.writeBody(of: method.reply, to: &$0) }
        }
    }
}
