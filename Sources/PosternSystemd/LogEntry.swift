/// One line of the log, with fields for searching the journal.
public struct LogEntry: Sendable {
    /// As in syslog(3): 3 for an error, up to 7 for debugging.
    public var priority: Int
    public var message: String
    /// The kind of entry, for `journalctl MESSAGE_ID=…`.
    public var messageID: String?
    public var fields: [(name: String, value: String)]

    public init(priority: Int, message: String, messageID: String? = nil, fields: [(name: String, value: String)] = []) {
        self.priority = priority
        self.message = message
        self.messageID = messageID
        self.fields = fields
    }
}
