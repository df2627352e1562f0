/// The name of a request method (RFC 9110 section 9.1).
public enum HTTPMethod {
    static let longest = 32

    /// A token (section 5.6.2), so that it cannot be part of another header or line.
    public static func isOne(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy(\.isTokenCharacter)
    }
}
