import PosternCore
import TOML

/// Typed access. A missing value is nil; one of another type, or out of range, is an error.
extension SettingTable {
    /// In bytes; no legitimate value is longer.
    static let longestText = 4096

    func string(_ key: String) throws(ConfigurationError) -> String? {
        guard let setting = self[key] else { return nil }
        return try text(of: setting, key)
    }

    func boolean(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let setting = self[key] else { return nil }
        guard case .boolean(let value) = setting.content else { throw wrongType(key, setting, "true or false") }
        return value
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(ConfigurationError) -> Int? {
        guard let setting = self[key] else { return nil }
        guard case .integer(let value) = setting.content else { throw wrongType(key, setting, "an integer") }
        guard range.contains(value) else {
            throw error(key, "must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
        }
        return Int(value)
    }

    /// - Parameter limit: the most elements.
    func strings(_ key: String, limit: Int = 64) throws(ConfigurationError) -> [String]? {
        guard let setting = self[key] else { return nil }
        guard case .list(let elements) = setting.content else { throw wrongType(key, setting, "a list of strings") }
        return try strings(of: elements, key, limit: limit)
    }

    func strings(of elements: [Setting], _ key: String, limit: Int = 64) throws(ConfigurationError) -> [String] {
        guard elements.count <= limit else { throw error(key, "has more than \(limit) elements") }
        var texts: [String] = []
        for element in elements { texts.append(try text(of: element, key)) }
        return texts
    }

    func scopes(_ key: String) throws(ConfigurationError) -> [String]? {
        guard let scopes = try strings(key) else { return nil }
        for scope in scopes where !Scopes.isValid(scope) {
            throw error(key, "must be a list of single scopes, without blanks or quotes (RFC 6749 section 3.3)")
        }
        guard Set(scopes).count == scopes.count else { throw error(key, "names a scope twice") }
        return scopes
    }

    func table(_ key: String) throws(ConfigurationError) -> SettingTable? {
        guard let setting = self[key] else { return nil }
        guard case .table(let table) = setting.content else { throw wrongType(key, setting, "a table") }
        return table
    }

    /// One of the words of an enumeration. Another value is quoted in the error, except where somebody may take the key for that of a secret.
    func word<Word: RawRepresentable & CaseIterable>(
        _ key: String, as type: Word.Type = Word.self
    ) throws(ConfigurationError) -> Word? where Word.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = type.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            let isHidden = SecretKeys.wordsWithoutSecrets(at: path + [key]) != nil
            throw error(key, "must be one of \(words)" + (isHidden ? "" : ", not \(Self.shown(text))"))
        }
        return word
    }

    /// `"90s"`, `"10m"`, `"1h"`, `"1d"`
    func duration(_ key: String, in seconds: ClosedRange<Int>) throws(ConfigurationError) -> Duration? {
        guard let text = try string(key) else { return nil }
        guard let value = DurationText(text)?.seconds else {
            throw error(key, "must be a number with s, m, h or d, such as \"90s\", \"10m\" or \"1h\", not \(Self.shown(text))")
        }
        guard seconds.contains(value) else {
            throw error(
                key,
                "must be from \"\(DurationText(seconds: seconds.lowerBound))\" to \"\(DurationText(seconds: seconds.upperBound))\", "
                    + "not \(Self.shown(text))")
        }
        return .seconds(value)
    }

    func url(_ key: String) throws(ConfigurationError) -> EndpointURL? {
        guard let text = try string(key) else { return nil }
        do throws(EndpointURLError) { return try EndpointURL(text) } catch { throw self.error(key, error.description) }
    }

    /// A line of this length that a person can read.
    ///
    /// - Parameter rule: what it must be, for the error.
    func line(_ key: String, upTo limit: Int, _ rule: String) throws(ConfigurationError) -> String? {
        guard let text = try string(key) else { return nil }
        let isShown = text.unicodeScalars.allSatisfy { ![.control, .format, .surrogate].contains($0.properties.generalCategory) }
        guard 1...limit ~= text.utf8.count, isShown else { throw error(key, rule) }
        return text
    }

    func text(of setting: Setting, _ key: String) throws(ConfigurationError) -> String {
        guard case .string(let text) = setting.content else { throw wrongType(key, setting, "a string") }
        guard !text.isEmpty else { throw setting.position.error("\(key) in \(name) must not be empty") }
        guard text.utf8.count <= Self.longestText else {
            throw setting.position.error("\(key) in \(name) is longer than \(Self.longestText) bytes")
        }
        // A NUL would truncate a path, a line feed would split a header.
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw setting.position.error("\(key) in \(name) must not hold control characters")
        }
        return text
    }

    /// For a key that is not a secret. Text longer than any plausible value is truncated.
    static func shown(_ text: String) -> String { TOMLText.quoted(text.count > 64 ? text.prefix(64) + "…" : text) }

    func wrongType(_ key: String, _ setting: Setting, _ expected: String) -> ConfigurationError {
        setting.position.error("\(key) in \(name) must be \(expected), not \(setting.typeName)")
    }
}
