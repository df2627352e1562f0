import PosternCore
import TOML

/// The configuration as its files have it, for a user who views or changes it. It never reveals a secret.
public struct ConfigurationText: Sendable {
    /// One value in force.
    public struct Entry: Sendable, Hashable {
        /// In the notation of the files: `provider."github.com".client-id`.
        public var key: String
        /// In the notation of the files; for a secret in a file, only that there is one.
        public var value: String
        /// The text itself, if the value is a string.
        public var text: String?
        /// The texts themselves, if the value is a list of strings.
        public var texts: [String]?
        public var file: String
        public var line: Int
        public var isHidden: Bool
    }

    /// Absolute.
    public let mainFile: String
    let environment: [String: String]
    let files: [ConfigurationFile]

    /// - Throws: if a file cannot be read. The content of the files is checked later.
    public init(path: String, environment: [String: String]) throws(ConfigurationError) {
        mainFile = ConfigurationLoader.absolute(path)
        self.environment = environment
        files = try ConfigurationLoader.files(path: path, environment: environment)
    }

    /// The files that exist, in the order in which they are read.
    public var paths: [String] { files.filter { $0.fault == nil }.map(\.path) }

    /// Empty if there is no such file.
    public func content(of path: String) -> [UInt8] { files.first { $0.path == path }?.bytes ?? [] }

    /// Whether any of the files has the text anywhere, as the name of another file.
    public func mentions(_ text: String) -> Bool { files.contains { String(decoding: $0.bytes, as: UTF8.self).holds(text) } }

    private var reader: ConfigurationReader { ConfigurationLoader.reader(path: mainFile, environment: environment) }

    // MARK: Looking

    /// The configuration that the files describe.
    public func configuration() throws(ConfigurationError) -> Configuration { try reader.read(files) }

    /// The values in force at a key or below it, in the order of the files; by default all.
    ///
    /// - Throws: if the configuration is refused.
    public func entries(at path: [String] = []) throws(ConfigurationError) -> [Entry] {
        var table = try reader.understood(files).settings
        for (index, part) in path.enumerated() {
            guard let setting = table[part] else { return [] }
            let isLast = index == path.count - 1
            if isLast, SecretKeys.isSecret(path) { return [Self.entry(path, setting)] }
            guard case .table(let inner) = setting.content else { return isLast ? [Self.entry(path, setting)] : [] }
            table = inner
        }
        return table.leaves.map(Self.entry)
    }

    private static func entry(_ path: [String], _ setting: Setting) -> Entry {
        var entry = Entry(
            key: path.map(TOMLText.key).joined(separator: "."), value: written(setting), file: setting.position.file,
            line: setting.position.line,
            isHidden: false)
        if case .list(let elements) = setting.content {
            let texts = elements.compactMap { if case .string(let text) = $0.content { text } else { nil } }
            if texts.count == elements.count { entry.texts = texts }
        }
        if case .string(let text) = setting.content {
            entry.text = text
            if SecretKeys.isSecret(path) {
                entry.text = nil
                entry.value = "\"…\""
                entry.isHidden = true
            }
        }
        return entry
    }

