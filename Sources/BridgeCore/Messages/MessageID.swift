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
    public var key: Key? { nil }

    public struct Key: Sendable, Hashable {
        let bytes: [UInt8]
    }
}
