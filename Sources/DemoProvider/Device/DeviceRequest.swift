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
    /// The least between two questions of the program, in seconds; rises if it is not kept.
    var intervalSeconds: Int64
    var lastAskedAt: Timestamp?
    var expiresAt: Timestamp
}

/// A code for the user to type: letters that spell no words and cannot be taken for one another (section 6.1).
enum UserCode {
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")

    /// - Parameter random: each of them chooses a letter; those that would favour some letters are passed over.
    static func make(random: [UInt8]) -> String? {
        let chosen = random.filter { $0 < 240 }.prefix(8).map { letters[Int($0) % letters.count] }
        guard chosen.count == 8 else { return nil }
        return String(chosen.prefix(4)) + "-" + String(chosen.suffix(4))
    }

    /// As it was made, however a user typed it.
    static func normalised(_ text: String) -> String {
        let typed = text.uppercased().filter(letters.contains).prefix(9)
        return typed.count == 8 ? "\(typed.prefix(4))-\(typed.suffix(4))" : text
    }
}
