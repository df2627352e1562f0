import PosternInterface
import StrictJSON
import Testing

@Suite("The Swift types against the description")
struct SwiftTypesTests {
    static let description = Result { try Description(Interface.description) }

    /// Everything that stands as an object in a message: its name, its Swift type and its fields.
    struct Subject {
        var type: any JSONConvertible.Type
        var fields: [Description.Field]
        /// A client sends it.
        var isInput: Bool
    }

    static func subjects() throws -> [String: Subject] {
        let description = try description.get()
        var subjects: [String: Subject] = [:]
        for (name, type) in SwiftTypes.types {
            guard case .structure(let fields)? = description.types[name] else { continue }
            subjects[name] = Subject(type: type, fields: fields, isInput: description.isInput(name))
        }
        for parameters in SwiftTypes.parameters {
            guard let method = description.methods[parameters.method.rawValue] else { continue }
            subjects[parameters.method.rawValue + " parameters"] = Subject(type: parameters, fields: method.parameters, isInput: true)
            subjects[parameters.method.rawValue + " reply"] = Subject(type: reply(of: parameters), fields: method.reply, isInput: false)
        }
        return subjects
    }

    /// Reads a value with a Swift type and gives it back as that type writes it.
    func through<Value: JSONConvertible>(_ type: Value.Type, _ json: JSON) throws -> JSON {
        let value = try Value(json: json)
        var text: [UInt8] = []
        value.serialize(into: &text)
        #expect(text == value.json.serialized)
        return value.json
    }

    static func reply<Parameters: MethodParameters>(of type: Parameters.Type) -> any InterfaceObject.Type { Parameters.Reply.self }

    static var names: [String] { ((try? subjects().keys.sorted()) ?? []) }

    @Test("every type, method and error has its Swift type, and there are no others")
    func complete() throws {
        let description = try Self.description.get()
        #expect(Set(SwiftTypes.types.keys) == Set(description.types.keys))
        #expect(Set(Interface.Method.allCases.map(\.rawValue)) == Set(description.methods.keys))
        #expect(SwiftTypes.parameters.map { $0.method.rawValue }.sorted() == description.methods.keys.sorted())
        #expect(!Self.names.isEmpty && !InterfaceErrorTests.names.isEmpty)
    }

    @Test("a value is written as it was read, whether full or minimal", arguments: names, [true, false])
    func roundTrip(name: String, isFull: Bool) throws {
        let subject = try #require(try Self.subjects()[name])
        let sample = JSON.object(try Self.description.get().sample(of: subject.fields, isFull: isFull))
        let written = try through(subject.type, sample)
        #expect(written == sample)
        // In the order of the description, too.
        #expect(written.objectValue?.keys == sample.objectValue?.keys)
    }

    @Test("null counts as not given", arguments: names)
    func null(name: String) throws {
        let subject = try #require(try Self.subjects()[name])
        let description = try Self.description.get()
        let written = try through(subject.type, .object(description.nullSample(of: subject.fields)))
        #expect(written == .object(description.sample(of: subject.fields, isFull: false)))
    }

    @Test("a member that is missing is named", arguments: names)
    func missing(name: String) throws {
        let subject = try #require(try Self.subjects()[name])
        let full = try Self.description.get().sample(of: subject.fields, isFull: true)
        for field in subject.fields {
            var object = full
            object[field.name] = nil
            if case .nullable = field.type {
                _ = try through(subject.type, .object(object))
            } else {
                #expect(throws: JSONMemberError(path: field.name, reason: .missing)) { try through(subject.type, .object(object)) }
            }
        }
    }

    @Test("a member of another type is named", arguments: names)
    func wrongType(name: String) throws {
        let subject = try #require(try Self.subjects()[name])
        let description = try Self.description.get()
        for field in subject.fields {
            var object = description.sample(of: subject.fields, isFull: true)
            object[field.name] = description.wrongSample(of: field.type)
            let error = #expect(throws: JSONMemberError.self) { try through(subject.type, .object(object)) }
            #expect(error?.path == field.name)
        }
    }

    @Test("an unknown member is refused from a client, and ignored from a daemon", arguments: names)
    func unknown(name: String) throws {
        let subject = try #require(try Self.subjects()[name])
        let sample = try Self.description.get().sample(of: subject.fields, isFull: true)
        var object = sample
        object["bogus"] = 1
        if subject.isInput {
            #expect(throws: JSONMemberError(path: "bogus", reason: .unknown)) { try through(subject.type, .object(object)) }
        } else {
            #expect(try through(subject.type, .object(object)) == .object(sample))
        }
    }

    @Test("the words of an enumeration are those of the description, in its order")
    func words() throws {
        let description = try Self.description.get()
        #expect(description.types["Intent"] == .enumeration(Interface.Intent.allCases.map(\.rawValue)))
        for word in Interface.Intent.allCases { #expect(try through(Interface.Intent.self, word.json) == word.json) }
        func words(_ type: String, _ field: String) -> [String]? {
            guard case .structure(let fields)? = description.types[type] else { return nil }
            switch fields.first(where: { $0.name == field })?.type {
            case .enumeration(let words)?, .array(.enumeration(let words))?: return words
            default: return nil
            }
        }
        #expect(words("Provider", "kind") == Interface.Provider.Kind.allCases.map(\.rawValue))
        #expect(words("Provider", "flows") == Interface.Provider.Flow.allCases.map(\.rawValue))
        #expect(words("SignInEvent", "state") == Interface.SignInEvent.State.allCases.map(\.rawValue))
        #expect(words("Session", "state") == Interface.Session.State.allCases.map(\.rawValue))
        #expect(words("SecondFactor", "factorID") == Interface.SecondFactor.FactorID.allCases.map(\.rawValue))
        #expect(words("AuthResult", "operation") == Interface.AuthResult.Operation.allCases.map(\.rawValue))
    }
}
