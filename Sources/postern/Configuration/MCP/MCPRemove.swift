import PosternClient
import PosternConfiguration
import ProgramOptions

struct MCPRemove: DaemonCommand {
    static let name = "remove"
    static let abstract = "Take an MCP server out of the configuration, and forget its tokens here."
    static let discussion = """
        It asks first. With --revoke the tokens are also revoked at the server's issuer, if that is possible. A client secret in a file of \
        its own stays there; its path is printed.

        EXAMPLES
          postern mcp remove linear
          postern mcp remove linear --revoke --yes
        """

    let server: String
    let revoke: Bool
    let yes: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        server = line.argument("server", .servers, help: "The name of the server, as postern mcp list shows it.")
        revoke = line.flag("revoke", help: "Also revoke its tokens at the issuer.")
        yes = line.flag("yes", help: "Do not ask.")
        common = line.connectionOptions()
    }

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let files = try AccountFiles(asking: connection)
        let edits: [ConfigurationText.Edit] = [.unset(["mcp", server])]
        let target: ConfiguredServer
        do {
            let text = try files.text()
            target = try ConfiguredServer.all(in: text).server(named: server)
            // If the section cannot go, nothing is revoked either.
            _ = try text.changes(edits)
        } catch {
            throw CommandFailure(editing: error)
        }
        let kept = try connection.call(Interface.ListCredentials()).credentials.filter { $0.providerID == server }
        try ask(target, kept)
        for credential in kept {
            let end = GrantEnd(connection: connection, keepsGrant: !revoke)
            try StandardOutput.write(lines: end.end(credential, providerName: server))
        }
        try files.change(over: connection) { _ in edits }
        try StandardOutput.write(line: "[mcp.\(server)] is no longer in the configuration".plain)
        for file in target.secretFiles {
            StandardError.note("its client secret is still in \(file); remove it with: rm \(ShellWord.quoted(file))".plain)
        }
    }

    private func ask(_ target: ConfiguredServer, _ kept: [Interface.StoredCredential]) throws {
        guard !yes else { return }
        guard let prompt = Prompt(interrupts: try Interrupts()) else {
            throw CommandFailure.noTerminal(
                to: "confirm it", advice: "to remove it without asking: postern mcp remove \(ShellWord.quoted(server)) --yes".plain)
        }
        prompt.say("[mcp.\(server)] (\(target.url)) will be removed from the configuration.".plain)
        if !kept.isEmpty {
            prompt.say(
                revoke
                    ? "Its tokens are revoked at its issuer, and forgotten here."
                    : "Its tokens are forgotten here; they stay valid at its issuer.")
        }
        guard try prompt.isYes("Remove it?", byDefault: false) else { throw AccountDialogue.declined }
    }
}
