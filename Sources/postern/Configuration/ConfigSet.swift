import ArgumentParser
import PosternClient
import PosternConfiguration

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
