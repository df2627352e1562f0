/// The result of reading a command line of a program with commands.
public enum CommandReading {
    case command(any ProgramCommand)
    /// Text that was requested, for standard output.
    case text(String)
    /// What is wrong, and the command that it is wrong for.
    case refusal(UsageError, OptionTable)
}

extension OptionTable {
    /// Reads a command line without the program's name.
    ///
    /// - Parameter width: of the terminal that help would be shown on; nil if there is none.
    public func command(in arguments: [String], width: Int?) -> CommandReading {
        let width = width ?? Self.usualWidth
        if let text = versionAlone(arguments[...]) { return .text(text) }
        var table = self
        var rest = arguments[...]
        var isHelp = false
        while !table.sections.isEmpty, let word = rest.first, !word.isOption {
            if let type = table.command(named: word) {
                table = table.table(of: type)
            } else if word == "help", !isHelp {
                isHelp = true
            } else {
                return .refusal(table.noCommand(rest), table)
            }
            rest.removeFirst()
        }
        if isHelp { return .text(table.help(width: width)) }
        if let text = table.answer(to: rest, width: width) { return .text(text) }
        do throws(UsageError) {
            var reader = OptionReader(try table.values(in: rest))
            guard let type = table.command else { return .text(table.help(width: width)) }
            let command = type.init(&reader)
            try command.validate()
            return .command(command)
        } catch {
            return .refusal(error, table)
        }
    }

    private func noCommand(_ rest: ArraySlice<String>) -> UsageError {
        // `auth login` before `auth`.
        for count in [2, 1] {
            let given = rest.prefix(count).joined(separator: " ")
            if let guess = guesses.first(where: { $0.words.contains(given) }) {
                return UsageError("there is no command '\(given)'; \(guess.sentence)")
            }
        }
        let word = rest.first ?? ""
        let meant = Suggestion.closest(to: word, among: commands.flatMap { [$0.name] + $0.aliases })
        return UsageError("there is no command '\(word)'" + (meant.map { "; did you mean '\($0)'?" } ?? "; \(path) --help lists them"))
    }
}
