import PosternCore
import TOML

/// The settings of the user over those of others: of the administrator and of packages, whose files are for everybody on the machine.
///
/// A mistake of the user's refuses the configuration. One in a section of the others' leaves out that section, since the user cannot fix it:
/// docs/inside/decisions/administrators.md.
struct SettingLayers {
    /// What packages and the administrator say, mistakes included.
    let shared: SettingTable
    let user: SettingTable
    /// Both, the user's over theirs, without what was left out.
    private(set) var settings: SettingTable
    /// Their files.
    private let files: Set<String>
    /// Secrets in their files that others can read, by section.
    private let readableSecrets: [[String]: ConfigurationError]
    /// One sentence for each mistake.
    private(set) var leftOut: [ConfigurationError]
    /// A part of the administrator's settings cannot even be told apart, so sections of the user's that only add to it cannot be read either.
    private(set) var isIncomplete = false
    /// What is left out of these sections may have said more than the defaults that stand in for it; with the reason.
    private(set) var doubts: [String: ConfigurationError] = [:]

    init(
        shared: SettingTable, user: SettingTable, files: Set<String>, leftOut: [ConfigurationError] = [],
        readableSecrets: [[String]: ConfigurationError] = [:]
    ) {
        self.shared = shared
        self.user = user
        settings = shared.merging(user)
        self.files = files
        self.leftOut = leftOut
        self.readableSecrets = readableSecrets
    }

    /// All settings as if they were the user's: any mistake counts.
    init(strictly settings: SettingTable) {
        self.init(shared: SettingTable(path: [], position: settings.position), user: settings, files: [])
    }

    /// The administrator's file cannot be used at all, and no earlier content of it is known.
    mutating func loseFile(_ file: ConfigurationFile, _ fault: ConfigurationError) {
        isIncomplete = true
        leftOut.append(fault)
        let isUnsearchable = file.isTooLarge || Self.isOfAnotherEncoding(file.bytes)
        for section in Self.doubtful where isUnsearchable || Self.mentions(section, file.bytes) { doubts[section] = fault }
    }

    // MARK: Sections

    /// Reads a section of which there is one.
    ///
    /// - Returns: nil if there is none, or it was left out.
    mutating func section<Value>(
        _ key: String, _ read: (SettingTable) throws(ConfigurationError) -> Value
    ) throws(ConfigurationError) -> Value? {
        do throws(ConfigurationError) {
            try requireNoReadableSecret(at: [key])
            return try settings.table(key).map { table throws(ConfigurationError) in try read(table) }
        } catch {
            try leaveOut([key], error) { part in
                guard case .table(let table) = part.content else { return false }
                return (try? read(table)) != nil
            }
            return try user.table(key).map { table throws(ConfigurationError) in try read(table) }
        }
    }

    /// The sections below a key, `provider` or `account`.
    mutating func members(_ key: String) throws(ConfigurationError) -> [SettingTable.Member] {
        do throws(ConfigurationError) { return try settings.table(key)?.members ?? [] } catch {
            try leaveOut([key], error) { if case .table = $0.content { true } else { false } }
            isIncomplete = true
            return try settings.table(key)?.members ?? []
        }
    }

    /// Leaves out what no section is.
    mutating func allowOnly(_ known: [String]) throws(ConfigurationError) {
        try user.allowOnly(known)
        for member in settings.members where !known.contains(member.key) {
            let one = SettingTable(path: [], position: member.keyPosition, members: [member])
            do throws(ConfigurationError) { try one.allowOnly(known) } catch {
                guard isOthers(error, at: [member.key], reads: { _ in false }) else { throw error }
                remove([member.key], because: error)
                isIncomplete = true
                guard let meant = Spelling.nearest(to: member.key, in: Self.doubtful) else { continue }
                doubt(meant, member.setting, error)
            }
        }
    }

    func requireNoReadableSecret(at path: [String]) throws(ConfigurationError) {
        if let error = readableSecrets[path] { throw error }
    }

    /// Leaves out the others' part of a section. The user's part stays, for its reader to read again or to leave out as well.
    ///
    /// - Parameter reads: whether a value of the others' at the path can be read alone.
    /// - Throws: the error, if it is the user's mistake.
    mutating func leaveOut(
        _ path: [String], _ error: ConfigurationError, reads: (Setting) -> Bool
    ) throws(ConfigurationError) {
        guard isOthers(error, at: path, reads: reads) else { throw error }
        remove(path, because: error)
        if let key = path.first, path.count == 1, let part = shared[key] { doubt(key, part, error) }
        if let own = user.value(at: path[...]), case .table(let table) = own.content {
            settings.merge(SettingTable(wrapping: table, at: path))
        }
    }

    /// Leaves out what remains of a section, the user's part included.
    mutating func remove(_ path: [String]) { settings.remove(path[...]) }

    private mutating func remove(_ path: [String], because error: ConfigurationError) {
        settings.remove(path[...])
        let name = path.count > 1 || isSection(path) ? "[\(path.map(TOMLKey.shown).joined(separator: "."))]" : path[0]
        leftOut.append(error.adding("\(name) is not used until this is fixed"))
    }

    private func isSection(_ path: [String]) -> Bool { path.first.map(ConfigurationReader.sections.contains) ?? false }

    /// Whether it is not for the user to fix.
    private func isOthers(_ error: ConfigurationError, at path: [String], reads: (Setting) -> Bool) -> Bool {
        guard let theirs = shared.value(at: path[...]) else { return isIncomplete && path.count > 1 }
        guard user.value(at: path[...]) != nil, readableSecrets[path] != error else { return true }
        // What others say about the section is fine by itself, or the mistake is in the user's own file.
        return (isIncomplete || files.contains(error.file)) && !reads(theirs)
    }

    // MARK: What must not be loosened

    /// Sections whose defaults are not the strictest that they can say.
    private static let doubtful = ["accounts", "store"]

    private mutating func doubt(_ section: String, _ content: Setting, _ error: ConfigurationError) {
        guard Self.doubtful.contains(section) else { return }
        if section == "accounts", case .table(let table) = content.content, Self.isAboutThisMachine(table) { return }
        doubts[section] = error
    }

    /// Nothing in it can be about another authority: the defaults are as strict.
    private static func isAboutThisMachine(_ table: SettingTable) -> Bool {
        table.members.allSatisfy { member in
            switch member.setting.content {
            case .boolean, .integer: true
            case .string(let text):
                member.key == "authority" ? text == Configuration.AccountAuthority.local.rawValue : member.key == "one-account-per-email"
            case .list, .table, .other: false
            }
        }
    }

    /// Whether a line of a file that cannot be parsed begins with the name, as its header and its keys would. What is invisible, or ends a
    /// line elsewhere, hides nothing.
    private static func mentions(_ section: String, _ bytes: [UInt8]) -> Bool {
        bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.contains { line in
            line.drop { $0 <= 0x20 || $0 >= 0x7F || "[\"'".utf8.contains($0) }.starts(with: section.utf8)
        }
    }

    /// A byte order mark or a NUL: nothing can be found in such a file, so it may say anything. UTF-16 and UTF-32 have one or the other.
    private static func isOfAnotherEncoding(_ bytes: [UInt8]) -> Bool {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
        return bytes.contains(0) || marks.contains { mark in bytes.starts(with: mark) }
    }
}

extension SettingTable {
    /// What is at the path.
    func value(at path: ArraySlice<String>) -> Setting? {
        guard let key = path.first, let setting = self[key] else { return nil }
        guard path.count > 1 else { return setting }
        guard case .table(let table) = setting.content else { return nil }
        return table.value(at: path.dropFirst())
    }
}
