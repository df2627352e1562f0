/// Each of these compares or classifies characters: TextComparisonTests must find them all.
enum CharacterSamples {
    static func prefix(_ text: String, _ other: String) -> Bool { text.hasPrefix(other) || text[...].hasPrefix(other) }
    static func suffix(_ text: String, _ other: String) -> Bool { text.hasSuffix(other) || text[...].hasSuffix(other) }
    static func equality(_ text: String) -> Bool { text.contains { $0 == "@" } }
    static func search(_ text: String) -> String.Index? { text.firstIndex(of: "@") }
    static func set(_ text: String, _ characters: Set<Character>) -> Bool { text.contains { characters.contains($0) } }
    static func classes(_ text: String) -> Bool { text.allSatisfy { $0.isNewline || $0.isWhitespace || $0.isLetter || $0.isNumber } }
    static func replacement(_ text: String) -> String { text.replacing("'", with: "x") }
}
