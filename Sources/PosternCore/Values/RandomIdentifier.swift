/// Identifiers that people and programs pass around.
public enum RandomIdentifier {
    private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// 28 letters and digits, as Firebase's uids are: more than 160 random bits.
    ///
    /// - Parameter bytes: 28 random bytes, one per character. 256 is not a multiple of 62, so eight characters are slightly more likely
    ///   than the rest; that costs less than one bit in total.
    public static func uid(randomBytes bytes: [UInt8]) -> String {
        text(bytes.prefix(28))
    }

    /// 24 letters and digits: more than 140 random bits. Nothing else, because it is given to commands as an argument, and a leading dash
    /// would make it an option.
    ///
    /// - Parameter bytes: 24 random bytes, one per character.
    public static func sessionID(randomBytes bytes: [UInt8]) -> String {
        text(bytes.prefix(24))
    }

    /// For signed requests: 24 letters and digits, and nothing else, as X requires.
    ///
    /// - Parameter bytes: 24 random bytes, one per character.
    public static func nonce(randomBytes bytes: [UInt8]) -> String { text(bytes.prefix(24)) }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(bytes.map { letters[Int($0) % letters.count] })
    }
}
