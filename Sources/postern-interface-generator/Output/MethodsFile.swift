/// The methods: their names, parameters and replies.
enum MethodsFile {
    static func text(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["Secrets", "StrictJSON"])
        swift.block("extension Interface") { swift in
            swift.documentation(["The methods of the interface."])
            swift.block("public enum Method: String, CaseIterable, Sendable") { swift in
                for method in model.methods { swift.line("case \(SwiftName.escaped(method.functionName)) = \"\(method.name)\"") }
                swift.line()
                swift.documentation(["What has to be there before the method is carried out."])
                swift.block("public var needs: Needs") { swift in
                    table(of: model, to: &swift, otherwise: "[]") { method in
                        method.needs.isEmpty ? nil : "[\(method.needs.map { ".\($0)" }.joined(separator: ", "))]"
                    }
                }
                swift.line()
                swift.documentation(["The number of its replies."])
                swift.block("public var replies: ReplyCount") { swift in
                    table(of: model, to: &swift, otherwise: ".one") { method in
                        switch method.replies {
                        case .once: nil
                        case .many: ".many"
                        case .endless: ".endless"
                        }
                    }
                }
            }
            for method in model.methods {
                swift.line()
                write(method, to: &swift)
            }
        }
        return swift.text
    }

    /// A switch with a row for each value that some methods have in common.
    private static func table(of model: InterfaceModel, to swift: inout SwiftText, otherwise: String, value: (Method) -> String?) {
        var rows: [(value: String, methods: [String])] = []
        for method in model.methods {
            guard let value = value(method) else { continue }
            if let index = rows.firstIndex(where: { $0.value == value }) {
                rows[index].methods.append(".\(method.functionName)")
            } else {
                rows.append((value, [".\(method.functionName)"]))
            }
        }
        swift.line("switch self {")
        for row in rows { swift.cases(row.methods, row.value) }
        swift.line("default: \(otherwise)")
        swift.line("}")
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
