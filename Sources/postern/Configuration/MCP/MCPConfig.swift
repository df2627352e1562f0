import Glibc
import PosternClient
import PosternConfiguration
import ProgramOptions

struct MCPConfig: DaemonCommand {
    static let name = "config"
    static let abstract = "Print what an MCP client's configuration needs, or write it there."
    static let discussion = """
        Claude Code and Codex ask a program for the header fields of each connection; the others start postern mcp run, and never get a \
        token, as these two do with --bridge. No token is in any client's file. Without a name it is for all servers. --write shows the \
        change and asks, then edits the client's own file; its comments, its order and all else in it stay. A file that is not understood, \
        or a server of the same name that is not Postern's, is left as it is.

        EXAMPLES
          postern mcp config claude-code linear
          postern mcp config codex --write
          postern mcp config zed linear
        """

    let client: MCPClient
    let names: [String]
    let headers: Bool
    let bridge: Bool
    let write: Bool
    let yes: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        client =
            MCPClient(
                rawValue: line.argument(
                    "client", .oneOf(MCPClient.allCases.map(\.rawValue)), help: "The client, such as claude-code or codex.")
            ) ?? .claudeCode
        names = line.arguments("server", .servers, help: "The servers, as postern mcp list shows them. (default: all)")
        headers = line.flag("headers", help: "By header fields, which the client asks Postern for; the default where it can.")
        bridge = line.flag("bridge", help: "By postern mcp run, which the client starts; it never gets a token.")
        write = line.flag("write", help: "Edit the client's own file, after showing the change.")
        yes = line.flag("yes", help: "Do not ask.")
        common = line.connectionOptions()
    }

    func validate() throws(UsageError) {
        if headers, bridge { throw UsageError("--headers and --bridge exclude each other") }
    }

    func perform() throws {
        guard client.asksForHeaders || !headers else {
            throw CommandFailure(
                "\(client.title) takes header fields only as text, where a token would stand in a file and expire", status: .wrongUsage,
                advice: "without --headers it starts postern mcp run, and needs no token")
        }
        let entries = try entries()
        guard write else {
            try StandardOutput.write(bytes: Array(client.block(entries).utf8))
            return StandardError.note("for \(shown(try file())); --write puts it there".plain)
        }
        try edit(try file(), entries)
    }

    private var way: MCPClient.Way { client.asksForHeaders && !bridge ? .headers : .bridge }

    private func entries() throws -> [MCPClient.Entry] {
        let mainFile = (try? PosternConnection.call(Interface.GetStatus(), at: common.socketPath))?.configurationFile
        let all: [ConfiguredServer]
        do { all = try ConfiguredServer.all(in: try AccountFiles(mainFile: mainFile).text()) } catch {
            throw CommandFailure(editing: error)
        }
        var servers = all
        if !names.isEmpty {
            servers = []
            for name in names where !servers.contains(where: { $0.name == name }) { servers.append(try all.server(named: name)) }
        }
        guard !servers.isEmpty else {
            throw CommandFailure("no MCP server is configured", advice: "add one with: postern mcp add URL")
        }
        let program = try Self.program(path: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
        let entries = servers.map { MCPClient.Entry(client, way, name: $0.name, url: $0.url, program: program) }
        for (index, entry) in entries.enumerated() where entries[..<index].contains(where: { $0.key == entry.key }) {
            throw CommandFailure("two of the servers would both be \(entry.key) in \(client.title)".plain, advice: "name one of them")
        }
        return entries
    }

    /// The whole path of this program: as it is found, where a link may lead to another version later.
    private static func program(path: String) throws(CommandFailure) -> String {
        guard let own = Executable.ownPath else { throw CommandFailure("the path of this program cannot be found out") }
        if let found = Executable.find("postern", path: path), found.begins(with: "/"), ReplacedFile(found).path == own { return found }
        return own
    }

    private func file() throws(CommandFailure) -> String {
        guard let home = UserDirectories.home(environment: environment) else { throw CommandFailure("HOME is not set") }
        return client.file(home: home, variable: ProcessEnvironment.variable, exists: { access($0, F_OK) == 0 })
    }

    private func shown(_ path: String) -> String { ConfigurationPlace.short(path, environment) }

    private func edit(_ file: String, _ entries: [MCPClient.Entry]) throws {
        let target = ReplacedFile(file)
        let before = try target.content(limit: Self.sizeLimit)
        let after: [UInt8]
        do throws(JSONText.Obstacle) { after = try client.adding(entries, to: before ?? []) } catch {
            throw CommandFailure(
                "\(shown(file)) \(error), so nothing was written".plain,
                advice: "to paste it yourself: postern mcp config \(client.rawValue)")
        }
        guard after != before else { return StandardError.note("\(shown(file)) has that already".plain) }
        StandardError.tell("This goes into \(shown(file))\(before == nil ? "" : ", which is there already"):".plain)
        for line in client.difference(before ?? [], after, file: file) { StandardError.write(line: "  " + line.plain) }
        if !yes {
            guard let prompt = Prompt(interrupts: try Interrupts()) else {
                throw CommandFailure.noTerminal(to: "confirm it", advice: "to write it without asking, add --yes")
            }
            guard try prompt.isYes("Write it?", byDefault: true) else { throw AccountDialogue.declined }
        }
        // The client itself writes to its file.
        guard try target.content(limit: Self.sizeLimit) == before else {
            throw CommandFailure("\(shown(file)) has changed in the meantime and was not written".plain, advice: "run this command again")
        }
        try target.write(after)
        try StandardOutput.tell(
            "restart \(client.title): it then uses Postern for \(entries.map(\.key).joined(separator: ", "))".plain)
    }

    /// More than any client's file has, which may contain whole projects.
    private static let sizeLimit = 32 << 20
}
