import PosternClient
import PosternConfiguration
import ProgramOptions

struct ConfigGet: ConfigurationFileCommand {
    static let name = "get"
    static let abstract = "Print the value of one key."
    static let discussion = """
        Ends with status 1 if no file gives it. A secret in a file is not printed.

        EXAMPLES
          postern config get callback.port
          postern config get provider.github.com.client-id
        """

    let key: String
    let file: ConfigurationFileOption
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        key = line.argument("key", help: "The key.")
        file = ConfigurationFileOption(&line)
        common = line.outputOptions()
    }

    func perform(on text: ConfigurationText) throws {
        let path = try path(key, in: text)
        let entries = try text.entries(at: path)
        guard let first = entries.first else {
            if let mistake = text.mistake(in: path) { throw CommandFailure(mistake.plain) }
            throw CommandFailure("no file gives \(key); it has its default".plain, advice: "man postern.toml names the defaults")
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
