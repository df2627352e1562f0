import ArgumentParser
import PosternClient
import PosternConfiguration

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