    static func written(_ setting: Setting) -> String {
        switch setting.content {
        case .string(let text): TOMLText.quoted(text)
        case .integer(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .list(let elements): "[" + elements.map(written).joined(separator: ", ") + "]"
        case .table(let table):
            "{ " + table.members.map { "\(TOMLText.key($0.key)) = \(written($0.setting))" }.joined(separator: ", ") + " }"
        case .other: setting.typeName
        }
    }

    // MARK: Keys

    /// The sections whose members have names of their own: `[provider.NAME]`.
    static let namedSections = ["provider", "mcp", "account"]

    /// A key as a user types it. A name with a full stop needs no quotes if there is a provider or account of that name.
    ///
    /// - Returns: nil if the text is not a key.
    public func path(_ text: String) -> [String]? {
        guard let parts = TOMLText.path(text), let section = parts.first, Self.namedSections.contains(section), parts.count > 2 else {
            return TOMLText.path(text)
        }
        let names = names(in: section)
        for end in (3...parts.count).reversed() {
            let name = parts[1..<end].joined(separator: ".")
            if names.contains(name) { return [section, name] + parts[end...] }
        }
        return parts
    }

    /// Whether Postern itself knows the server of a provider of that name.
    public static func isBuiltIn(_ providerID: String) -> Bool { Catalogue.provider(providerID) != nil }

    /// Nil also for a built-in provider without one.
    public static func issuer(ofBuiltIn providerID: String) -> String? { Catalogue.provider(providerID)?.issuer }

    /// Nil if no built-in provider has that issuer.
    public static func tokenEndpoint(ofBuiltInIssuer issuer: String) -> String? {
        Catalogue.providers.first { $0.issuer == issuer }?.endpoints.token
    }

    /// Who says which server a provider has, or its client; nil if no file does. Of several it is the one trusted least: a package's
    /// section may be merged with settings of the user's.
    ///
    /// - Throws: if the configuration is refused.
    public func origin(ofProvider providerID: String) throws(ConfigurationError) -> ConfigurationFile.Origin? {
        let sources = Set(try entries(at: ["provider", providerID]).map(\.file))
        let origins = Set(files.filter { sources.contains($0.path) }.map(\.origin))
        return [.package, .administrator, .user].first { origins.contains($0) }
    }

    func names(in section: String) -> Set<String> {
        var names = Set(section == "provider" ? Catalogue.providers.map(\.id) : [])
        for file in files {
            guard let table = try? TOMLTable(parsing: file.bytes), case .table(let named)? = table[section]?.content else { continue }
            names.formUnion(named.members.map(\.key))
        }
        return names
    }

    /// What is wrong with a key that no file has: the sentence with which the configuration would refuse it, or the name that was probably
    /// meant.
    ///
    /// - Returns: nil for a valid key, and if it cannot be decided.
    public func mistake(in path: [String]) -> String? {
        if path.count > 1, Self.namedSections.contains(path[0]), !names(in: path[0]).contains(path[1]) {
            // A name with a full stop may have been given without its quotes.
            for end in (2...path.count).reversed() {
                let given = path[1..<end].joined(separator: ".")
                guard let name = Spelling.nearest(to: given, in: names(in: path[0]).sorted()) else { continue }
                return "there is no \(Self.shown([path[0], given])); did you mean \(Self.shown([path[0], name] + path[end...]))?"
            }
            return nil
        }
        // As if the key were present: an unknown key is refused before its value is read.
        let probe = path.map(TOMLText.key).joined(separator: ".") + " = true"
        let given = ConfigurationFile(path: mainFile, bytes: Array(probe.utf8), access: FileAccess(mode: 0o600))
        do throws(ConfigurationError) { _ = try reader.understood(files + [given]) } catch {
            if error.isUnknownKey { return error.message }
        }
        return nil
    }

    // MARK: Changing

    /// A file as it would be after the change.
    public struct Change: Sendable {
        public var file: String
        public var before: [UInt8]
        public var after: [UInt8]
        /// Whether the file does not exist yet.
        public var isNew: Bool

        public var isNothing: Bool { before == after }

        public init(file: String, before: [UInt8], after: [UInt8], isNew: Bool) {
            self.file = file
            self.before = before
            self.after = after
            self.isNew = isNew
        }
    }

    /// Sets keys in the file that has the first of them now: the last of the user's files.
    ///
    /// - Parameters:
    ///   - values: in the notation of the files, or as plain text if they are not TOML.
    ///   - removed: keys to remove from the same file.
    ///   - file: the file for a key that none of the user's files has; by default the one with its section, or else the main file.
    /// - Throws: if the changed configuration would be refused; nothing is written here.
    public func setting(
        _ values: [(path: [String], value: ConfigurationValue)], removing removed: [[String]] = [], in file: String? = nil
    ) throws -> Change {
        guard let first = values.first?.path ?? removed.first else { throw ConfigurationEditError("no key is named") }
        let position = file ?? userFile(with: first) ?? userFile(withSectionOf: first) ?? mainFile
        let existing = files.first { $0.path == position }
        var text = try self.text(of: position)
        let before = text.bytes
        for (path, value) in values { try Self.edit(position, path) { () throws(TOMLEditError) in try text.set(path, to: value.text) } }
        for path in removed { _ = try Self.edit(position, path) { () throws(TOMLEditError) in try text.unset(path) } }
        let change = Change(file: position, before: before, after: text.bytes, isNew: existing == nil)
        try check(change)
        return change
    }

    /// A value as a user types it on a command line: TOML if it is accepted, otherwise text.
    public func setting(_ path: [String], typed: String) throws -> Change {
        guard let value = TOMLText.value(typed) else { return try settingText(path, typed) }
        if Self.hasSecret(value, at: path) { throw ConfigurationEditError.secret(Self.shown(path)) }
        do { return try setting([(path, ConfigurationValue(text: typed))]) } catch let first {
            // `123` can be a client ID. A value that is already a TOML string is not reinterpreted as other text.
            if case .string = value.content { throw first }
            do { return try settingText(path, typed) } catch let second {
                if second is ConfigurationEditError, !(first is ConfigurationEditError) { throw second }
                throw first
            }
        }
    }

    private func settingText(_ path: [String], _ text: String) throws -> Change {
        if SecretKeys.isSecret(path) { throw ConfigurationEditError.secret(Self.shown(path)) }
        return try setting([(path, .text(text))])
    }

    private static func hasSecret(_ value: TOMLValue, at path: [String]) -> Bool {
        switch value.content {
        case .string: SecretKeys.isSecret(path)
        case .table(let table): table.members.contains { hasSecret($0.value, at: path + [$0.key]) }
        default: false
        }
    }

    /// - Returns: nil if no file has the key.
    /// - Throws: if the configuration without it would be refused, if the file is not the user's, or if a file cannot be parsed.
    public func unsetting(_ path: [String]) throws -> Change? {
        guard let position = userFile(with: path) else {
            guard let other = files.last(where: { Self.has(path, in: $0) }) else {
                // The key may be in a file that cannot be parsed.
                for file in files where file.origin != .package { _ = try ConfigurationReader.table(of: file) }
                return nil
            }
            throw ConfigurationEditError(
                "\(Self.shown(path)) stands in \(other.path), which is not yours; set your own value to override it")
        }
        var text = try self.text(of: position)
        let before = text.bytes
        guard try Self.edit(position, path, { () throws(TOMLEditError) in try text.unset(path) }) else { return nil }
        let change = Change(file: position, before: before, after: text.bytes, isNew: false)
        try check(change)
        return change
    }

    static func edit<Value>(
        _ file: String, _ path: [String], _ change: () throws(TOMLEditError) -> Value
    ) throws(ConfigurationEditError) -> Value {
        do throws(TOMLEditError) { return try change() } catch { throw ConfigurationEditError("\(file): \(shown(path)): \(error)") }
    }

    /// - Throws: if the changed configuration would be refused.
    public func check(_ change: Change) throws(ConfigurationError) {
        try check(replacing: [change.file: change.after])
    }

    /// Also refuses a change that would have a section of the administrator's left out.
    func check(replacing contents: [String: [UInt8]?]) throws(ConfigurationError) {
        let after = try ConfigurationLoader.load(path: mainFile, environment: environment, replacing: contents)
        guard let before = try? configuration() else { return }
        let others = Set(files.filter { $0.origin == .administrator }.map(\.path))
        if let new = after.leftOut.first(where: { others.contains($0.file) && !before.leftOut.contains($0) }) { throw new }
    }

    /// The last of the user's files that has the key; nil if none has it.
    public func userFile(with path: [String]) -> String? { files.last { $0.origin == .user && Self.has(path, in: $0) }?.path }

    /// The main file is preferred. Each provider and each account has a section.
    func userFile(withSectionOf path: [String]) -> String? {
        let section = Array(path.prefix(path.first.map(Self.namedSections.contains) == true ? 2 : 1))
        guard section.count < path.count else { return nil }
        if let main = files.first(where: { $0.path == mainFile }), Self.has(section, in: main) { return mainFile }
        return userFile(with: section)
    }

    static func has(_ path: [String], in file: ConfigurationFile) -> Bool {
        guard var table = try? TOMLTable(parsing: file.bytes), let last = path.last else { return false }
        for part in path.dropLast() {
            guard case .table(let inner)? = table[part]?.content else { return false }
            table = inner
        }
        return table[last] != nil
    }

    func text(of path: String) throws(ConfigurationError) -> TOMLText {
        let bytes = files.first { $0.path == path }?.bytes ?? []
        do throws(TOMLParseError) { return try TOMLText(bytes) } catch { throw ConfigurationError(error, in: path) }
    }

    static func shown(_ path: [String]) -> String { path.map(TOMLKey.shown).joined(separator: ".") }
}

/// A value in the notation of the files.
public struct ConfigurationValue: Sendable {
    var text: String

