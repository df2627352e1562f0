/// One line of the log, with fields for searching the journal.
public struct LogEntry: Sendable {
    /// The levels of syslog(3).
    public enum Level: Int, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7
    }

    public var level: Level
    public var message: String
    public var messageID: MessageID?
    public var fields: [(name: String, value: String)]

    public init(level: Level, message: String, messageID: MessageID? = nil, fields: [(name: String, value: String)] = []) {
        self.level = level
        self.message = message
        self.messageID = messageID
        self.fields = fields
    }
}

/// The kind of entry, for `journalctl MESSAGE_ID=…`. The numbers never change.
public enum MessageID: String, Sendable, CaseIterable {
    case started = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b10"
    case stopping = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b11"
    case signInStarted = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b12"
    case signInCompleted = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b13"
    case signInFailed = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b14"
    case callbackRefused = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b15"
    case tokenRefreshed = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b16"
    case refreshFailed = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b17"
    case configuration = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b18"
    case storeProblem = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b19"
    case providerProblem = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b1a"
    case signInProgress = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b1b"
    case credentialState = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b1c"
}
