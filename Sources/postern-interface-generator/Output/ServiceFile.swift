/// The protocols that implement the methods, one a section, and the dispatch of calls to them.
enum ServiceFile {
    static func text(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["StrictJSON"])
        for section in model.sections {
            swift.documentation([
                "What carries out the methods of the section \(section.name): one method, one function.", "",
                "A task that is cancelled has lost its caller.",
            ])
            swift.block("public protocol \(section.protocolName)<Caller>: Sendable") { swift in
                swift.documentation(["What is known of the process that calls."])
                swift.line("associatedtype Caller: Sendable")
                for method in section.methods {
                    swift.line()
                    swift.documentation(method.documentation)
                    declare(method, in: &swift)
                }
            }
            swift.line()
        }
        swift.documentation(["What carries out all methods of the interface: one part a section."])
        swift.block("public protocol InterfaceMethods<Caller>: Sendable") { swift in
            swift.line("associatedtype Caller: Sendable")
            for section in model.sections {
                swift.line("associatedtype \(section.name)Part: \(section.protocolName)<Caller>")
            }
            swift.line()
            for section in model.sections { swift.line("var \(section.propertyName): \(section.name)Part { get }") }
            swift.line()
            swift.documentation([
                "Makes sure that what the method needs is there. Called when its parameters have been read, unless it needs nothing.", "",
                "- Throws: the error of the call, if it is not.",
            ])
            swift.line("func prepare(for method: Interface.Method, _ parameters: JSONObject) async throws(InterfaceError)")
        }
        swift.line()
        swift.block("extension InterfaceMethods") { writeDispatch(of: model, to: &$0) }
        return swift.text
    }

    private static func declare(_ method: Method, in swift: inout SwiftText) {
        var parameters = ["_ call: Interface.\(method.name)", "caller: Caller"]
        var tail = ") async throws(InterfaceError)"
        if case .endless = method.replies {} else { tail += " -> Interface.\(method.name).Reply" }
        switch method.replies {
        case .once: break
        case .many, .endless: parameters.append("replies: Replies<Interface.\(method.name).Reply>")
        }
        swift.list("func \(SwiftName.escaped(method.functionName))(", parameters, tail)
    }

    private static func writeDispatch(of model: InterfaceModel, to swift: inout SwiftText) {
        swift.documentation([
            "Reads the parameters of a call, and has its method carried out. Does not suspend where that does not.", "",
            "- Parameter replies: takes the replies before the last.",
            "- Returns: the last reply; nil where there is none, because the caller has disconnected.",
        ])
        let parameters = [
            "_ method: Interface.Method", "_ parameters: JSONObject", "caller: Caller", "replies: ReplySink",
            "isolation: isolated (any Actor)? = #isolation",
        ]
        swift.function("public func answer", parameters, " async throws(InterfaceError) -> (any InterfaceObject)?") { swift in
            swift.line("switch method {")
            for section in model.sections {
                for method in section.methods { write(method, of: section, to: &swift) }
            }
            swift.line("}")
        }
    }

    private static func write(_ method: Method, of section: Section, to swift: inout SwiftText) {
        let function = "try await \(section.propertyName).\(SwiftName.escaped(method.functionName))"
        swift.line("case .\(method.functionName):")
        swift.indented { swift in
            swift.line("let call = try Interface.\(method.name).read(parameters)")
            if case .endless = method.replies { swift.line("guard replies.isWanted else { throw .expectedMore }") }
            if !method.needs.isEmpty { swift.line("try await prepare(for: method, parameters)") }
            switch method.replies {
            case .once: swift.line("return \(function)(call, caller: caller)")
            case .many: swift.line("return \(function)(call, caller: caller, replies: Replies(replies))")
            case .endless:
                swift.line("\(function)(call, caller: caller, replies: Replies(replies))")
                swift.line("return nil")
            }
        }
    }
}
