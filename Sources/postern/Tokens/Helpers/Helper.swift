import ProgramOptions

/// ``HelperInvocation`` runs before the command line is read and has already answered if it could; only help and errors remain.
struct Helper: ProgramCommand {
    static let name = "helper"
    static let abstract = "Answer another program in its own protocol."
    static var discussion: String {
        """
        Programs find it by their own rules, under its own name: git-credential-postern, for example, is this command as git's helper. \
        Standard output has the protocol's answer and nothing else. No page opens without --interactive.

        PROTOCOLS
        \(protocols(within: Terminal.columns.map { $0 - 1 }).joined(separator: "\n"))

        EXAMPLES
          git config --global credential.https://github.com.helper postern
          printf 'protocol=https\\nhost=github.com\\n' | postern helper git get
        """
    }

    /// A line each, or several if the terminal is too narrow.
    static func protocols(within width: Int?) -> [String] {
        var table = Table()
        for entry in HelperTable.entries { table.add("  " + entry.name, entry.summary) }
        return table.facts(within: width)
    }

    let name: String
    let arguments: [String]

    init(_ line: inout OptionReader) {
        name = line.argument(
            "protocol", .offered { request in HelperTable.entries.map(\.name).filter { $0.begins(with: request.prefix) } },
            help: "The protocol.")
        arguments = line.allWords("argument", help: "The other program's arguments.")
    }

    func validate() throws(UsageError) {
        guard HelperTable.entries.contains(where: { $0.name == name }) else {
            let names = HelperTable.entries.map(\.name)
            let meant = Suggestion.closest(to: name, among: names).map { "did you mean \($0)? Known are" } ?? "known are"
            throw UsageError("there is no protocol called \"\(name.plain)\"; \(meant): \(names.joined(separator: ", "))")
        }
    }

    func run() -> Int32 {
        HelperInvocation(name: name, arguments: arguments)?.run() ?? CommandStatus.wrongUsage.rawValue
    }
}
