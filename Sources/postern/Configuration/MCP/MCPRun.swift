import Glibc
import PosternClient
import ProgramOptions

struct MCPRun: DaemonCommand {
    static let name = "run"
    static let abstract = "Connect an MCP client to a server over standard input and output."
    static let discussion = """
        MCP clients start it: postern mcp config writes it into their files. The client speaks MCP with this command, which sends each of \
        its requests to the server with a token of the account; the client never gets one. If a person is needed, the request is answered \
        with an error that names the command to run, and a notification offers the same; once that is done, the next request succeeds. \
        Ends with the client.

        Becomes the program postern-mcp, and ends as that does: with 3 if several accounts have the URL, with 4 if the daemon cannot be \
        reached. A client that waits for an answer gets the error instead.

        EXAMPLES
          postern mcp run linear
          postern mcp run https://mcp.example.org/mcp
        """

    let server: String
    let interactive: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        server = line.argument("server", .servers, help: "The server, or a URL that an account's tokens are for.")
        interactive = line.flag("interactive", help: "Open the page if a sign-in is needed, instead of only naming the command.")
        common = line.connectionOptions()
    }

    func validate() throws(UsageError) {
        if server.isEmpty { throw UsageError("the server's name is empty; postern mcp list shows the servers") }
    }

    func perform() throws {
        let program = try BridgeProgram.find()
        CommandRun(words: Self.words(program: program, server: server, interactive: interactive, socket: common.socket)).replaceProcess()
            .passOn()
    }

    /// The command line of the bridge.
    static func words(program: String, server: String, interactive: Bool, socket: String?) -> [String] {
        // A name may begin with a dash.
        [program, "stdio"] + (interactive ? ["--interactive"] : []) + (socket.map { ["--socket=\($0)"] } ?? []) + ["--", server]
    }
}
