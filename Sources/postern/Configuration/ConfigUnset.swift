import PosternClient
import PosternConfiguration
import ProgramOptions

struct ConfigUnset: ConfigurationFileCommand {
    static let name = "unset"
    static let abstract = "Remove a key, or a table with everything in it."
    static let discussion = """
        Only from your own files. If another file also gives the key, that value is in force again.

        EXAMPLES
          postern config unset sign-in.timeout
          postern config unset provider.work
        """

    let key: String
    let file: ConfigurationFileOption
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        key = line.argument("key", help: "The key.")
        file = ConfigurationFileOption(&line)
        common = line.connectionOptions()
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
