import ArgumentParser
import PosternClient
import PosternConfiguration
import StrictJSON

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and change the configuration.",
        discussion: """
            A key is written as in the file: callback.port, or provider."github.com".client-id, whose quotes may be left out. A change keeps comments and order, is checked before it is written, and takes effect at once or when the command says.

            EXAMPLES
              postern config show
              postern config set sign-in.timeout 5m
              postern config get provider.github.com.client-id
              postern config unset sign-in.timeout
              postern config edit
            """,
        subcommands: [ConfigPath.self, ConfigShow.self, ConfigGet.self, ConfigSet.self, ConfigUnset.self, ConfigEdit.self])
}

/// A command about the files, which needs no daemon.
protocol ConfigurationFileCommand: DaemonCommand {
    var file: ConfigurationFileOption { get }
    func perform(on text: ConfigurationText) throws
}

extension ConfigurationFileCommand {
    func perform() throws {
        do { try perform(on: try file.text(environment)) } catch { throw CommandFailure(editing: error) }
    }

    func path(_ key: String, in text: ConfigurationText) throws -> [String] {
        guard let path = text.path(key) else {
            throw CommandFailure(
                key.isEmpty ? "no key was named" : "\(key) is not a key".plain, status: .wrongUsage,
                advice: "write it as in the file: callback.port, provider.\"github.com\".client-id")
        }
        return path
    }
}

/// A command that changes the files.
protocol ConfigurationChangeCommand: ConfigurationFileCommand where Options == ConnectionOptions {}

extension ConfigurationChangeCommand {
    func reload(after change: ConfigurationText.Change, of text: ConfigurationText) throws {
        try ConfigurationReload(socketPath: common.socketPath, environment: environment, mainFile: text.mainFile).report(change)
    }
}

struct ConfigPath: ConfigurationFileCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print the path of your configuration file.",
        discussion: """
            With --json also the existing files, in the order in which they are read; later ones win key by key.

            EXAMPLES
              $EDITOR "$(postern config path)"
              postern config path --json | jq -r '.files[]'
            """)

    @OptionGroup var file: ConfigurationFileOption
    @OptionGroup var common: OutputOptions

    mutating func take(from line: inout PlainLine) {
        file = ConfigurationFileOption(plain: &line)
        common = Options(plain: &line)
    }

    func perform(on text: ConfigurationText) throws {
        guard common.json else { return try StandardOutput.write(line: text.mainFile) }
        try StandardOutput.write(document: ["file": .string(text.mainFile), "files": .array(text.paths.map { .string($0) })])
    }
}

struct ConfigShow: ConfigurationFileCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the values in force, and which file each comes from.",
        discussion: """
            Values that no file gives have their defaults, and are not shown. A secret in a file is only shown as present.

            EXAMPLES
              postern config show
              postern config show --json |
                  jq -r '.settings[] | select(.file | startswith("/etc/")) | .key'
            """)

    @OptionGroup var file: ConfigurationFileOption
    @OptionGroup var common: OutputOptions

    mutating func take(from line: inout PlainLine) {
        file = ConfigurationFileOption(plain: &line)
        common = Options(plain: &line)
    }

    func perform(on text: ConfigurationText) throws {
        let entries = try text.entries()
        if common.json { return try StandardOutput.write(document: ["settings": .array(entries.map { .object($0.object) })]) }
        guard !entries.isEmpty else { return StandardError.write(line: "no file gives a value; all have their defaults") }
        for entry in entries { try StandardOutput.write(line: "\(entry.key) = \(entry.value)   # \(entry.file):\(entry.line)".plain) }
    }
}

extension ConfigurationText.Entry {
    var object: JSONObject {
        var object: JSONObject = ["key": .string(key)]
        if !isHidden { object["value"] = .string(text ?? value) }
        object["file"] = .string(file)
        object["line"] = .integer(Int64(line))
        return object
    }
}

