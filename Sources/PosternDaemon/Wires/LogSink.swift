import PosternApplication
import PosternSystemd

/// Writes the log to the journal, with its fields, if that is listening; otherwise to standard error as plain lines.
@DaemonActor
final class LogSink: LogWriter {
    private let journal = Journal()

    func write(_ entry: EventLog.Entry) {
        journal.write(
            LogEntry(
                priority: entry.level.priority, message: entry.message, messageID: entry.category.rawValue,
                fields: [
                    ("POSTERN_SESSION", entry.sessionID), ("POSTERN_PROVIDER", entry.providerID), ("POSTERN_UID", entry.uid),
                    ("POSTERN_REQUESTER_PID", entry.requester.map { "\($0.pid)" }), ("POSTERN_REQUESTER_EXE", entry.requester?.executable),
                    ("POSTERN_REQUESTER_UNIT", entry.requester?.unit),
                ].compactMap { name, value in value.map { (name, $0) } }))
    }
}
