/// For which service an ID token is made (`aud`): a name that the service chose, most often an address.
public struct TokenAudience: Sendable, Hashable {
    /// In bytes; an address fits, and a name that is longer is nobody's.
    public static let longest = 255

    public let text: String

    /// Nil where the text is empty or too long, or has a character that cannot be seen: a token for everybody, or for a name that
    /// looks like another's, would be taken by the wrong one.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.unicodeScalars.allSatisfy(Self.isVisible) else { return nil }
        guard text.first != " ", text.last != " " else { return nil }
        self.text = text
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
