import Glibc
import PosternClient
import ProgramOptions
import StrictJSON

/// The whole command line, with helpful messages for wrong usage.
enum Program {
    static var table: OptionTable { OptionTable(of: Postern.self, version: Release.version) }

    static func run(_ arguments: [String]) -> Never {
        guard arguments.first != CompletionRequest.word else {
            // Anything else would end up in the line that the user types.
            guard let answer = table.completion(arguments) else { exit(CommandStatus.wrongUsage.rawValue) }
            exit(print(answer))
        }
        if arguments.isEmpty, AccountsCommand.isShownAlone() { exit(CommandStatus.done.rawValue) }
        switch table.command(in: arguments, width: Terminal.columns) {
        case .command(let command): exit(command.run())
        case .text(let text): exit(print(text))
        case .refusal(let error, let table):
            report(error, arguments)
            let width = Terminal.columns(of: STDERR_FILENO)
            for line in table.refusal(error, width: width).parts(separator: "\n") {
                for part in Prose.lines(of: String(line).plain, width: width) { StandardError.write(line: part) }
            }
            exit(CommandStatus.wrongUsage.rawValue)
        }
    }

    private static func print(_ text: String) -> Int32 {
        do throws(CommandFailure) {
            try StandardOutput.write(bytes: Array(text.utf8))
            return CommandStatus.done.rawValue
        } catch {
            Report.write(error)
            return error.status.rawValue
        }
    }

    /// A program that reads JSON receives a wrong command line as a document, like every other failure.
    private static func report(_ error: UsageError, _ arguments: [String]) {
        // The words after the two dashes belong to another program.
        guard arguments.prefix(while: { $0 != "--" }).contains("--json") else { return }
        try? StandardOutput.write(document: CommandFailure(error.sentence.plain, status: .wrongUsage).document)
    }
}
