import PosternClient
import ProgramOptions
import StrictJSON

struct MonitorCommand: OptionlessCommand {
    static let name = "monitor"
    static let abstract = "Show events as they happen; never a secret."
    static let discussion = """
        One line an event, until Ctrl-C. With --json each line is a document.

        EXAMPLES
          postern monitor
          postern monitor --json | jq -r 'select(.kind == "signInCompleted") | .uid'
        """

    let common: CommonOptions

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let terminal = terminal
        try connection.callMore(Interface.Monitor.method.name, JSONObject(), isWatched: true) { reply in
            if common.json {
                try StandardOutput.write(documentLine: reply)
            } else {
                try StandardOutput.write(line: Self.line(for: reply, times: terminal.times))
            }
        }
    }

    private static func line(for reply: JSONObject, times: TimeText) throws -> String {
        let event = try PosternConnection.read(Interface.Monitor.Reply.self, from: reply)
        var line = "\(times.stamp(event.time))  \(event.kind)"
        for part in [event.providerID, event.app].compactMap({ $0 }) { line += "  " + part }
        return (line + "  " + event.message).plain
    }
}
