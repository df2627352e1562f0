import PosternValues

/// A program that waits for the user on another device (RFC 8628).
struct DeviceRequest: Sendable {
    enum Answer: Sendable {
        case person(Person, at: Timestamp)
        case denied
    }

    var client: DemoClient
    var scopes: [String]
    /// Nil until the user has answered.
    var answer: Answer?
    /// The least interval between two requests of the program, in seconds; it increases if the program is too fast.
    var intervalSeconds: Int64
    var lastAskedAt: Timestamp?
    var expiresAt: Timestamp
}

/// A code for the user to type: letters that spell no words and cannot be confused with each other (section 6.1).
enum UserCode {
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ".unicodeScalars)

    /// - Parameter random: each byte chooses a letter; those that would favour some letters are skipped.
    static func make(random: [UInt8]) -> String? {
        let chosen = random.filter { $0 < 240 }.prefix(8).map { String(letters[Int($0) % letters.count]) }
        guard chosen.count == 8 else { return nil }
        return chosen.prefix(4).joined() + "-" + chosen.suffix(4).joined()
    }

    /// The code as it was generated, whatever case and separators the user typed.
    static func normalised(_ text: String) -> String {
        let typed = text.uppercased().keeping(letters.contains).prefix(9)
        return typed.count == 8 ? "\(typed.prefix(4))-\(typed.suffix(4))" : text
    }
}
