/// RFC 4648 section 6, the form in which people type the secret of a one-time password.
public enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// - Parameter padded: with `=` up to a multiple of eight, as the RFC has it; authenticator programs want it without.
    public static func encode(_ bytes: some Collection<UInt8>, padded: Bool = false) -> String {
        var text: [UInt8] = []
        var buffer: UInt16 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt16(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> bits & 31)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (5 - bits) & 31)]) }
        if padded { while text.count % 8 != 0 { text.append(UInt8(ascii: "=")) } }
        return String(decoding: text, as: UTF8.self)
    }
}