struct ConfigGet: ConfigurationFileCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of one key.",
        discussion: """
            Ends with status 1 if no file gives it. A secret in a file is not printed.

            EXAMPLES
              postern config get callback.port
              postern config get provider.github.com.client-id
            """)

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var file: ConfigurationFileOption
    @OptionGroup var common: OutputOptions

    mutating func take(from line: inout PlainLine) {
        file = ConfigurationFileOption(plain: &line)
        common = Options(plain: &line)
        key = line.argument()
    }

    func perform(on text: ConfigurationText) throws {
        let path = try path(key, in: text)
        let entries = try text.entries(at: path)
        guard let first = entries.first else {
            if let mistake = text.mistake(in: path) { throw CommandFailure(mistake.plain) }
            throw CommandFailure("no file gives \(key); it has its default".plain, advice: "docs/configuration.md names the defaults")
        }
        if common.json { return try StandardOutput.write(document: ["settings": .array(entries.map { .object($0.object) })]) }
        // If the value is a table, its keys are printed.
        guard entries.count == 1, text.path(first.key) == path else {
            for entry in entries { try StandardOutput.write(line: "\(entry.key) = \(entry.value)".plain) }
            return
        }
        guard !first.isHidden else {
            throw CommandFailure("\(key) is a secret, and is not shown; it is in \(first.file):\(first.line)".plain)
        }
        try StandardOutput.write(line: (first.text ?? first.value).plain)
    }
}

struct ConfigSet: ConfigurationChangeCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set a key.",
        discussion: """
            Changes your file that has the key, or else your config.toml. The value is written as in the file; quotes around text may be \
            left out. An invalid value is refused, and the file stays as it is. Secrets are refused: they would be visible on the command \
            line.

            EXAMPLES
              postern config set sign-in.timeout 5m
              postern config set sign-in.browser '["firefox", "-P", "work"]'
              postern config set provider.github.com.client-secret \\
                  '{ file = "~/.config/postern/github.com.secret" }'
            """)

    @Argument(help: "The key.")
    var key: String

    @Argument(help: "The value.")
    var value: String

    @OptionGroup var file: ConfigurationFileOption
    @OptionGroup var common: ConnectionOptions

    mutating func take(from line: inout PlainLine) {
        file = ConfigurationFileOption(plain: &line)
        common = Options(plain: &line)
        key = line.argument()
        value = line.argument()
    }

    func perform(on text: ConfigurationText) throws {
        let path = try path(key, in: text)
        let update = try file.locked(text, environment) { text in
            let update = ConfigurationUpdate(change: try text.setting(path, typed: value))
            if !update.change.isNothing { try update.write() }
            return update
        }
        guard !update.change.isNothing else { return StandardError.write(line: "\(key) already has that value".plain) }
        StandardError.write(line: "\(update.change.file):".plain)
        for line in update.lines { StandardError.write(line: line) }
        try reload(after: update.change, of: text)
    }
}

struct ConfigUnset: ConfigurationChangeCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove a key, or a table with everything in it.",
        discussion: """
            Only from your own files. If another file also gives the key, that value is in force again.

            EXAMPLES
              postern config unset sign-in.timeout
              postern config unset provider.work
            """)

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var file: ConfigurationFileOption
    @OptionGroup var common: ConnectionOptions

    mutating func take(from line: inout PlainLine) {
        file = ConfigurationFileOption(plain: &line)
        common = Options(plain: &line)
        key = line.argument()
    }

    func perform(on text: ConfigurationText) throws {
        let path = try path(key, in: text)
        let update = try file.locked(text, environment) { text in
            guard let change = try text.unsetting(path) else {
                throw CommandFailure((text.mistake(in: path) ?? "no file gives \(key), so there is nothing to take out").plain)
            }
            let update = ConfigurationUpdate(change: change)
            try update.write()
            return update
        }
        StandardError.write(line: "\(update.change.file):".plain)
        for line in update.lines { StandardError.write(line: line) }
        if let other = try file.text(environment).entries(at: path).first {
            StandardError.write(line: "in force now: \(other.key) = \(other.value), from \(other.file):\(other.line)".plain)
        }
        try reload(after: update.change, of: text)
    }
}
