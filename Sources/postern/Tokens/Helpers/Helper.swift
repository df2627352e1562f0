import ArgumentParser

/// ``HelperInvocation`` runs before the argument parser and has already answered if it could; only help and errors remain.
struct Helper: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "helper",
        abstract: "Answer another program in its own protocol.",
        discussion: """
            Programs find it by their own rules, under its own name: git-credential-postern, for example, is this command as git's helper. \
            Standard output has the protocol's answer and nothing else. No page opens without --interactive.

            PROTOCOLS
            \(protocols(within: Terminal.columns.map { $0 - 1 }).joined(separator: "\n"))

            EXAMPLES
              git config --global credential.https://github.com.helper postern
              printf 'protocol=https\\nhost=github.com\\n' | postern helper git get
            """)

    /// A line each, or several if the terminal is too narrow: the argument parser would continue at the margin, also with a line that
    /// reaches the last column.
    static func protocols(within width: Int?) -> [String] {
        var table = Table()
        for entry in HelperTable.entries { table.add("  " + entry.name, entry.summary) }
        return table.facts(within: width)
    }

    @Argument(help: ArgumentHelp("The protocol.", valueName: "protocol"), completion: .list(HelperTable.entries.map(\.name)))
    var name: String

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The other program's arguments.", valueName: "argument"))
    var arguments: [String] = []

    mutating func validate() throws {
        guard HelperTable.entries.contains(where: { $0.name == name }) else {
            let names = HelperTable.entries.map(\.name)
            let meant = Suggestion.closest(to: name, among: names).map { "did you mean \($0)? Known are" } ?? "known are"
            throw ValidationError("there is no protocol called \"\(name.plain)\"; \(meant): \(names.joined(separator: ", "))")
        }
    }

    func run() throws {
        guard let invocation = HelperInvocation(name: name, arguments: arguments) else { return }
        let status = invocation.run()
        if status != 0 { throw ExitCode(status) }
    }
}
