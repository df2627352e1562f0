import PosternCore
import PosternCrypto

/// The text form of a sealing key in a file: one line that says what it is.
public enum KeyText {
    private static let label = "postern-key-1 "
    /// Base64url of 32 bytes.
    private static let encodedCount = 43

    /// Bytes of an encoded key, including the line feed.
    static let byteCount = label.utf8.count + encodedCount + 1

    public static func encode(_ key: SealingKey) -> [UInt8] {
        Array("\(label)\(key.bytes.withBytes { Base64URL.encode($0) })\n".utf8)
    }

    /// A line that ``encode(_:)`` wrote; nil for anything else, however slight the difference.
    public static func decode(_ text: some Collection<UInt8>) -> SealingKey? {
        guard text.count == byteCount, text.starts(with: label.utf8), text.dropFirst(byteCount - 1).first == UInt8(ascii: "\n"),
            let bytes = Base64URL.decode(String(decoding: text.dropFirst(label.utf8.count).prefix(encodedCount), as: UTF8.self))
        else { return nil }
        return try? SealingKey(bytes: Secret(bytes))
    }

    /// A key that a user or a tool put somewhere: 32 arbitrary bytes from a random source, or the line above, whose line feed a tool may
    /// have dropped.
    static func decode(madeElsewhere secret: Secret) -> SealingKey? {
        if secret.count == SealingKey.byteCount { return try? SealingKey(bytes: secret) }
        return secret.withBytes { decode($0.last == UInt8(ascii: "\n") ? Array($0) : Array($0) + [UInt8(ascii: "\n")]) }
    }
}
