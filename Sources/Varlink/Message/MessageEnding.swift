/// The byte that ends a message on the socket.
public enum MessageEnding: UInt8, Sendable {
    /// What programs send (varlink.org).
    case nul = 0x00
    /// What a person at a shell sends, through `socat` or `nc -U`.
    case newline = 0x0A
}
