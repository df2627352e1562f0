import Varlink

/// A description prepared for Swift: the marks in its comments are read, and anonymous types have names.
struct InterfaceModel {
    /// Byte for byte.
    let description: String
    let name: String
    private(set) var structures: [Structure] = []
    private(set) var enumerations: [Enumeration] = []
    private(set) var methods: [Method] = []
    private(set) var failures: [Failure] = []
    /// The methods by the section that they stand in, in order.
    private(set) var sections: [Section] = []

    init(_ text: String) throws(GeneratorError) {
        let parsed: InterfaceDescription
        do throws(InterfaceDescriptionError) { parsed = try InterfaceDescription(parsing: text) } catch {
            throw GeneratorError("the description: \(error)")
        }
        description = text
        name = parsed.name
        var names = TypeNames()
        let inputs = try Self.inputs(of: parsed)
        for type in parsed.types {
            guard !Self.taken.contains(type.name) else { throw GeneratorError("\(type.name) is a name that Swift has other use for") }
            switch type.type {
            case .structure(let fields):
                let marks = Marks(type.documentation)
                try marks.checkNames(in: fields, of: type.name)
                structures.append(
                    try Structure(type.name, fields, marks, isInput: inputs.contains(type.name), path: type.name, &names))
            case .enumeration(let words):
                enumerations.append(Enumeration(name: type.name, words: words, documentation: Marks(type.documentation).documentation))
            default: throw GeneratorError("\(type.name) is neither a structure nor an enumeration")
            }
        }
        for method in parsed.methods { methods.append(try Method(method, &names)) }
        sections = try Section.list(text, methods)
        for error in parsed.errors { failures.append(try Failure(error, &names)) }
    }

    private static let taken: Set = ["Method", "Reply", "Type", "Protocol", "Self"]

    /// The types that clients send. These are read strictly: a mistyped member must not be ignored silently. What the service sends is read
    /// leniently, so that an older client can read a newer service.
    private static func inputs(of interface: InterfaceDescription) throws(GeneratorError) -> Set<String> {
        let inputs = reached(from: interface.methods.flatMap(\.parameters), in: interface)
        let outputs = reached(from: interface.methods.flatMap(\.reply) + interface.errors.flatMap(\.parameters), in: interface)
        for name in inputs.intersection(outputs) {
            guard case .enumeration? = interface.type(named: name)?.type else {
                throw GeneratorError("\(name) is both sent and received, and cannot be read strictly and leniently: make it two types")
            }
        }
        return inputs
    }

    private static func reached(from fields: [InterfaceDescription.Field], in interface: InterfaceDescription) -> Set<String> {
        var reached: Set<String> = []
        var waiting = fields.map(\.type)
        while let type = waiting.popLast() {
            switch type {
            case .named(let name):
                guard reached.insert(name).inserted, let definition = interface.type(named: name) else { continue }
                waiting.append(definition.type)
            case .structure(let fields): waiting += fields.map(\.type)
            case .array(let inner), .map(let inner), .nullable(let inner): waiting.append(inner)
            case .bool, .int, .float, .string, .object, .any, .enumeration: continue
            }
        }
        return reached
    }
}

/// A type with members: one from the description, a method's parameters, or its reply.
struct Structure {
    let name: String
    let documentation: [String]
    let members: [Member]
    /// Enumerations without a name in the description that occur here first.
    let nested: [Enumeration]
    /// Read strictly.
    let isInput: Bool

    /// - Parameter path: the name of the type within `Interface`.
    init(
        _ name: String, _ fields: [InterfaceDescription.Field], _ marks: Marks, isInput: Bool, path: String, _ names: inout TypeNames
    ) throws(GeneratorError) {
        self.name = name
        self.isInput = isInput
        documentation = marks.documentation
        var nested: [Enumeration] = []
        members = try Member.list(fields, marks, owner: path, &names, &nested)
        self.nested = nested
    }
}

/// A part of the description: what stands below headings such as `# ---- Token: access and ID tokens ----`.
struct Section {
    /// The word before the colon.
    let name: String
    private(set) var methods: [Method]

