import Glibc
import PosternClient

/// A secret passed by a script.
enum SecretFile {
    /// Returns the first line.
    ///
    /// - Parameter path: `-` is standard input.
    static func read(_ path: String) throws -> String {
        let name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw CommandFailure("\(name) cannot be read: \(String(cString: strerror(errno)))".plain) }
        defer { close(descriptor) }
        guard let bytes = DescriptorReader.all(from: descriptor, limit: 4096, until: { $0.contains(0x0A) }) else {
            throw CommandFailure("\(name) cannot be read: \(String(cString: strerror(errno)))".plain)
        }
        guard !bytes.isEmpty else { throw CommandFailure("\(name) is empty; its first line should be the client secret".plain) }
        let line = try line(of: bytes, from: name)
        guard !line.isEmpty, line.utf8.count <= 4096 else {
            throw CommandFailure("the first line of \(name) should be the client secret, but it is empty or too long".plain)
        }
        return line
    }

    /// The first line, without a byte order mark before it and blanks around it.
    static func line(of bytes: [UInt8], from name: String) throws(CommandFailure) -> String {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let line = String(validating: text.prefix { $0 != 0x0A }, as: UTF8.self) else {
            throw CommandFailure("the first line of \(name) is not UTF-8".plain)
        }
        return PastedLines.trimmed(line)
    }
}
