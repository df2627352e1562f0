import PosternClient
import PosternConfiguration
import ProgramOptions
import StrictJSON

struct MCPList: OptionlessCommand {
    static let name = "list"
    static let abstract = "List the MCP servers of the configuration, and who is signed in."
    static let discussion = """
        EXAMPLES
          postern mcp list
          postern mcp list --json |
              jq -r '.servers[] | select(.state != "good") | .name'
        """

    let common: CommonOptions

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let servers: [ConfiguredServer]
        do { servers = try ConfiguredServer.all(in: try AccountFiles(asking: connection).text()) } catch {
            throw CommandFailure(editing: error)
        }
        let kept = try connection.call(Interface.ListCredentials()).credentials
        let lines = servers.map { server in (server: server, credential: kept.first { $0.providerID == server.name }) }
        if common.json {
            return try StandardOutput.write(document: ["servers": .array(lines.map { .object(Self.object($0.server, $0.credential)) })])
        }
        guard !lines.isEmpty else { return StandardError.note("no MCP server is configured; add one with: postern mcp add URL") }
        let hasIssuers = lines.contains { $0.server.issuer != nil }
        var table = Table()
        table.add(["NAME", "URL", "ACCOUNT", "STATE"] + (hasIssuers ? ["ISSUER"] : []))
        for (server, credential) in lines {
            let state = credential.map { CredentialText.state(of: $0, terminal.times) } ?? "nobody is signed in"
            table.add(
                [server.name, server.url, credential?.calling ?? "-", state] + (hasIssuers ? [server.issuer ?? "-"] : []))
        }
        try StandardOutput.write(lines: table.listing(within: Terminal.columns))
    }

    private static func object(_ server: ConfiguredServer, _ credential: Interface.StoredCredential?) -> JSONObject {
        var object: JSONObject = ["name": .string(server.name), "url": .string(server.url)]
        object.set("issuer", server.issuer)
        object.set("login", server.login)
        object.set("account", credential?.calling)
        object.set("state", (credential?.state ?? .signInNeeded).rawValue)
        object.set("reason", credential == nil ? "nobody is signed in" : credential?.reason)
        object.set("expiresAt", credential?.expiresAt)
        object["scopes"] = .array((credential?.scopes ?? []).map { .string($0) })
        return object
    }
}
