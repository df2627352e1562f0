extension Configuration.Accounts {
    static let keys = ["one-account-per-email", "authority"] + Configuration.Firebase.keys

    init(_ table: SettingTable, paths: PathRules) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        oneAccountPerEmail = try table.boolean("one-account-per-email") ?? oneAccountPerEmail
        authority = try table.word("authority") ?? authority
        firebase = try Configuration.Firebase(table, authority: authority, paths: paths)
    }
}

extension Configuration.Store {
    static let keys = ["key"]

    init(_ table: SettingTable) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        key = try table.word("key") ?? key
    }
}

extension Configuration.Daemon {
    static let keys = ["idle-exit", "log-level"]

    init(_ table: SettingTable) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        if try table.string("idle-exit") == "never" {
            idleExit = nil
        } else {
            idleExit = try table.duration("idle-exit", in: 1...(7 * 86_400)) ?? idleExit
        }
        logLevel = try table.word("log-level") ?? logLevel
    }
}

extension Configuration.SignIn {
    static let keys = ["timeout", "browser", "languages", "flow"]

    init(_ table: SettingTable) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        // The interface's limit for a program is the same hour.
        timeout = try table.duration("timeout", in: 1...3600) ?? timeout
        browser = try Configuration.Browser("browser", in: table) ?? browser
        languages = try Self.languages(table) ?? languages
        flow = try table.word("flow") ?? flow
    }

    private static func languages(_ table: SettingTable) throws(ConfigurationError) -> [String]? {
        guard let languages = try table.strings("languages") else { return nil }
        let known = Configuration.SignIn().languages
        for language in languages where !known.contains(language) {
            throw table.error(
                "languages", "must be some of \(known.map { "\"\($0)\"" }.joined(separator: ", ")), not \(SettingTable.shown(language))")
        }
        guard !languages.isEmpty, Set(languages).count == languages.count else {
            throw table.error("languages", "must name at least one language, and each once")
        }
        return languages
    }
}

extension Configuration.Browser {
    init?(_ key: String, in table: SettingTable) throws(ConfigurationError) {
        guard let setting = table[key] else { return nil }
        switch setting.content {
        case .string("portal"): self = .portal
        case .string("none"): self = .none
        case .string(let text):
            throw table.error(
                key, "must be \"portal\", \"none\" or a command as a list, such as [\"xdg-open\"], not \(SettingTable.shown(text))")
        case .list(let elements):
            let command = try table.strings(of: elements, key)
            guard !command.isEmpty else { throw table.error(key, "names no program; use \"none\" to open no page") }
            self = .command(command)
        default: throw table.wrongType(key, setting, "a list of strings, \"portal\" or \"none\"")
        }
    }
}
