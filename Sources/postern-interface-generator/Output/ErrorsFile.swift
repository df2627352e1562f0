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
            writeNames(of: model, to: &swift)
            swift.line()
            writeCodes(of: model, to: &swift)
            swift.line()
            writeMessages(of: model, to: &swift)
        }
        swift.line()
        swift.block("extension InterfaceError: JSONMembers") { swift in
            writeMembers(of: model, to: &swift)
            swift.line()
            writeReading(of: model, to: &swift)
        }
        return swift.text
    }

    private static func writeNames(of model: InterfaceModel, to swift: inout SwiftText) {
        swift.documentation(["The names of the interface's own errors on the wire."])
        swift.list("public static let names = [", model.failures.map { "\"\(model.name).\($0.name)\"" }, "]", trailingComma: true)
        swift.line()
        swift.documentation(["The name on the wire: `\(model.name).\(model.failures.first?.name ?? "")`."])
        swift.block("public var name: String") { swift in
            swift.line("switch self {")
            for failure in model.failures { swift.line("case .\(failure.caseName): \"\(model.name).\(failure.name)\"") }
            swift.line("case .numbered(let error, _): error.name")
            swift.line("case .invalidParameter: \"org.varlink.service.InvalidParameter\"")
            swift.line("case .expectedMore: \"org.varlink.service.ExpectedMore\"")
            swift.line("}")
        }
    }

    private static func writeCodes(of model: InterfaceModel, to swift: inout SwiftText) {
        swift.documentation(["The number that the description gives the error; 0 where it gives none."])
        swift.block("var describedCode: Int") { swift in
            swift.line("switch self {")
            for failure in model.failures where failure.code != 0 { swift.line("case .\(failure.caseName): \(failure.code)") }
            swift.line("case .numbered(let error, _): error.describedCode")
            swift.line("default: 0")
            swift.line("}")
        }
    }

    private static func writeMessages(of model: InterfaceModel, to swift: inout SwiftText) {
        swift.documentation(["The sentence for a person."])
        swift.block("public var message: String") { swift in
            swift.line("switch self {")
            for failure in model.failures {
                let pattern = ["let message"] + failure.members.map { _ in "_" }
                swift.line("case .\(failure.caseName)(\(pattern.joined(separator: ", "))): message")
            }
            swift.line("case .numbered(let error, _): error.message")
            swift.line("case .invalidParameter(let path): \"the parameter \\(path) is not taken, or not with this value\"")
            swift.line("case .expectedMore: \"the method replies more than once and wants to be called so\"")
            swift.line("}")
        }
    }

    private static func writeMembers(of model: InterfaceModel, to swift: inout SwiftText) {
        swift.documentation(["What the error carries besides `code` and `message`."])
        swift.block("func writeOwnMembers(to members: inout some JSONMemberSink)") { swift in
            swift.line("switch self {")
            for failure in model.failures where !failure.members.isEmpty {
                let pattern = ["_"] + failure.members.map { "let \($0.swiftName)" }
                swift.line("case .\(failure.caseName)(\(pattern.joined(separator: ", "))):")
                swift.indented { swift in
                    for member in failure.members { swift.line(member.writing) }
                }
            }
            swift.line("case .invalidParameter(let path): members.set(\"parameter\", path)")
            swift.line("case .numbered(let error, _): error.writeOwnMembers(to: &members)")
            swift.line("default: break")
            swift.line("}")
        }
    }

    private static func writeReading(of model: InterfaceModel, to swift: inout SwiftText) {
        swift.documentation(["Reads an error of this interface, whatever its number. Nil where the name is none of it."])
        swift.block("init?(unnumbered name: String, _ parameters: JSONObject) throws(JSONMemberError)") { swift in
            swift.line("switch name {")
            for failure in model.failures {
                swift.line("case \"\(model.name).\(failure.name)\":")
                let message = "message: try parameters.required(\"message\")"
                let members = [message] + failure.members.map { "\($0.name): \($0.reading(from: "parameters"))" }
                swift.indented { $0.list("self = .\(failure.caseName)(", members, ")") }
            }
            swift.line("default: return nil")
            swift.line("}")
        }
    }
}
