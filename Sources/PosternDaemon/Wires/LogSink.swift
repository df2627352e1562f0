import PosternApplication
import PosternSystemd

/// Writes the log to the journal, with its fields, if that is listening; otherwise to standard error as plain lines.
@DaemonActor
final class LogSink: LogWriter {
    private let journal = Journal()

    func write(_ entry: EventLog.Entry) {
        journal.write(
            LogEntry(
                level: LogEntry.Level(entry.level), message: entry.message, messageID: MessageID(entry.category),
                fields: [
                    ("POSTERN_SESSION", entry.sessionID), ("POSTERN_PROVIDER", entry.providerID), ("POSTERN_UID", entry.uid),
                    ("POSTERN_REQUESTER_PID", entry.requester.map { "\($0.pid)" }), ("POSTERN_REQUESTER_EXE", entry.requester?.executable),
                    ("POSTERN_REQUESTER_UNIT", entry.requester?.unit),
                ].compactMap { name, value in value.map { (name, $0) } }))
    }
}

extension LogEntry.Level {
    init(_ level: EventLog.Level) {
        switch level {
        case .error: self = .error
        case .warning: self = .warning
        case .notice: self = .notice
        case .info: self = .info
        case .debug: self = .debug
        }
    }
}

extension MessageID {
    init(_ category: EventLog.Category) {
        switch category {
        case .started: self = .started
        case .stopping: self = .stopping
        case .signInStarted: self = .signInStarted
        case .signInProgress: self = .signInProgress
        case .signInCompleted: self = .signInCompleted
        case .signInFailed: self = .signInFailed
        case .callbackRefused: self = .callbackRefused
        case .tokenRefreshed: self = .tokenRefreshed
        case .refreshFailed: self = .refreshFailed
        case .credentialState: self = .credentialState
        case .configuration: self = .configuration
        case .storeProblem: self = .storeProblem
        case .providerProblem: self = .providerProblem
        }
    }
}
