import Bridge
import Glibc
import ProgramOptions

/// systemd starts this for the MCP socket.
struct Serve: ProgramCommand {
    static let name = "serve"
    static let abstract = "Serve the MCP socket: the server of [mcp.NAME] is at the path /NAME."
    static let discussion = """
        For clients that speak HTTP over a Unix socket. systemd starts it for the socket $XDG_RUNTIME_DIR/postern-mcp/mcp.sock when a client \
        connects, and it ends when nobody has used it for a while. An open stream counts as use. With --listen it stays, unless --idle says \
        otherwise: nothing would start it again.
        """

    let path: String?
    let idle: Int?
    let socket: String?

    init(_ line: inout OptionReader) {
        path = line.option(
            "listen", .file, named: "path", help: "The socket to make, if systemd passes none; absolute.", ifEmpty: "must not be empty")
        idle = line.integer(
            "idle", 1...86_400, named: "seconds", help: "How long it stays without a client. (default: 60; with --listen: for ever)")
        socket = line.option(
            "socket", .file, named: "path",
            help: "The daemon's socket. (default: $POSTERN_SOCKET, then $XDG_RUNTIME_DIR/postern/io.postern)", ifEmpty: "must not be empty")
    }

    func run() -> Int32 {
        let ending = EndOfProgram()
        do {
            var descriptors = Self.passedDescriptors()
            if let path {
                guard descriptors.isEmpty else { return Self.refuse("systemd has passed a socket already; leave --listen out") }
                descriptors = try MCPSocketService.makeSocket(at: path)
            }
            guard !descriptors.isEmpty else {
                return Self.refuse(
                    "there is no socket; start it with: systemctl --user start postern-mcp.socket, or name one with --listen")
            }
            Confinement.begin()
            let service = MCPSocketService { exit(EXIT_SUCCESS) }
            try service.start(descriptors, idle: idle.map(Int64.init) ?? (path == nil ? 60 : nil), daemon: socket)
            ending.wait { service.stop() }
        } catch {
            return Self.refuse("\(error)")
        }
    }

    private static func refuse(_ text: String) -> Int32 {
        ErrorOutput(program: "postern-mcp serve").tell(text)
        return EXIT_FAILURE
    }

    /// Of sd_listen_fds(3): the first is 3. Whether each is a socket that can be served is checked where it is.
    private static func passedDescriptors() -> [Int32] {
        func number(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }
        guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS"), (1...64).contains(count) else { return [] }
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        return Array(3..<(3 + count))
    }
}
