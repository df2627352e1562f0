import Glibc
import PosternInterface
import ProgramOptions

/// The list of all commands: each is in a file of its own.
enum PosternMCP: CommandWord {
    static let name = "postern-mcp"
    static let abstract = "Connects programs to servers with the user's authorization; no program gets a token."
    static let discussion = """
        postern, systemd and MCP clients start it: see postern mcp run, postern exec --proxy, and postern mcp config. Each request is \
        authorized by the daemon, posternd, in the moment in which it is sent.

        EXIT STATUS
          0   done
          1   failed; the reason is on standard error
          3   the user must sign in first
          4   the daemon cannot be reached
          64  wrong usage
        """
    static let sections = [CommandSection([Stdio.self, Serve.self, Proxy.self])]
}

enum Program {
    static var table: OptionTable { OptionTable(of: PosternMCP.self, version: Release.version) }

    static func run() -> Never {
        // `CommandLine.arguments` replaces what is not UTF-8, and another server of such a name would be used.
        for index in 1..<max(1, Int(CommandLine.argc)) {
            if let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil {
                table.refuse("argument \(index) is not UTF-8")
            }
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let answer = table.completion(arguments) { exit(written(answer, to: STDOUT_FILENO) ? EXIT_SUCCESS : EXIT_FAILURE) }
        switch table.command(in: arguments, width: nil) {
        case .command(let command): exit(command.run())
        case .text(let text): exit(written(text, to: STDOUT_FILENO) ? EXIT_SUCCESS : EXIT_FAILURE)
        case .refusal(let error, let table):
            _ = written(table.refusal(error), to: STDERR_FILENO)
            exit(wrongUsage)
        }
    }

    /// EX_USAGE of sysexits.h, which is not in the Glibc module.
    static let wrongUsage: Int32 = 64

    private static func written(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
        }
        return true
    }
}
