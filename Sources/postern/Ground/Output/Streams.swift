import Glibc
import StrictJSON
import Synchronization

/// Results. A failed write is a failure of the command: a script must not take an empty token for a token.
enum StandardOutput {
    static func write(line: String) throws(CommandFailure) {
        var bytes = Array(line.utf8)
        bytes.append(0x0A)
        try write(bytes: bytes)
    }

    /// Prints a sentence, wrapped to fit the terminal if it is shown on one.
    static func tell(_ line: String) throws(CommandFailure) { try write(lines: Prose.wrapped(line, width: Terminal.columns)) }

    /// Writes all of them at once.
    static func write(lines: [String]) throws(CommandFailure) {
        var bytes: [UInt8] = []
        for line in lines {
            bytes += line.utf8
            bytes.append(0x0A)
        }
        try write(bytes: bytes)
    }

    static func write(bytes: [UInt8]) throws(CommandFailure) {
        guard FileDescriptorWriter.writeAll(bytes, to: STDOUT_FILENO) else {
            throw CommandFailure("the result could not be written: \(String(cString: strerror(errno)))")
        }
    }
}

/// The only place where JSON leaves the program: for a program byte for byte as the daemon wrote it, for the user without characters that
/// act on the terminal.
extension StandardOutput {
    /// A reply's parameters: on one line for a program, on several for the user.
    static func write(document: JSONObject) throws(CommandFailure) {
        written.store(true, ordering: .relaxed)
        let json = JSON.object(document)
        try write(line: isTerminal ? json.indentedText.plainJSON : json.text)
    }

    /// Like ``write(document:)``, for a document with a list that may be long: a program gets it a part at a time.
    ///
    /// - Parameters:
    ///   - name: of the list, which is the first member.
    ///   - rest: the other members.
    static func write(documentWith name: String, count: Int, _ element: (Int) -> JSON, _ rest: JSONObject) throws(CommandFailure) {
        guard !isTerminal else {
            var document: JSONObject = [:]
            document[name] = .array((0..<count).map(element))
            for member in rest.members { document[member.key] = member.value }
            return try write(document: document)
        }
        written.store(true, ordering: .relaxed)
        var text = "{" + JSON.string(name).text + ":["
        for index in 0..<count {
            if index > 0 { text += "," }
            text += element(index).text
            guard text.utf8.count > 1 << 16 else { continue }
            try write(bytes: Array(text.utf8))
            text = ""
        }
        text += "]"
        for member in rest.members { text += "," + JSON.string(member.key).text + ":" + member.value.text }
        try write(line: text + "}")
    }

    /// One of several documents: on one line, even for the user.
    static func write(documentLine document: JSONObject) throws(CommandFailure) {
        let text = JSON.object(document).text
        try write(line: isTerminal ? text.plainJSON : text)
    }

    /// A command whose document reports the problem writes no second one for the failure.
    static var hasDocument: Bool { written.load(ordering: .relaxed) }
    private static let written = Atomic(false)

    private static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

/// Messages for the user. They are dropped silently if nobody can read them.
enum StandardError {
    /// `--quiet` was given.
    static var isQuiet: Bool { quiet.load(ordering: .relaxed) }
    private static let quiet = Atomic(false)

    static func beQuiet() { quiet.store(true, ordering: .relaxed) }

    /// Prints information that requires no action.
    static func note(_ line: String) { if !isQuiet { tell(line) } }

    /// Prints a sentence, wrapped to fit the terminal.
    static func tell(_ line: String) {
        for line in Prose.wrapped(line, width: Terminal.columns(of: STDERR_FILENO)) { write(line: line) }
    }

    static func write(line: String) { write(line + "\n") }

    static func write(_ text: String) { _ = FileDescriptorWriter.writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

enum FileDescriptorWriter {
    /// False if the reader is gone or the disk is full; `errno` says which.
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

extension JSON {
    /// The value on several lines, with two spaces a level, for the user.
    var indentedText: String {
        var text = ""
        indent(into: &text, depth: 0)
        return text
    }

    private func indent(into text: inout String, depth: Int) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            text += "[\n"
            for (index, element) in elements.enumerated() {
                text += String(repeating: "  ", count: depth + 1)
                element.indent(into: &text, depth: depth + 1)
                text += index < elements.count - 1 ? ",\n" : "\n"
            }
            text += String(repeating: "  ", count: depth) + "]"
        case .object(let object) where !object.isEmpty:
            text += "{\n"
            for (index, member) in object.members.enumerated() {
                text += String(repeating: "  ", count: depth + 1) + JSON.string(member.key).text + ": "
                member.value.indent(into: &text, depth: depth + 1)
                text += index < object.count - 1 ? ",\n" : "\n"
            }
            text += String(repeating: "  ", count: depth) + "}"
        default:
            text += self.text
        }
    }
}

enum StandardInput {
    /// Longer messages than the daemon accepts are refused here.
    static let limit = 64 * 1024

    static func readAll() throws -> [UInt8] {
        let bytes = DescriptorReader.all(from: STDIN_FILENO, limit: limit) ?? []
        guard bytes.count <= limit else {
            throw CommandFailure("standard input has more than \(limit) bytes, the limit for a call", status: .wrongUsage)
        }
        return bytes
    }
}
