import ArgumentParser
import PosternClient
import PosternConfiguration

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