    public static func text(_ text: String) -> ConfigurationValue { ConfigurationValue(text: TOMLText.quoted(text)) }

    public static func list(_ texts: [String]) -> ConfigurationValue {
        ConfigurationValue(text: "[" + texts.map(TOMLText.quoted).joined(separator: ", ") + "]")
    }

    /// `{ id = "…" }`, an account's identifier at its provider.
    public static func identifier(_ text: String) -> ConfigurationValue { ConfigurationValue(text: "{ id = \(TOMLText.quoted(text)) }") }

    /// `{ file = "…" }`
    public static func secret(_ source: SecretPlace) -> ConfigurationValue {
        switch source {
        case .file(let path): ConfigurationValue(text: "{ file = \(TOMLText.quoted(path)) }")
        case .credential(let name): ConfigurationValue(text: "{ credential = \(TOMLText.quoted(name)) }")
        case .command(let words):
            ConfigurationValue(text: "{ command = [" + words.map(TOMLText.quoted).joined(separator: ", ") + "] }")
        }
    }

    /// Where a secret is kept outside the configuration.
    public enum SecretPlace: Sendable {
        case file(String)
        case credential(String)
        case command([String])
    }
}

/// Why a change was not made.
public struct ConfigurationEditError: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
    /// What to do instead.
    public var advice: String?

    init(_ description: String, advice: String? = nil) {
        self.description = description
        self.advice = advice
    }

    static func secret(_ key: String) -> ConfigurationEditError {
        ConfigurationEditError(
            "\(key) is a secret, and other programs can read a command line",
            advice: "put it into a file of mode 600, then: postern config set '\(key)' '{ file = \"PATH\" }'; or: postern setup")
    }
}
