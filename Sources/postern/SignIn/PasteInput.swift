import Glibc

/// Standard input as a source of pasted addresses.
struct PasteInput {
    /// Nil where nothing can come (any more).
    private(set) var descriptor: Int32?
    private var lines = PastedLines()

    init() {
        // Reading from the terminal while in the background would stop the whole command (SIGTTIN).
        let isBackground = isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) != getpgrp()
        descriptor = isBackground ? nil : STDIN_FILENO
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
