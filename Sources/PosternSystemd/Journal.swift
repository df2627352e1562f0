import Glibc

/// Writes log entries: to the journal with their fields if standard error is connected to it, otherwise to standard error as plain lines.
/// What would block is dropped and counted.
public struct Journal: Sendable {
    public static let identifier = "posternd"

    /// Where the journal takes entries with fields (systemd-journald.service(8)).
    public static let address = "/run/systemd/journal/socket"

    private let writer: LossyWriter<LogEntry>

    /// - Parameter address: ``address``, or a test's.
    public init(address: String = Journal.address) {
        let journal = Self.standardErrorIsJournal() ? DatagramSocket(to: address) : nil
        let lines = LineWriter(descriptor: STDERR_FILENO)
        writer = LossyWriter { lost in
            let what = lost == 1 ? "1 line was" : "\(lost) lines were"
            return LogEntry(priority: 4, message: "\(what) dropped here: the reader had stopped")
        } attempt: { entry in
            switch journal?.send(JournalDatagram(entry, program: Self.identifier).bytes) ?? .failed {
            case .sent: true
            case .full: false
            case .failed: lines.write(PlainLine(entry, program: Self.identifier).bytes)
            }
        }
    }

    public func write(_ entry: LogEntry) { writer.write(entry) }

    /// `$JOURNAL_STREAM` names the device and inode of the stream that the manager connected (systemd.exec(5)).
    private static func standardErrorIsJournal() -> Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        let parts = String(cString: stream).unicodeScalars.split(separator: ":").map(Substring.init)
        var status = stat()
        guard parts.count == 2, fstat(STDERR_FILENO, &status) == 0 else { return false }
        return UInt64(parts[0]) == UInt64(status.st_dev) && UInt64(parts[1]) == UInt64(status.st_ino)
    }
}
