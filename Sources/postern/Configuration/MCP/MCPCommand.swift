import PosternClient
import PosternConfiguration
import PosternValues
import ProgramOptions

enum MCPCommand: CommandWord {
    static let name = "mcp"
    static let abstract = "Add, list, check and remove MCP servers, and connect MCP clients to them."
    static let discussion = """
        An MCP server is found by its URL: who signs you in, and how Postern is known there, is asked of the server. One sign-in is then \
        for all clients of this machine.

        EXAMPLES
          postern mcp add https://mcp.linear.app/mcp
          postern mcp config claude-code linear --write
          postern mcp list
          postern mcp check linear
          postern mcp remove linear --revoke
          postern mcp document --url https://example.org/postern/client.json
        """
    static let sections = [
        CommandSection([MCPAdd.self, MCPList.self, MCPRemove.self, MCPCheck.self, MCPConfig.self, MCPRun.self, MCPDocument.self])
    ]
}

/// One `[mcp.NAME]` of the configuration.
struct ConfiguredServer: Equatable {
    var name: String
    var url: String
    var login: String?
    var issuer: String?
    /// Where its issuer has endpoints besides its own host.
    var endpointHosts: [String] = []
    /// Files that have its client secret.
    var secretFiles: [String] = []

    /// In the order of the files.
    ///
    /// - Throws: if the configuration is refused.
    static func all(in text: ConfigurationText) throws -> [ConfiguredServer] {
        var servers: [ConfiguredServer] = []
        for entry in try text.entries(at: ["mcp"]) {
            guard let path = text.path(entry.key), path.count > 2 else { continue }
            if !servers.contains(where: { $0.name == path[1] }) {
                servers.append(ConfiguredServer(name: path[1], url: ""))
            }
            guard let index = servers.firstIndex(where: { $0.name == path[1] }) else { continue }
            switch path[2...].joined(separator: ".") {
            case "url": servers[index].url = entry.text ?? ""
            case "login": servers[index].login = entry.text
            case "issuer": servers[index].issuer = entry.text
            case "endpoint-hosts": servers[index].endpointHosts = entry.texts ?? []
            case "client-secret.file": servers[index].secretFiles += [entry.text].compactMap(\.self)
            default: break
            }
        }
        return servers.filter { !$0.url.isEmpty }
    }
}

extension [ConfiguredServer] {
    /// - Throws: a failure that lists the existing ones.
    func server(named name: String) throws(CommandFailure) -> ConfiguredServer {
        guard !name.isEmpty else { throw CommandFailure.empty("the server's name", advice: "postern mcp list shows the servers") }
        if let server = first(where: { $0.name == name }) { return server }
        let names = map(\.name)
        let meant = Suggestion.closest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
        throw CommandFailure(
            ("there is no MCP server called \"\(name)\"" + meant).plain, status: .wrongUsage,
            advice: (isEmpty ? "to add one: postern mcp add URL" : "known servers: \(names.joined(separator: ", "))").plain)
    }
}

extension ProgramOption.Value {
    /// The servers of the usual configuration, which is read: shells ask while no daemon may run.
    static var servers: Self {
        .offered { request in
            let text = try? ConfigurationFileOption().text(ProcessEnvironment.current)
            let servers = text.flatMap { try? ConfiguredServer.all(in: $0) } ?? []
            return NameCompletion.offered(servers.map(\.name), request.prefix)
        }
    }
}

/// What the daemon found out about a server.
extension Interface.ResolveResource.Reply {
    /// How Postern is known there, for people.
    var client: String {
        switch registration {
        case .configured: "the client ID of the configuration"
        case .document: "the client document"
        case .dynamic: "registers itself"
        case .none: "unknown there"
        }
    }

    /// What a person is to know before a sign-in.
    func facts(url: String) -> Table {
        var table = Table()
        table.add("server", url)
        if let resource, !resource.isSameURL(as: url) { table.add("tokens are for", resource) }
        // Nothing else is known of a server that could not be found.
        guard let issuer else { return table }
        table.add("signs in at", issuer)
        for host in endpointHosts ?? [] { table.add("and at", "\(host), which is not its own host") }
        table.add("Postern", client)
        table.add("scopes", scopes.isEmpty ? "those that the server chooses" : scopes.joined(separator: " "))
        return table
    }
}
