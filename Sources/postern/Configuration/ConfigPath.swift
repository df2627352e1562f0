import PosternClient
import PosternConfiguration
import ProgramOptions

struct ConfigPath: ConfigurationFileCommand {
    static let name = "path"
    static let abstract = "Print the path of your configuration file."
    static let discussion = """
        With --json also the existing files, in the order in which they are read; later ones win key by key.

        EXAMPLES
          $EDITOR "$(postern config path)"
          postern config path --json | jq -r '.files[]'
        """

    let file: ConfigurationFileOption
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        file = ConfigurationFileOption(&line)
        common = line.outputOptions()
    }

    func perform(on text: ConfigurationText) throws {
        guard common.json else { return try StandardOutput.write(line: text.mainFile) }
        try StandardOutput.write(document: ["file": .string(text.mainFile), "files": .array(text.paths.map { .string($0) })])
    }
}
