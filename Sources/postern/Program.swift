import ArgumentParser
import Glibc
import PosternClient
import StrictJSON

/// The whole command line, with helpful messages for wrong usage.
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
            // Everything has been reported.
            exit(status.rawValue)
        } catch let failure as CommandFailure {
            Report.write(failure)
            exit(failure.status.rawValue)
        } catch {
            report(error, arguments)
            if let words = usage(error) {
                let width = Terminal.columns(of: STDERR_FILENO)
                for line in words.parts(separator: "\n", omittingEmptySubsequences: false) {
                    for part in Prose.lines(of: String(line), width: width) { StandardError.write(line: part) }
                }
                Postern.exit(withError: ExitCode(CommandStatus.wrongUsage.rawValue))
            }
            Postern.exit(withError: error)
        }
    }

    private static func carryOut(_ arguments: [String]) throws {
        if var command = PlainCommands.command(in: arguments) { return try command.run() }
        if arguments.first == CompletionQuestion.word {
            if let question = CompletionQuestion(arguments) { return try question.answer() }
            // The parser calls other words, as of another version's script, its own internal error; they would end up in the line that
            // the user types.
            do { _ = try Postern.parseAsRoot(arguments) } catch let error where !isAnswer(error) {
                throw ExitCode(CommandStatus.wrongUsage.rawValue)
            }
            return
        }
        if let script = CompletionScript.script(asked: arguments) { return try StandardOutput.write(line: script) }
        if let problem = UnknownCommand.found(in: arguments) { throw ValidationError(problem.sentence) }
        var command = try Postern.parseAsRoot(arguments)
        try command.run()
    }

    /// Help, the version or completions, which the parser throws when they are requested.
    private static func isAnswer(_ error: any Error) -> Bool { !(error is ExitCode) && Postern.exitCode(for: error).isSuccess }

    /// The error in the command line and the correct usage, preceded by the program's name as all other failures are.
    ///
    /// - Returns: nil if the error is not of this kind.
    static func usage(_ error: any Error) -> String? {
        guard Postern.exitCode(for: error).rawValue == CommandStatus.wrongUsage.rawValue, !(error is ExitCode) else { return nil }
        let (words, parsers) = (Postern.fullMessage(for: error), "Error: ")
        return words.rest(after: parsers).map { "postern: " + $0 } ?? words
    }

    /// A program that reads JSON receives a wrong command line as a document, like every other failure.
    private static func report(_ error: any Error, _ arguments: [String]) {
        guard Postern.exitCode(for: error).rawValue == CommandStatus.wrongUsage.rawValue, !(error is ExitCode) else { return }
        // The words after the two dashes belong to another program.
        guard arguments.prefix(while: { $0 != "--" }).contains("--json") else { return }
        try? StandardOutput.write(document: CommandFailure(Postern.message(for: error), status: .wrongUsage).document)
    }
}

/// A word in the place of a command that is not the name of one.
struct UnknownCommand: Equatable {
    var word: String
    /// The command whose subcommand was expected, as a user types it.
    var parent: String
    var meant: String?

    /// Nil if the words lead to a command, or to an error that the parser reports.
    static func found(in arguments: [String]) -> UnknownCommand? {
        var type: any ParsableCommand.Type = Postern.self
        var path = ["postern"]
        var words = arguments[...]
        if words.first == "help" { words.removeFirst() }
        while let word = words.popFirst(), !word.begins(with: "-") {
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
