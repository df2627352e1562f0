import Glibc

/// Standard input as the source of pasted addresses.
struct PasteInput {
    /// Nil if there is no input, or no more.
    private(set) var descriptor: Int32?
    private var lines = PastedLines()

    init(descriptor: Int32 = STDIN_FILENO) {
        self.descriptor = Self.isBackground(on: descriptor) ? nil : descriptor
    }

    /// Reading from the controlling terminal while in the background would stop the whole command (SIGTTIN). On any other terminal
    /// `tcgetpgrp` fails with ENOTTY, and reading does no harm.
    private static func isBackground(on descriptor: Int32) -> Bool {
        let foreground = tcgetpgrp(descriptor)
        return foreground >= 0 && foreground != getpgrp()
    }

    /// Whether somebody may still paste something: not if standard input is empty or ended, as under a service manager.
    var mayBring: Bool {
        guard let descriptor else { return false }
        if isatty(descriptor) == 1 { return true }
        // Input that was there before any question is not a paste: it is the end of input, or a file.
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 0
    }

    /// Call it when there is input to read. Returns complete lines.
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

/// Assembles input into lines. A line that exceeds the limit is discarded up to its end.
struct PastedLines {
    /// Well above any redirect; a terminal gives at most 4,095 characters a line.
    static let limit = 16 * 1024

    private var pending: [UInt8] = []
    private var isOverflowing = false

    /// - Returns: the lines that are now complete, without surrounding blanks; empty ones are omitted.
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

    /// The input has ended; text without a final line feed counts as a line.
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
        let scalars = text.skipping(\.properties.isWhitespace).unicodeScalars
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}
