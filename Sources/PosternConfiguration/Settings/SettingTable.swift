import TOML

/// A table merged from all files.
struct SettingTable: Sendable {
    struct Member: Sendable {
        var key: String
        var keyPosition: SourcePosition
        var setting: Setting

        func with(_ setting: Setting) -> Self {
            var member = self
            member.setting = setting
            return member
        }
    }

    /// The keys that lead here; empty for the root.
    let path: [String]
    /// Where it begins.
    let position: SourcePosition
    private(set) var members: [Member] = []
    private var places: [String: Int] = [:]

    init(path: [String], position: SourcePosition) {
        self.path = path
        self.position = position
    }

    init(path: [String], position: SourcePosition, members: [Member]) {
        self.init(path: path, position: position)
        for member in members { append(member) }
    }

    /// As in its header: `[provider."github.com"]`.
    var name: String { path.isEmpty ? "the file" : "[\(path.map(TOMLKey.shown).joined(separator: "."))]" }

    subscript(key: String) -> Setting? { places[key].map { members[$0].setting } }

    /// Nil also for a value that is no table, which is reported where it is read.
    func inner(_ key: String) -> SettingTable? { if case .table(let table)? = self[key]?.content { table } else { nil } }

    /// All values below, with the keys that lead there; a secret's source is one. The parser's depth limit bounds the recursion.
    var leaves: [(path: [String], setting: Setting)] {
        members.flatMap { member -> [(path: [String], setting: Setting)] in
            let path = path + [member.key]
            if case .table(let inner) = member.setting.content, !SecretKeys.isSecret(path) { return inner.leaves }
            return [(path, member.setting)]
        }
    }

    /// A table of one file.
    ///
    /// - Parameter position: where it begins.
    init(_ table: TOMLTable, path: [String], position: SourcePosition) {
        self.init(path: path, position: position)
        for member in table.members {
            let setting = Setting(member.value, path: path + [member.key], file: position.file)
            append(
                Member(key: member.key, keyPosition: SourcePosition(file: position.file, line: member.keyPosition.line), setting: setting))
        }
    }

    /// The tables that contain a table, with nothing else in them.
    init(wrapping table: SettingTable, at path: [String]) {
        var table = table
        for depth in path.indices.reversed() {
            var outer = SettingTable(path: Array(path[..<depth]), position: table.position)
            outer.append(Member(key: path[depth], keyPosition: table.position, setting: Setting(table)))
            table = outer
        }
        self = table
    }

    private mutating func append(_ member: Member) {
        places[member.key] = members.count
        members.append(member)
    }

    /// Merges a later file: tables are merged, all else is replaced.
    mutating func merge(_ table: TOMLTable, file: String) {
        merge(SettingTable(table, path: path, position: SourcePosition(file: file, line: 1)))
    }

    /// Like ``merge(_:file:)``.
    mutating func merge(_ later: SettingTable) {
        for member in later.members {
            guard let index = places[member.key] else {
                append(member)
                continue
            }
            if case .table(let addition) = member.setting.content, case .table(var settings) = members[index].setting.content,
                !Self.wholeTables.contains(member.key)
            {
                settings.merge(addition)
                members[index].setting = Setting(settings)
            } else {
                members[index] = member
            }
        }
    }

    func merging(_ later: SettingTable) -> SettingTable {
        var merged = self
        merged.merge(later)
        return merged
    }

    /// Tables that are one value: `{ file = … }` in one file and `{ env = … }` in a later one must not be merged.
    private static let wholeTables = SecretKeys.names.union(["api-key"])

    /// Refuses the first key that is not in the list, and names the one that was probably meant.
    ///
    /// - Parameter others: keys that have another name here.
    func allowOnly(_ known: [String], others: [String: String] = [:]) throws(ConfigurationError) {
        for member in members where !known.contains(member.key) {
            let hint =
                if let right = others[member.key], known.contains(right) {
                    "here it is \(right)"
                } else if let nearest = Spelling.nearest(to: member.key, in: known) {
                    "did you mean \(nearest)?"
                } else {
                    "known here: \(known.joined(separator: ", "))"
                }
            var error = member.keyPosition.error("unknown key \(TOMLKey.shown(member.key)) in \(name); \(hint)")
            error.isUnknownKey = true
            throw error
        }
    }

    /// The error for the value of a key; without a key, for the table.
    func error(_ key: String, _ message: String) -> ConfigurationError {
        (self[key]?.position ?? position).error("\(key) in \(name) \(message)")
    }
}

extension SettingTable {
    /// The keys that lead to what is on a line: the innermost if there are several.
    func path(at position: SourcePosition) -> [String]? {
        for member in members {
            if case .table(let table) = member.setting.content, let inner = table.path(at: position) { return inner }
            if member.keyPosition == position || member.setting.stands(at: position) { return path + [member.key] }
        }
        return nil
    }

    /// Removes a member of this table or of a nested one.
    mutating func remove(_ keys: ArraySlice<String>) {
        guard let key = keys.first, let index = members.firstIndex(where: { $0.key == key }) else { return }
        if keys.count > 1, case .table(var table) = members[index].setting.content {
            table.remove(keys.dropFirst())
            members[index].setting = Setting(table)
            return
        }
        members.remove(at: index)
        places = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($0.element.key, $0.offset) })
    }
}

extension Setting {
    fileprivate func stands(at position: SourcePosition) -> Bool {
        if self.position == position { return true }
        guard case .list(let elements) = content else { return false }
        return elements.contains { $0.stands(at: position) }
    }
}
