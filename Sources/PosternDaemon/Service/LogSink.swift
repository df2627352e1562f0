import Glibc
import PosternSystemd

/// Takes the log to the journal with its fields where that is listening, else to the standard error in plain lines.
struct LogSink {
    private let journal = Journal()

    @DaemonActor
    func write(_ entry: DaemonLog.Entry) {
        journal.write(
            LogEntry(
                level: LogEntry.Level(entry.level), message: entry.message, messageID: entry.event.map(MessageID.init),
                fields: [
                    ("POSTERN_SESSION", entry.sessionID), ("POSTERN_PROVIDER", entry.providerID), ("POSTERN_UID", entry.uid),
                ].compactMap { name, value in value.map { (name, $0) } }))
    }
}
