import Glibc

/// Standard input as a source of pasted addresses.
struct PasteInput {
    /// Nil where nothing can come (any more).
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
