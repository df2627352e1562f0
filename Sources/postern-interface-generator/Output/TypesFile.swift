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
        guard !structure.members.isEmpty else {
            swift.line("public init() {}")
            swift.line("\(reading) {\(structure.isInput ? " try object.allowOnly([]) " : "")}")
            swift.line("\(writing) { [] }")
            return
        }
        swift.line()
        writeInitialiser(of: structure, to: &swift)
        swift.line()
        writeReading(of: structure, to: &swift)
        swift.line()
        swift.expression(writing, "[", structure.members.map(\.writing), "]", trailingComma: true)
    }

    private static let reading = "public init(object: JSONObject) throws(JSONMemberError)"
    private static let writing = "public var memberList: [JSONMember]"

    /// The assignments are one line where they fit on it.
    private static func writeInitialiser(of structure: Structure, to swift: inout SwiftText) {
        let members = structure.members
        let assigned = members.map { "self.\($0.name)" }
        let given = members.map(\.swiftName)
        let isOne = members.count == 1
        let whole = isOne ? "\(assigned[0]) = \(given[0])" : "(\(assigned.joined(separator: ", "))) = (\(given.joined(separator: ", ")))"
        let head = "public init(\(members.map { $0.parameter() }.joined(separator: ", ")))"
        guard !isOne || !swift.fits("\(head) { \(whole) }") else { return swift.line("\(head) { \(whole) }") }
        swift.function("public init", members.map { $0.parameter() }) { swift in
            guard !swift.fits(whole) else { return swift.line(whole) }
            for (name, value) in zip(assigned, given) { swift.line("\(name) = \(value)") }
        }
    }

    private static func writeReading(of structure: Structure, to swift: inout SwiftText) {
        let arguments = structure.members.map { "\($0.name): \($0.reading)" }
        guard structure.isInput else { return swift.expression(reading, "try self.init(", arguments, ")") }
        swift.block(reading) { swift in
            swift.list("try object.allowOnly([", structure.members.map { "\"\($0.name)\"" }, "])", trailingComma: true)
            swift.list("try self.init(", arguments, ")")
        }
    }
}
