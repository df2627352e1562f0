import PosternCore

extension SecretSource {
    /// A literal string, or a table that names the secret's place.
    init?(_ key: String, in table: SettingTable, paths: PathRules) throws(ConfigurationError) {
        guard let setting = table[key] else { return nil }
        switch setting.content {
        case .string: self = .literal(Secret(try table.text(of: setting, key)))
        case .table(let source): self = try Self.source(source, paths: paths)
        default:
            throw table.wrongType(key, setting, "a string or a table such as { file = \"…\" }")
        }
    }

    private static func source(_ table: SettingTable, paths: PathRules) throws(ConfigurationError) -> SecretSource {
        let kinds = ["file", "credential", "command", "env"]
        try table.allowOnly(kinds)
        guard table.members.count == 1 else {
            throw table.position.error("\(table.name) must have exactly one of \(kinds.joined(separator: ", "))")
        }
        if let path = try paths.path("file", in: table) { return .file(path) }
        if let name = try table.string("credential") {
            // It becomes a file name.
            guard name != ".", name != "..", !name.unicodeScalars.contains("/") else {
                throw table.error("credential", "must be the name of a systemd credential, without slashes")
            }
            return .credential(name)
        }
        if let command = try table.strings("command") {
            guard !command.isEmpty else { throw table.error("command", "names no program") }
            return .command(command)
        }
        guard let name = try table.string("env"), ServiceVariables.isName(name) else {
            throw table.error("env", "must be the name of an environment variable: letters, digits and _")
        }
        return .environment(name)
    }
}
