import PosternClient
import PosternConfiguration
import ProgramOptions
import StrictJSON

struct MCPCheck: DaemonCommand {
    static let name = "check"
    static let abstract = "Check an MCP server by the rules for signing in, one line each."
    static let discussion = """
        Asks the server and its issuer anew, without a sign-in and without storing anything: the resource's metadata, the issuer's, PKCE, \
        how Postern would be known there, scopes and addresses. A line that begins with warn works, but not for everything; fail keeps \
        a sign-in from succeeding. Useful for the authors of servers, too. Ends with status 1 if something fails.

        A URL is examined as it is given, also where a configured server covers it; what a section configures counts for its name.

        The document of --json has url; name, resource and issuer, where there are any; endpointHosts, the hosts to which you would have \
        to agree; scopes, which a sign-in requests; registration, which is configured, document, dynamic or none; signedIn; and findings, \
        each with level (ok, warn or fail), title, detail and, if there is one, fix.

        EXAMPLES
          postern mcp check linear
          postern mcp check https://mcp.example.org/mcp
          postern mcp check linear --json |
              jq -r '.findings[] | select(.level != "ok") | .detail'
        """

    let server: String
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        server = line.argument("server", .servers, help: "The name of a server, as postern mcp list shows it, or a URL.")
        common = line.commonOptions()
    }

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let (url, name) = try named(asking: connection)
        let reply = try connection.call(Interface.ResolveResource(url: url, name: name))
        let findings = reply.findings.map(Finding.init)
        if common.json {
            try StandardOutput.write(document: reply.document(url: url))
        } else {
            for line in findings.flatMap({ $0.lines(terminal: terminal.forResults, width: Terminal.columns) }) {
                try StandardOutput.write(line: line)
            }
        }
        if findings.contains(where: { $0.level == .fail }) { throw CommandFailure("a sign-in for \(url) would not succeed".plain) }
    }

    /// Several servers may have one URL.
    private func named(asking connection: PosternConnection) throws -> (url: String, name: String?) {
        guard !server.holds("://") else { return (server, nil) }
        do {
            let known = try ConfiguredServer.all(in: try AccountFiles(asking: connection).text()).server(named: server)
            return (known.url, known.name)
        } catch {
            throw CommandFailure(editing: error)
        }
    }
}

extension Interface.ResolveResource.Reply {
    /// For programs.
    func document(url: String) -> JSONObject {
        var document: JSONObject = ["url": .string(url)]
        document.set("name", name)
        document.set("resource", resource)
        document.set("issuer", issuer)
        if let endpointHosts { document["endpointHosts"] = .array(endpointHosts.map { .string($0) }) }
        document["scopes"] = .array(scopes.map { .string($0) })
        document["registration"] = .string(registration.rawValue)
        document["signedIn"] = .bool(signedIn)
        document["findings"] = .array(findings.map { .object(Finding($0).object) })
        return document
    }
}
