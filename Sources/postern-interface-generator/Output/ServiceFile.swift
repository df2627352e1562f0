/// The protocol that implements the methods, and the dispatch of calls to it.
enum ServiceFile {
    static func text(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["StrictJSON"])
        swift.documentation([
            "What carries out the methods of the interface: one method, one function.", "",
            "A task that is cancelled has lost its caller.",
        ])
        swift.block("public protocol InterfaceMethods<Caller>: Sendable") { swift in
            swift.documentation(["What is known of the process that calls."])
            swift.line("associatedtype Caller: Sendable")
            for method in model.methods {
                swift.line()
                swift.documentation(method.documentation)
                declare(method, in: &swift)
            }
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
            for method in model.methods {
                let call = "try await \(SwiftName.escaped(method.functionName))(read(parameters), caller: caller"
                swift.line("case .\(method.functionName):")
                swift.indented { swift in
                    switch method.replies {
                    case .once: swift.line("return \(call))")
                    case .many: swift.line("return \(call), replies: Replies(replies))")
                    case .endless:
                        swift.line("let call: Interface.\(method.name) = try read(parameters)")
                        swift.line("guard replies.isWanted else { throw .expectedMore }")
                        swift.line("try await \(SwiftName.escaped(method.functionName))(call, caller: caller, replies: Replies(replies))")
                        swift.line("return nil")
                    }
                }
            }
            swift.line("}")
        }
    }
}
