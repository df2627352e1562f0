import Glibc
import PosternInterface
import ProgramOptions

enum Program {
    private static var table: OptionTable { OptionTable(of: PosternMCP.self, version: Release.version) }

    static func run() -> Never {
        let arguments = table.arguments()
        if let answer = table.completion(arguments) { table.end(with: answer) }
        switch table.command(in: arguments, width: nil) {
        case .command(let command): exit(command.run())
        case .text(let text): table.end(with: text)
        case .refusal(let error, let table): table.refuse(error)
        }
    }
}
