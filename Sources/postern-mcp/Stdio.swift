import Bridge
import Glibc
import ProgramOptions

/// `postern mcp run` becomes this.
struct Stdio: ProgramCommand {
    static let name = "stdio"
    static let abstract = "Connect an MCP client on standard input and output to a server."
    static let discussion = """
        Ends when its client closes standard input, or ends. If a person is needed, the client gets an error with the command to run; once \
        that is done, its next request succeeds.
        """

    let server: String
    let interactive: Bool
    let socket: String?

    init(_ line: inout OptionReader) {
        server = line.argument("server", help: "The server: a name of postern mcp list, or a URL that an account's tokens are for.")
        interactive = line.flag("interactive", help: "Open the page if a sign-in is needed, instead of only saying so.")
        socket = line.option(
            "socket", .file, named: "path",
            help: "The daemon's socket. (default: $POSTERN_SOCKET, then $XDG_RUNTIME_DIR/postern/io.postern)", ifEmpty: "must not be empty")
    }

    func validate() throws(UsageError) {
        if server.isEmpty { throw UsageError("the server's name must not be empty; postern mcp list shows the servers") }
    }

    func run() -> Int32 {
        let ending = EndOfProgram()
        let service = StdioService(server: server, isInteractive: interactive, socketPath: socket) { name, names in
            Suggestion.closest(to: name, among: names)
        }
        Confinement.begin()
        service.run { stop in ending.wait(stop) }
    }
}
