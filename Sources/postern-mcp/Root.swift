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
          3   several accounts have the URL; name one
          4   the daemon cannot be reached
          64  wrong usage
        """
    static let sections = [CommandSection([Stdio.self, Serve.self, Proxy.self])]
}
