import Glibc
import PosternSystemd

/// Logs to a standard error that nobody reads until it is full and for a while after, reads it all, and logs once more. Tells how many
/// lines came, and what the last ones were.
///
/// - Parameter kind: of the standard error: `pipe` or `socket`.
func stalled(_ kind: String) {
    // A writer that waits for room would wait for ever.
    alarm(20)
    guard let (reading, writing) = stream(kind), dup2(writing, STDERR_FILENO) == STDERR_FILENO else { exit(1) }
    let flags = fcntl(STDERR_FILENO, F_GETFL)
    let journal = Journal()
    let count = 20_000
    for number in 1...count { journal.write(LogEntry(priority: 5, message: "line \(number)")) }
    let received = lines(from: reading)
    journal.write(LogEntry(priority: 5, message: "the end"))
    print(received.count < count ? "lost some" : "lost none", received.allSatisfy { $0.hasPrefix("posternd: line ") } ? "whole" : "broken")
    let last = lines(from: reading)
    let lost = last.first?.split(separator: " ").dropFirst(2).first.flatMap { Int($0) } ?? 0
    print(received.count + lost == count ? "all are counted" : "\(received.count) came and \(lost) were lost")
    for line in last { print(line.replacing(String(lost), with: "N")) }
    print(fcntl(STDERR_FILENO, F_GETFL) == flags ? "the mode is as it was" : "the mode was changed")
}

private func stream(_ kind: String) -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    let made = kind == "pipe" ? pipe(&ends) : socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    return made == 0 ? (ends[0], ends[1]) : nil
}

/// All that is there, without waiting.
private func lines(from descriptor: Int32) -> [Substring] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 0) == 1 {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
}
