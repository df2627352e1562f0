import ArgumentParser
import PosternClient

struct Sessions: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the sign-ins under way, and those that ended lately.",
        discussion: """
            EXAMPLES
              postern sessions
              postern sessions --json | jq -r '.sessions[].sessionID'
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard let reply = try call(Interface.ListSessions()) else { return }
        guard !reply.sessions.isEmpty else { return StandardError.write(line: "no sign-in is under way") }
        var table = Table()
        table.add("SESSION", "PROVIDER", "APP", "STATE", "EXPIRES")
        for session in reply.sessions {
            table.add(session.sessionID, session.providerID, session.app, session.state.rawValue, session.expiresAt)
        }
        for line in table.lines { try StandardOutput.write(line: line) }
    }
}
