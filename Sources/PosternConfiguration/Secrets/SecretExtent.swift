import PosternCore

/// How much of the content of a file or a command's output is the secret.
public enum SecretExtent: Sendable, Hashable {
    /// What password managers and editors put after the first line does not belong to it.
    case firstLine
    /// All lines except blank ones at the end, as for a private key in PEM.
    case whole

    /// Editors put it before UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

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
            throw SecretError(description: self == .firstLine ? "\(name) has an empty first line" : "\(name) is empty")
        }
        guard text.count <= limit else {
            throw SecretError(description: "\(name) has a \(part) of more than \(limit) bytes")
        }
        guard !text.contains(where: isForbidden) else {
            throw SecretError(description: "\(name) has control characters in its \(part)")
        }
        return Secret(text)
    }

    /// Without what editors and the clipboard put around it: a byte order mark, blanks and carriage returns.
    private func part(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        let text = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(Self.byteOrderMark.count) : bytes[...]
        let part = self == .firstLine ? text.prefix { $0 != 0x0A } : text
        let around: [UInt8] = self == .firstLine ? [0x0D, 0x20] : [0x0A, 0x0D, 0x20]
        guard let first = part.firstIndex(where: { $0 != 0x20 }), let last = part.lastIndex(where: { !around.contains($0) }), first <= last
        else { return [] }
        return part[first...last]
    }

    private func isForbidden(_ byte: UInt8) -> Bool {
        if self == .whole, byte == 0x0A || byte == 0x0D { return false }
        return byte < 0x20 || byte == 0x7F
    }
}
