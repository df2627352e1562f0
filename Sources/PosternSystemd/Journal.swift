import CSystemd
import Glibc

/// Writes log entries: to the journal with their fields if standard error is connected to it, otherwise to standard error as plain lines.
/// If writing such a line would block, it is dropped and counted.
public struct Journal: Sendable {
    public static let identifier = "posternd"

    public let isConnected: Bool

    private let lines = LineWriter(descriptor: STDERR_FILENO) { lost in
        let message =
            lost == 1 ? "1 line was dropped here: the reader had stopped" : "\(lost) lines were dropped here: the reader had stopped"
        return PlainLine(LogEntry(level: .warning, message: message), program: Journal.identifier).bytes
    }

    public init() { isConnected = Self.standardErrorIsJournal() }

    public func write(_ entry: LogEntry) {
        if !isConnected || !send(entry) { lines.write(PlainLine(entry, program: Self.identifier).bytes) }
    }

    private func send(_ entry: LogEntry) -> Bool {
        var fields = [
            "MESSAGE=\(entry.message)", "PRIORITY=\(entry.level.rawValue)", "SYSLOG_IDENTIFIER=\(Self.identifier)",
        ]
        if let id = entry.messageID { fields.append("MESSAGE_ID=\(id.rawValue)") }
        fields += entry.fields.map { "\($0.name)=\($0.value)" }
        // One allocation for all; the vector points into it during the call.
        let bytes = fields.map { Array($0.utf8) }
        return withVectors(bytes) { vectors in sd_journal_sendv(vectors.baseAddress, Int32(vectors.count)) } >= 0
    }

    /// `$JOURNAL_STREAM` names the device and inode of the stream that the manager connected (systemd.exec(5)).
    private static func standardErrorIsJournal() -> Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        let parts = String(cString: stream).split(separator: ":")
        var status = stat()
        guard parts.count == 2, fstat(STDERR_FILENO, &status) == 0 else { return false }
        return UInt64(parts[0]) == UInt64(status.st_dev) && UInt64(parts[1]) == UInt64(status.st_ino)
    }

    private func withVectors<Result>(_ fields: [[UInt8]], _ body: (UnsafeBufferPointer<iovec>) -> Result) -> Result {
        var joined = fields.flatMap { $0 }
        return joined.withUnsafeMutableBytes { buffer in
            var offset = 0
            let vectors = fields.map { field in
                defer { offset += field.count }
                return iovec(iov_base: buffer.baseAddress?.advanced(by: offset), iov_len: field.count)
            }
            return vectors.withUnsafeBufferPointer(body)
        }
    }
}
