import PosternCore

/// How much of the content of a file or a command's output is the secret.
public enum SecretExtent: Sendable, Hashable {
    /// What password managers and editors put after the first line does not belong to it.
    case firstLine
    /// All lines except blank ones at the end, as for a private key in PEM.
    case whole

    /// The limit for the content of files and the output of commands, in bytes.
    static let sourceLimit = 65_536

    /// In bytes. A PEM key is longer than a client secret; the longest RSA key has less than 7,000.
    private var limit: Int {
        switch self {
        case .firstLine: 4096
        case .whole: 16_384
        }
    }

    /// - Parameter name: the name of the source, for errors.
    func secret(in bytes: [UInt8], from name: String) throws(SecretError) -> Secret {
        let text = part(of: bytes)
        let part = self == .firstLine ? "first line" : "text"
        guard !text.isEmpty else {
            throw SecretError(reason: .empty, description: self == .firstLine ? "\(name) has an empty first line" : "\(name) is empty")
        }
        guard text.count <= limit else {
            throw SecretError(reason: .tooLong, description: "\(name) has a \(part) of more than \(limit) bytes")
        }
        guard !text.contains(where: isForbidden) else {
            throw SecretError(reason: .controlCharacter, description: "\(name) has control characters in its \(part)")
        }
        return Secret(text)
    }

    private func part(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        switch self {
        case .firstLine:
            let line = bytes.prefix { $0 != 0x0A }
            return line.last == 0x0D ? line.dropLast() : line
        case .whole:
            guard let last = bytes.lastIndex(where: { $0 != 0x0A && $0 != 0x0D }) else { return [] }
            return bytes[...last]
        }
    }

    private func isForbidden(_ byte: UInt8) -> Bool {
        if self == .whole, byte == 0x0A || byte == 0x0D { return false }
        return byte < 0x20 || byte == 0x7F
    }
}
