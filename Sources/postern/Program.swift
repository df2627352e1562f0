import ArgumentParser
import Glibc
import PosternClient
import StrictJSON

/// The command line as a whole: what is wrong with it is said in words that lead on.
enum Program {
    static func run(_ arguments: [String]) -> Never {
        do {
            do {
                try carryOut(arguments)
            } catch let error where isAnswer(error) {
                // The parser would not notice that nobody could read it.
                let words = Postern.fullMessage(for: error)
                if !words.isEmpty { try StandardOutput.write(line: words) }
            }
            exit(CommandStatus.done.rawValue)
        } catch let status as ExitCode {
            // All has been said.
            exit(status.rawValue)
        } catch let failure as CommandFailure {
            Report.write(failure)
            exit(failure.status.rawValue)
        } catch {
            report(error, arguments)
            if let words = usage(error) {
                StandardError.write(line: words)
                Postern.exit(withError: ExitCode(CommandStatus.wrongUsage.rawValue))
            }
            Postern.exit(withError: error)
        }
    }

    private static func carryOut(_ arguments: [String]) throws {
        if var command = PlainCommands.command(in: arguments) { return try command.run() }
        if let question = CompletionQuestion(arguments) { return try question.answer() }
        if let script = CompletionScript.script(asked: arguments) { return try StandardOutput.write(line: script) }
        if let problem = UnknownCommand.found(in: arguments) { throw ValidationError(problem.sentence) }
        var command = try Postern.parseAsRoot(arguments)
        try command.run()
    }

    /// Help, the version or what completes a word, which the parser throws where they were asked for.
    private static func isAnswer(_ error: any Error) -> Bool { !(error is ExitCode) && Postern.exitCode(for: error).isSuccess }

    /// What is wrong with the command line, and how it is written, with the name before it that stands before every other failure.
    ///
    /// - Returns: nil for what is no mistake of that kind.
    static func usage(_ error: any Error) -> String? {
        guard Postern.exitCode(for: error).rawValue == CommandStatus.wrongUsage.rawValue, !(error is ExitCode) else { return nil }
        let (words, parsers) = (Postern.fullMessage(for: error), "Error: ")
        return words.hasPrefix(parsers) ? "postern: " + words.dropFirst(parsers.count) : words
    }

    /// A program that reads JSON learns of a wrong command line as it learns of every other failure.
    private static func report(_ error: any Error, _ arguments: [String]) {
        guard Postern.exitCode(for: error).rawValue == CommandStatus.wrongUsage.rawValue, !(error is ExitCode) else { return }
        // What stands behind the two dashes is another program's.
        guard arguments.prefix(while: { $0 != "--" }).contains("--json") else { return }
        try? StandardOutput.write(document: CommandFailure(Postern.message(for: error), status: .wrongUsage).document)
    }
}

/// A word where a command should stand, and none of that name.
struct UnknownCommand: Equatable {
    var word: String
    /// The command that it should be one of, as a user types it.
    var parent: String
    var meant: String?

    /// Nil if the words lead to a command, or to something that the parser judges.
    static func found(in arguments: [String]) -> UnknownCommand? {
        var type: any ParsableCommand.Type = Postern.self
        var path = ["postern"]
        var words = arguments[...]
        if words.first == "help" { words.removeFirst() }
        while let word = words.popFirst(), !word.hasPrefix("-") {
            let commands = type.configuration.subcommands
            guard !commands.isEmpty else { return nil }
            guard let next = commands.first(where: { names(of: $0).contains(word) }) else {
                if word == "help" { return nil }
                return UnknownCommand(
                    word: word, parent: path.joined(separator: " "),
                    meant: Suggestion.closest(to: word, among: commands.filter { $0.configuration.shouldDisplay }.flatMap { names(of: $0) })
                )
            }
            type = next
            path.append(word)
        }
        return nil
    }

    var sentence: String {
        "there is no command '\(word.plain)'" + (meant.map { "; did you mean '\($0)'?" } ?? "; \(parent) --help lists them")
    }

    private static func names(of type: any ParsableCommand.Type) -> [String] { [type._commandName] + type.configuration.aliases }
}
