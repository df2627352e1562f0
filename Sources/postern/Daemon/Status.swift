import PosternClient
import ProgramOptions

struct Status: OptionlessCommand {
    static let name = "status"
    static let abstract = "Show the daemon's state."
    static let discussion = """
        Ends with status 4 if the daemon cannot be reached; postern doctor then says why.

        EXAMPLES
          postern status
          postern status --json | jq -r '.callbackURLs[0]'
        """

    let common: CommonOptions

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        guard let status = try call(Interface.GetStatus(), on: connection) else { return }
        var table = Table()
        table.add("version", status.version)
        table.add("running since", terminal.times.date(status.startedAt))
        for url in status.callbackURLs { table.add("callbacks at", url) }
        table.add("store", status.storeProblem != nil ? "cannot be opened" : status.locked ? "locked" : "open")
        table.add("sign-ins in progress", String(status.sessions))
        let unknown = status.storeProblem != nil ? "unknown" : Self.unknown
        table.add("users", status.users.map { String($0) } ?? unknown)
        table.add("credentials", status.credentials.map { String($0) } ?? unknown)
        if let problem = status.storeProblem { table.add("problem", "the store cannot be opened: \(problem)") }
        for problem in status.problems ?? [] { table.add("problem", problem) }
        for fault in status.leftOut ?? [] { table.add("left out", fault) }
        if let credentials = status.credentials, credentials > 0, !status.locked {
            for need in try needs(connection) { table.add("needs you", need) }
        }
        try StandardOutput.write(lines: table.facts(within: Terminal.columns))
        if let credentials = status.credentials, credentials > 0 { pointToAccounts() }
        if status.replaced == true { StandardError.tell("note: \(OlderDaemon.sentence); \(OlderDaemon.whatFollows)") }
    }

    /// The content of a closed store cannot be counted.
    static let unknown = "unknown (locked)"

    /// What only the user can do, a line each.
    private func needs(_ connection: PosternConnection) throws -> [String] {
        let times = terminal.times
        let kept = try connection.call(Interface.ListCredentials()).credentials
        return kept.compactMap { CredentialText.need(of: $0, among: kept, times: times) }
    }
}
