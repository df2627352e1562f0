import PosternClient
import PosternConfiguration
import ProgramOptions
import StrictJSON

struct ConfigShow: ConfigurationFileCommand {
    static let name = "show"
    static let abstract = "Show the values in force, and which file each comes from."
    static let discussion = """
        Values that no file gives have their defaults, and are not shown. A secret in a file is only shown as present.

        EXAMPLES
          postern config show
          postern config show --json |
              jq -r '.settings[] | select(.file | startswith("/etc/")) | .key'
        """

    let file: ConfigurationFileOption
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        file = ConfigurationFileOption(&line)
        common = line.outputOptions()
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
