/// What is wrong with an interface description, and on which line.
public struct InterfaceDescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Reason: Hashable, Sendable {
        public let sentence: String

        private init(_ sentence: String) { self.sentence = sentence }

        static func expected(_ what: String, found: String) -> Self { Self("expected \(what), found \(found)") }
        static func invalidInterfaceName(_ name: String) -> Self {
            Self("'\(name)' is not an interface name; write it like org.example.service")
        }
        static func invalidMemberName(_ name: String) -> Self {
            Self("'\(name)' is not a name for a type, method or error; these begin with a capital letter")
        }
        static func invalidFieldName(_ name: String) -> Self { Self("'\(name)' is not a name for a field") }
        static func duplicateMember(_ name: String) -> Self { Self("'\(name)' is defined twice") }
        static func duplicateField(_ name: String) -> Self { Self("'\(name)' appears twice in one list") }
        static func unknownType(_ name: String) -> Self { Self("the type '\(name)' is not defined") }
        static let nestedNullable = Self("a type can be made nullable only once")
        /// A list that has both `name: type` and bare names.
        static let mixedList = Self("a list has either fields with their types or the values of an enumeration, not both")
        static let tooDeep = Self("types are nested too deeply")
        static func unexpectedCharacter(_ character: String) -> Self { Self("unexpected character '\(character)'") }
    }

    /// From 1.
    public var line: Int
    public var reason: Reason

    public var description: String { "line \(line): \(reason.sentence)" }
}
