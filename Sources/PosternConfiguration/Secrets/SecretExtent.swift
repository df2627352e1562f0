import PosternCore

/// How much of what a file or a command has is the secret.
public enum SecretExtent: Sendable, Hashable {
    /// What password managers and editors put behind the first line is none of it.
    case firstLine
    /// All lines but for blank ones at the end, as of a private key in PEM.
    case whole

    /// In bytes; what files and commands may have at all.
    static let sourceLimit = 65_536

    /// In bytes. A key in PEM is no client secret, and the longest RSA key has less than 7,000.
    private var limit: Int {
        switch self {
        case .firstLine: 4096
        case .whole: 16_384
        }
    }

    /// - Parameter name: of the source, for what is thrown.
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
