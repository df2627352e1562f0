/// The same by scalars or bytes: TextComparisonTests must find none of them.
enum ScalarSamples {
    static func prefix(_ text: String, _ other: String) -> Bool { text.utf8.starts(with: other.utf8) }
    static func equality(_ text: String) -> Bool { text.unicodeScalars.contains { $0 == "@" } }
    static func search(_ text: String) -> String.Index? { text.unicodeScalars.firstIndex(of: "@") }
    static func set(_ text: String, _ scalars: Set<Unicode.Scalar>) -> Bool { text.unicodeScalars.contains { scalars.contains($0) } }
    static func classes(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
    static func parts(_ text: String) -> [Substring] { text.unicodeScalars.split(separator: ":").map(Substring.init) }
    static func choice(_ text: String) -> Bool { text == "a" || text.lowercased() == "b" }
}