    var protocolName: String { "\(name)Methods" }
    var propertyName: String { SwiftName.lowered(protocolName) }

    static func list(_ text: String, _ methods: [Method]) throws(GeneratorError) -> [Section] {
        var headings: [(name: String, methods: [String])] = []
        for line in text.unicodeScalars.split(separator: "\n").map(String.init) {
            if line.utf8.starts(with: "# ---- ".utf8) {
                let words = line.unicodeScalars.dropFirst(7).split { $0 == ":" || $0 == " " }
                headings.append((name: words.first.map { String($0) } ?? "", methods: []))
            } else if line.utf8.starts(with: "method ".utf8) {
                let name = String(line.unicodeScalars.dropFirst(7).prefix { $0 != "(" })
                guard let last = headings.indices.last else { throw GeneratorError("the method \(name) is below no heading") }
                headings[last].methods.append(name)
            }
        }
        var sections: [Section] = []
        for heading in headings where !heading.methods.isEmpty {
            let own = methods.filter { heading.methods.contains($0.name) }
            if let index = sections.firstIndex(where: { $0.name == heading.name }) {
                sections[index].methods += own
            } else {
                sections.append(Section(name: heading.name, methods: own))
            }
        }
        return sections
    }
}

struct Enumeration {
    var name: String
    var words: [String]
    var documentation: [String] = []
}

/// A method of the interface.
struct Method {
    /// The number of replies.
    enum Replies {
        case once
        /// More than once to a call with `more`; the last reply is the function's own.
        case many
        /// Only to calls with `more`, until the caller disconnects.
        case endless
    }

    /// What has to be there before a method is carried out.
    enum Need: String, CaseIterable {
        /// The store must be open; if it is not, the call is refused.
        case store
        /// The store should be opened if it can be, but the method answers without it, too.
        case opening
        /// A provider may be sent its client's secret: a changed file of it is read again.
        case client
    }

    let name: String
    let parameters: Structure
    let reply: Structure
    let replies: Replies
    let needs: [Need]

    var documentation: [String] { parameters.documentation }
    var functionName: String { SwiftName.lowered(name) }

    init(_ definition: InterfaceDescription.MethodDefinition, _ names: inout TypeNames) throws(GeneratorError) {
        name = definition.name
        let marks = Marks(definition.documentation)
        try marks.checkNames(in: definition.parameters + definition.reply, of: name)
        parameters = try Structure(name, definition.parameters, marks, isInput: true, path: name, &names)
        reply = try Structure(
            "Reply", definition.reply, Marks(secrets: marks.secrets), isInput: false, path: "\(name).Reply", &names)
        replies = marks.replies
        var needs: [Need] = []
        for word in marks.needs {
            guard let need = Need(rawValue: word) else { throw GeneratorError("\(name) needs \(word), which is unknown") }
            needs.append(need)
        }
        self.needs = needs
    }
}

/// An error of the interface.
struct Failure {
    let name: String
    let documentation: [String]
    /// Without `code` and `message`, which every error has.
    let members: [Member]
    /// 0 if Firebase has no such error.
    let code: Int

    var caseName: String { SwiftName.lowered(name) }

    init(_ definition: InterfaceDescription.ErrorDefinition, _ names: inout TypeNames) throws(GeneratorError) {
        name = definition.name
        let marks = Marks(definition.documentation)
        try marks.checkNames(in: definition.parameters, of: name)
        documentation = marks.documentation
        code = marks.code ?? 0
        guard definition.parameters.prefix(2).map(\.name) == ["code", "message"],
            definition.parameters.prefix(2).map(\.type) == [.int, .string]
        else { throw GeneratorError("\(name) does not begin with code: int, message: string") }
        var nested: [Enumeration] = []
        members = try Member.list(Array(definition.parameters.dropFirst(2)), marks, owner: name, &names, &nested)
        guard nested.isEmpty else { throw GeneratorError("an enumeration in the error \(name) needs a name: make it a type") }
    }
}
