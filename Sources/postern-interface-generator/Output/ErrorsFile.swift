/// The errors: one enumeration, and its conversion from and to JSON.
enum ErrorsFile {
    static func text(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["Secrets", "StrictJSON"])
        swift.documentation([
            "The errors of the interface, each with the members it carries besides `code` and `message`.", "",
            "`message` is a sentence for a person: lower case, no final period, never a secret.",
        ])
        swift.block("public enum InterfaceError: Error, Hashable") { swift in
            for failure in model.failures {
                swift.documentation(failure.documentation)
                let members = ["message: String"] + failure.members.map { $0.parameter(prefix: "Interface.") }
                swift.list("case \(SwiftName.escaped(failure.caseName))(", members, ")")
            }
            swift.documentation([
                "One of the others under another number than its own: the interface has fewer errors than Firebase has numbers."
            ])
            swift.line("indirect case numbered(InterfaceError, code: Int)")
            swift.documentation(["`org.varlink.service.InvalidParameter`, with the parameter's path: `credential.handle`."])
            swift.line("case invalidParameter(String)")
            swift.documentation(["`org.varlink.service.ExpectedMore`: the method has many replies and was called without `more`."])
            swift.line("case expectedMore")
        }
        swift.line()
        swift.block("extension InterfaceError") { swift in
            writeForms(of: model, to: &swift)
            swift.line()
            writeReading(of: model, to: &swift)
        }
        return swift.text
    }

    private static func writeForms(of model: InterfaceModel, to swift: inout SwiftText) {
        swift.documentation([
            "What the error is on the wire: its name without the interface's, the number that the description gives it (0 where it gives none,",
            "nil for the errors that every service has), the sentence for a person, and what it carries besides.",
        ])
        swift.block("var form: (name: String, code: Int?, message: String, members: [JSONMember])") { swift in
            swift.line("switch self {")
            for failure in model.failures {
                let bound = ["message"] + failure.members.map(\.swiftName)
                swift.row(
                    "case .\(failure.caseName)(\(bound.map { "let \($0)" }.joined(separator: ", "))):",
                    tuple: ["\"\(failure.name)\"", "\(failure.code)", "message"], array: failure.members.map(\.writing))
            }
            swift.line("case .numbered(let error, _): error.form")
            swift.line("case .invalidParameter(let path):")
            swift.indented { swift in
                let message = "\"the parameter \\(path) is not taken, or not with this value\""
                swift.line("(\"InvalidParameter\", nil, \(message), [JSONMember(\"parameter\", path)])")
            }
            swift.line("case .expectedMore: (\"ExpectedMore\", nil, \"the method replies more than once and wants to be called so\", [])")
            swift.line("}")
        }
    }

    private static func writeReading(of model: InterfaceModel, to swift: inout SwiftText) {
        swift.documentation(["Reads an error by its name within the interface, whatever its number. Nil where the name is none of it."])
        let head = "static func read(_ name: String, _ object: JSONObject) throws(JSONMemberError) -> InterfaceError?"
        swift.block(head) { swift in
            swift.line("func message() throws(JSONMemberError) -> String { try object.required(\"message\") }")
            swift.line("return switch name {")
            for failure in model.failures {
                let members = ["message: message()"] + failure.members.map { "\($0.name): \($0.reading)" }
                swift.row("case \"\(failure.name)\":", "try .\(failure.caseName)(", members, ")")
            }
            swift.line("default: nil")
            swift.line("}")
        }
    }
}
