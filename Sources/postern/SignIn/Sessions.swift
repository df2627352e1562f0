import PosternClient
import ProgramOptions

struct Sessions: OptionlessCommand {
    static let name = "sessions"
    static let abstract = "List the sign-ins in progress, and those that ended recently."
    static let discussion = """
        EXAMPLES
          postern sessions
          postern sessions --json | jq -r '.sessions[].sessionID'
        """

    let common: CommonOptions

    func perform() throws {
        guard let reply = try call(Interface.ListSessions()) else { return }
        guard !reply.sessions.isEmpty else { return StandardError.note("no sign-in is in progress") }
        let times = terminal.times
        var table = Table()
        // Only a server's challenge gives a sign-in scopes to be shown.
        let hasScopes = reply.sessions.contains { $0.scopes != nil }
        table.add(["SESSION", "PROVIDER", "APP", "STATE", "EXPIRES"] + (hasScopes ? ["ASKS FOR"] : []))
        for session in reply.sessions {
            let scopes = session.scopes?.joined(separator: " ") ?? "-"
            table.add(
                [
                    session.sessionID, session.providerID, session.app.isEmpty ? "-" : session.app, SessionText.state(of: session),
                    times.near(session.expiresAt),
                ] + (hasScopes ? [scopes] : []))
        }
        try StandardOutput.write(lines: table.listing(within: Terminal.columns, cutsLast: false))
    }
}

enum SessionText {
    static let empty = CommandFailure.empty("the session ID", advice: "postern sessions lists the sign-ins in progress")

    /// The state of a sign-in, and how a failed one ended.
    static func state(of session: Session) -> String {
        let ended = end(of: session)
        return session.unfetched == true ? "\(ended), not fetched" : ended
    }

    private static func end(of session: Session) -> String {
        switch session.failure {
        case nil: session.state.rawValue
        case .denied: "declined"
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        case .refused: "refused"
        case .other: "failed"
        }
    }
}
