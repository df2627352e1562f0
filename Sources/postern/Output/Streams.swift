import Glibc
import StrictJSON

/// Results. A result that could not be written is a failure: a script must not take an empty token for one.
enum StandardOutput {
    static func write(line: String) throws(CommandFailure) {
        var bytes = Array(line.utf8)
        bytes.append(0x0A)
        guard FileDescriptorWriter.writeAll(bytes, to: STDOUT_FILENO) else {
            throw CommandFailure("the result could not be written: \(String(cString: strerror(errno)))")
        }
    }
}

/// JSON leaves the program here and nowhere else: byte for byte as the daemon wrote it for a program, and with nothing that could
/// steer the screen for a person's eyes.
extension StandardOutput {
    /// A reply's parameters: one line for a program, several for a person's eyes.
    static func write(document: JSONObject) throws(CommandFailure) {
        let json = JSON.object(document)
        try write(line: isTerminal ? json.indentedText.plainJSON : json.text)
    }

    /// One of several documents: a line, for a person's eyes too.
    static func write(documentLine document: JSONObject) throws(CommandFailure) {
        let text = JSON.object(document).text
        try write(line: isTerminal ? text.plainJSON : text)
    }

    private static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

/// Words for a person. They are lost in silence where nobody can read them.
enum StandardError {
    static func write(line: String) { write(line + "\n") }

    static func write(_ text: String) { _ = FileDescriptorWriter.writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

enum FileDescriptorWriter {
    /// False where the other end is gone or the disk is full; `errno` says which.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written) }
            if count > 0 {
                written += count
            } else if errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
