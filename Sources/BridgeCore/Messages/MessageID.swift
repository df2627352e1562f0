/// The `id` of a JSON-RPC message, or another token that a client chooses (`requestId`, `progressToken`), as it was written.
public enum MessageID: Sendable, Hashable {
    case missing
    case null
    /// The bytes of a string or number, with the quotation marks. They are never written otherwise: a client may compare texts.
    case raw([UInt8])

    /// Longer ones are refused: each is kept until the answer comes.
    public static let longest = 4096

    /// The bytes to write where an `id` is due.
    public var bytes: [UInt8] { if case .raw(let bytes) = self { bytes } else { Array("null".utf8) } }

    /// Equal for texts that mean the same: a server may write the escapes of a string or the digits of a number in another way. Nil without
    /// a value.
    public var key: Key? {
        guard case .raw(let bytes) = self else { return nil }
        guard bytes.first == UInt8(ascii: "\"") else { return Key(value: .number(NumberText(bytes))) }
        return bytes.withUnsafeBytes { buffer in
            var scanner = JSONScanner(buffer)
            // Half a surrogate pair has no UTF-8; it is compared as it was written.
            guard let text = try? scanner.string(), let string = scanner.string(text, upTo: Self.longest) else {
                return Key(value: .other(bytes))
            }
            return Key(value: .text(Array(string.utf8)))
        }
    }

    public struct Key: Sendable, Hashable {
        fileprivate enum Value: Hashable, Sendable {
            /// As bytes: equivalent characters are different texts.
            case text([UInt8])
            case number(NumberText)
            case other([UInt8])
        }
        fileprivate let value: Value
    }
}
