/// The types of the description.
enum TypesFile {
    static func text(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["Secrets", "StrictJSON"])
        swift.block("extension Interface") { swift in
            var isFirst = true
            for enumeration in model.enumerations {
                if isFirst { isFirst = false } else { swift.line() }
                write(enumeration, to: &swift)
            }
            for structure in model.structures {
                if isFirst { isFirst = false } else { swift.line() }
                swift.documentation(structure.documentation)
                swift.block("public struct \(structure.name): InterfaceObject, Hashable") { writeBody(of: structure, to: &$0) }
            }
        }
        return swift.text
    }

    static func write(_ enumeration: Enumeration, to swift: inout SwiftText) {
        swift.documentation(enumeration.documentation)
        swift.block("public enum \(enumeration.name): String, JSONConvertible, CaseIterable") { swift in
            swift.line("case \(enumeration.words.map(SwiftName.escaped).joined(separator: ", "))")
        }
    }

    /// Members, and their conversion from and to JSON.
    static func writeBody(of structure: Structure, to swift: inout SwiftText) {
        for enumeration in structure.nested {
            write(enumeration, to: &swift)
            swift.line()
        }
        for member in structure.members {
            swift.documentation(member.documentation)
            swift.line("public var \(member.declaration())")
        }
        if structure.members.isEmpty {
            swift.line("public init() {}")
        } else {
            swift.line()
            swift.function("public init", structure.members.map { $0.parameter() }) { swift in
                for member in structure.members { swift.line("self.\(member.name) = \(member.swiftName)") }
            }
        }
        swift.line()
        writeReading(of: structure, to: &swift)
        swift.line()
        guard !structure.members.isEmpty else {
            swift.line("public func write(to members: inout some JSONMemberSink) {}")
            return
        }
        swift.block("public func write(to members: inout some JSONMemberSink)") { swift in
            for member in structure.members { swift.line(member.writing) }
        }
    }

    private static func writeReading(of structure: Structure, to swift: inout SwiftText) {
        let head = "public init(object: JSONObject) throws(JSONMemberError)"
        guard structure.isInput || !structure.members.isEmpty else {
            swift.line("\(head) {}")
            return
        }
        swift.block(head) { swift in
            if structure.isInput {
                swift.list("try object.allowOnly([", structure.members.map { "\"\($0.name)\"" }, "])", trailingComma: true)
            }
            for member in structure.members { swift.line("\(member.swiftName) = \(member.reading(from: "object"))") }
        }
    }
}
