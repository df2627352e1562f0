/// The name that a program gives itself; empty for the person, who is no app.
///
/// Two are the same if their bytes are. Two forms of one letter are equal as strings, and are two names on disk, in the configuration and on
/// the wire.
public struct AppName: Sendable, Hashable {
    public var text: String

    public init(_ text: String) { self.text = text }

    /// It is the person.
    public var isEmpty: Bool { text.isEmpty }

    public static func == (left: AppName, right: AppName) -> Bool { left.text.isSame(right.text) }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: text)
    }
}

extension AppName: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}

extension AppName: CustomStringConvertible {
    public var description: String { text }
}
