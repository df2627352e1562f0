/// The interface in the client library: its types under short names, and a function for each method.
enum ClientFile {
    static func aliases(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["PosternInterface"])
        let types = model.structures.map { ($0.name, $0.documentation) } + model.enumerations.map { ($0.name, $0.documentation) }
        for (name, documentation) in types.sorted(by: { $0.0 < $1.0 }) {
            swift.documentation(documentation)
            swift.line("public typealias \(name) = Interface.\(name)")
        }
        return swift.text
    }

    static func methods(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["PosternInterface"])
        swift.line("// The methods by the names of the interface. The parameter `app` is the client's own.")
        swift.line("// Of a reply with one member, that is returned.")
        swift.block("extension PosternClient") { swift in
            var isFirst = true
            for method in model.methods {
                if isFirst { isFirst = false } else { swift.line() }
                swift.documentation(method.documentation)
                write(method, to: &swift)
            }
        }
        return swift.text
    }

    private static func write(_ method: Method, to swift: inout SwiftText) {
        let members = method.parameters.members
        let parameters = members.filter { $0.name != "app" }.map { $0.parameter(prefix: "Interface.") }
        let only = method.reply.members.count == 1 ? method.reply.members.first : nil
        let result = only?.swiftType(prefix: "Interface.") ?? "Interface.\(method.name).Reply"
        let head = "public func \(SwiftName.escaped(method.functionName))"
        switch method.replies {
        case .once:
            let isEmpty = method.reply.members.isEmpty
            let value = only.map { ".\($0.swiftName)" } ?? ""
            swift.function(head, parameters, " async throws" + (isEmpty ? "" : " -> \(result)")) { swift in
                writeCall(of: method, isEmpty ? "_ = try await call(" : "try await call(", ")" + value, to: &swift)
            }
        case .many, .endless:
            let value = only.map { "$0.\($0.swiftName)" } ?? "$0"
            swift.function(head, parameters, " -> AsyncThrowingStream<\(result), any Error>") { swift in
                writeCall(of: method, "replies(to: ", ") { \(value) }", to: &swift)
            }
        }
    }

    private static func writeCall(of method: Method, _ head: String, _ tail: String, to swift: inout SwiftText) {
        let arguments = method.parameters.members.map { "\($0.name): \($0.swiftName)" }
        let type = "Interface.\(method.name)"
        let whole = head + type + "(" + arguments.joined(separator: ", ") + ")" + tail
        guard !swift.fits(whole) else { return swift.line(whole) }
        swift.list("let parameters = \(type)(", arguments, ")")
        swift.line((head.utf8.first == UInt8(ascii: "_") ? "" : "return ") + head + "parameters" + tail)
    }
}
