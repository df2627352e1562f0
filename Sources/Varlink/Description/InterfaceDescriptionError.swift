/// What is wrong with an interface description, and on which line.
public struct InterfaceDescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        case expected(String, found: String)
        case invalidInterfaceName(String)
        case invalidMemberName(String)
        case invalidFieldName(String)
        case duplicateMember(String)
        case duplicateField(String)
        case unknownType(String)
        case nestedNullable
        /// A list that has both `name: type` and bare names.
        case mixedList
        case tooDeep
        case unexpectedCharacter(String)
    }

    /// From 1.
    public var line: Int
    public var reason: Reason

    public var description: String { "line \(line): \(sentence)" }

    private var sentence: String {
        switch reason {
        case .expected(let what, let found): "expected \(what), found \(found)"
        case .invalidInterfaceName(let name): "'\(name)' is not an interface name; write it like org.example.service"
        case .invalidMemberName(let name): "'\(name)' is not a name for a type, method or error; these begin with a capital letter"
        case .invalidFieldName(let name): "'\(name)' is not a name for a field"
        case .duplicateMember(let name): "'\(name)' is defined twice"
        case .duplicateField(let name): "'\(name)' appears twice in one list"
        case .unknownType(let name): "the type '\(name)' is not defined"
        case .nestedNullable: "a type can be made nullable only once"
        case .mixedList: "a list has either fields with their types or the values of an enumeration, not both"
        case .tooDeep: "types are nested too deeply"
        case .unexpectedCharacter(let character): "unexpected character '\(character)'"
        }
    }
}
