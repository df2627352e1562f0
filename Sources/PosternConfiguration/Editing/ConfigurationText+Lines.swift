import PosternCore
import TOML

extension ConfigurationText.Change {
    /// The differences, key by key: `- key = value` for what is removed, then `+ key = value` for what is added.
    ///
    /// Values are those that the parser read, not the file's lines: no part of a secret is shown, however it is spelled, and no comment,
    /// since it may contain an old one.
    public var lines: [String] {
        let before = Self.values(before, file: file)
        let after = Self.values(after, file: file)
        return Self.differing(before, from: after).map { "- \($0.key) = \($0.shown)" }
            + Self.differing(after, from: before).map { "+ \($0.key) = \($0.shown)" }
    }

    /// The keys that differ: `callback.port`.
    public var keys: Set<String> {
        let before = Self.values(before, file: file)
        let after = Self.values(after, file: file)
        return Set((Self.differing(before, from: after) + Self.differing(after, from: before)).map(\.key))
    }

    private struct Value {
        var key: String
        var text: String
        var shown: String
    }

    private static func differing(_ values: [Value], from others: [Value]) -> [Value] {
        let others = Dictionary(others.map { ($0.key, $0.text) }, uniquingKeysWith: { first, _ in first })
        return values.filter { others[$0.key] != $0.text }
    }

    private static func values(_ bytes: [UInt8], file: String) -> [Value] {
        guard let parsed = try? TOMLTable(parsing: bytes) else { return [] }
        var table = SettingTable(path: [], position: SourcePosition(file: file, line: 1))
        table.merge(parsed, file: file)
        return values(of: table)
    }

    /// The parser's depth limit bounds the recursion.
    private static func values(of table: SettingTable) -> [Value] {
        table.members.flatMap { member -> [Value] in
            let path = table.path + [member.key]
            if case .table(let inner) = member.setting.content, !inner.members.isEmpty, isName(path) || !mayBeSecret(path) {
                return values(of: inner)
            }
            let key = path.map(TOMLText.key).joined(separator: ".")
            return [Value(key: key, text: ConfigurationText.written(member.setting), shown: shown(member.setting, at: path))]
        }
    }

    private static func shown(_ setting: Setting, at path: [String]) -> String {
        if mayBeSecret(path) || isOtherWord(setting, at: path), !isSource(setting) { return "\"…\"" }
        switch setting.content {
        case .list(let elements): return "[" + elements.map { shown($0, at: path) }.joined(separator: ", ") + "]"
        case .table(let table) where !mayBeSecret(path):
            let members = table.members.map { "\(TOMLText.key($0.key)) = \(shown($0.setting, at: path + [$0.key]))" }
            return members.isEmpty ? "{}" : "{ " + members.joined(separator: ", ") + " }"
        default: return ConfigurationText.written(setting)
        }
    }

    /// The file may have been wrong before the change, so the value of a misspelled or misplaced key is hidden as well.
    private static func mayBeSecret(_ path: [String]) -> Bool {
        guard let key = path.last?.lowercased() else { return false }
        if SecretKeys.isSecret(path) { return true }
        return key.ends(with: "-key")
            || ["secret", "token", "password", "passphrase"].contains { key.holds($0) } && !key.ends(with: "-endpoint")
    }

    private static func isOtherWord(_ setting: Setting, at path: [String]) -> Bool {
        guard let words = SecretKeys.wordsWithoutSecrets(at: path) else { return false }
        if case .string(let text) = setting.content { return !words.contains(text) }
        return true
    }

    /// A provider or an account may have a name like `token.example`.
    private static func isName(_ path: [String]) -> Bool { path.count == 2 && ConfigurationText.namedSections.contains(path[0]) }

    /// `{ file = … }`: the place of a secret, not the secret itself.
    private static func isSource(_ setting: Setting) -> Bool {
        guard case .table(let table) = setting.content, table.members.count == 1, let member = table.members.first else { return false }
        switch (member.key, member.setting.content) {
        case ("file", .string), ("credential", .string), ("env", .string): return true
        case ("command", .list(let words)):
            return words.allSatisfy { if case .string = $0.content { true } else { false } }
        default: return false
        }
    }
}
