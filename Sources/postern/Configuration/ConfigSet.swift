import PosternClient
import PosternConfiguration
import ProgramOptions

struct ConfigSet: ConfigurationFileCommand {
    static let name = "set"
    static let abstract = "Set a key."
    static let discussion = """
        Changes your file that has the key, or else your config.toml. The value is written as in the file; quotes around text may be \
        left out. An invalid value is refused, and the file stays as it is. Secrets are refused: they would be visible on the command \
        line.

        EXAMPLES
          postern config set sign-in.timeout 5m
          postern config set sign-in.browser '["firefox", "-P", "work"]'
          postern config set provider.github.com.client-secret \\
              '{ file = "~/.config/postern/github.com.secret" }'
        """

    let key: String
    let value: String
    let file: ConfigurationFileOption
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        key = line.argument("key", help: "The key.")
        value = line.argument("value", help: "The value.")
        file = ConfigurationFileOption(&line)
        common = line.connectionOptions()
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
