import Glibc

/// Standard input as a source of pasted addresses.
struct PasteInput {
    /// Nil if nothing can come (any more).
    private(set) var descriptor: Int32?
    private var lines = PastedLines()

    init(descriptor: Int32 = STDIN_FILENO) {
        self.descriptor = Self.isBackground(on: descriptor) ? nil : descriptor
    }

    /// Reading from its terminal while in the background would stop the whole command (SIGTTIN). That holds for the controlling
    /// terminal alone: on any other one `tcgetpgrp` fails with ENOTTY, and reading does no harm.
    private static func isBackground(on descriptor: Int32) -> Bool {
        let foreground = tcgetpgrp(descriptor)
        return foreground >= 0 && foreground != getpgrp()
    }

    /// Somebody may still paste something: not where standard input is empty or ended, as under a service manager.
    var mayBring: Bool {
        guard let descriptor else { return false }
        if isatty(descriptor) == 1 { return true }
        // What is there before anything was asked for is no paste: it is an end, or a file.
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 0
    }

    /// To be called when there is something to read. Returns complete lines.
    mutating func read() -> [String] {
        guard let descriptor else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count > 0 { return lines.received(bytes[..<count]) }
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        self.descriptor = nil
        return lines.ended()
    }
}

/// Puts what is typed together into lines. A line that grows past all sense is thrown away up to its end.
struct PastedLines {
    /// Well above any redirect; a terminal itself gives at most 4,095 characters a line.
    static let limit = 16 * 1024

    private var pending: [UInt8] = []
    private var isOverflowing = false

    /// - Returns: the lines that are now complete, without surrounding blanks; empty ones left out.
    mutating func received(_ bytes: some Collection<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D {
                if !isOverflowing { append(pending, to: &lines) }
                pending = []
                isOverflowing = false
            } else if pending.count < Self.limit {
                pending.append(byte)
            } else {
                isOverflowing = true
            }
        }
        return lines
    }

    /// The input ended; what stands there without a line's end counts.
    mutating func ended() -> [String] {
        var lines: [String] = []
        if !isOverflowing { append(pending, to: &lines) }
        pending = []
        return lines
    }

    private func append(_ bytes: [UInt8], to lines: inout [String]) {
        let line = Self.trimmed(String(decoding: bytes, as: UTF8.self))
        if !line.isEmpty { lines.append(line) }
    }

    /// Without surrounding blanks.
    static func trimmed(_ text: String) -> String {
        var line = text.drop { $0.isWhitespace }
        while line.last?.isWhitespace == true { line.removeLast() }
        return String(line)
    }
}
