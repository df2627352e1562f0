/// The protocols that implement the methods, one a section, and the dispatch of calls to them.
enum ServiceFile {
    static func protocols(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["PosternInterface"])
        var isFirst = true
        for section in model.sections {
            if isFirst { isFirst = false } else { swift.line() }
            swift.documentation([
                "What carries out the methods of the section \(section.name): one method, one function.", "",
                "A task that is cancelled has lost its caller.",
            ])
            swift.line("@DaemonActor")
            swift.block("protocol \(section.protocolName): Sendable") { swift in
                var isFirst = true
                for method in section.methods {
                    if isFirst { isFirst = false } else { swift.line() }
                    swift.documentation(method.documentation)
                    declare(method, in: &swift)
                }
            }
        }
        return swift.text
    }

    private static func declare(_ method: Method, in swift: inout SwiftText) {
        swift.list(
            "func \(SwiftName.escaped(method.functionName))(",
            ["_ call: Interface.\(method.name)"] + (isOnce(method) ? [] : ["reply: any InterfaceReply"]),
            ") async throws(InterfaceError) -> Interface.\(method.name).Reply\(isOnce(method) ? "" : "?")")
    }

    private static func isOnce(_ method: Method) -> Bool {
        if case .once = method.replies { true } else { false }
    }

    static func dispatch(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["PosternInterface", "StrictJSON"])
        swift.block("extension InterfaceService") { swift in
            swift.documentation([
                "Has the method of a call carried out. Does not suspend where that does not.", "",
                "- Parameter reply: of a method with several replies, which sends them.",
                "- Returns: the last reply; nil if the method has sent it, or the caller has disconnected.",
            ])
            let parameters = ["_ method: Interface.Method", "_ parameters: JSONObject", "reply: any InterfaceReply"]
            swift.function("func answer", parameters, " async throws(InterfaceError) -> (any InterfaceObject)?") { swift in
                swift.line("switch method {")
                for section in model.sections {
                    for method in section.methods {
                        let function = "try await \(section.propertyName).\(SwiftName.escaped(method.functionName))("
                        swift.line(
                            "case .\(method.functionName): \(function)prepared(parameters)\(isOnce(method) ? "" : ", reply: reply"))")
                    }
                }
                swift.line("}")
            }
        }
        return swift.text
    }
}
