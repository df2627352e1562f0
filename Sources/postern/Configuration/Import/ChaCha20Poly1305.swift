/// Decrypts ChaCha20-Poly1305 (RFC 8439).
///
/// For pizauth's dumps, whose key is public in its source and protects nothing: this does not run in constant time, and must not be used
/// for anything else. It avoids loading a cryptographic library at the command's start.
enum ChaCha20Poly1305 {
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - nonce: 12 bytes.
    ///   - sealed: the ciphertext and a tag of 16 bytes.
    /// - Returns: nil if the tag does not match.
    static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        guard key.count == 32, nonce.count == 12, sealed.count >= 16 else { return nil }
        let text = Array(sealed.dropLast(16))
        let padding = [UInt8](repeating: 0, count: (16 - text.count % 16) % 16)
        let lengths = littleEndian(0) + littleEndian(UInt64(text.count))
        let oneTimeKey = Array(block(key, nonce, counter: 0).prefix(32))
        guard Poly1305.tag(of: text + padding + lengths, key: oneTimeKey) == Array(sealed.suffix(16)) else { return nil }
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        for start in stride(from: 0, to: text.count, by: 64) {
            let stream = block(key, nonce, counter: UInt32(truncatingIfNeeded: start / 64 + 1))
            for (byte, mask) in zip(text[start..<min(start + 64, text.count)], stream) { plain.append(byte ^ mask) }
        }
        return plain
    }

    private static func littleEndian(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    static func block(_ key: [UInt8], _ nonce: [UInt8], counter: UInt32) -> [UInt8] {
        var start: [UInt32] = [0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574]
        start += words(key) + [counter] + words(nonce)
        var state = start
        func quarter(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {
            state[a] &+= state[b]
            state[d] = rotated(state[d] ^ state[a], 16)
            state[c] &+= state[d]
            state[b] = rotated(state[b] ^ state[c], 12)
            state[a] &+= state[b]
            state[d] = rotated(state[d] ^ state[a], 8)
            state[c] &+= state[d]
            state[b] = rotated(state[b] ^ state[c], 7)
        }
        for _ in 0..<10 {
            quarter(0, 4, 8, 12)
            quarter(1, 5, 9, 13)
            quarter(2, 6, 10, 14)
            quarter(3, 7, 11, 15)
            quarter(0, 5, 10, 15)
            quarter(1, 6, 11, 12)
            quarter(2, 7, 8, 13)
            quarter(3, 4, 9, 14)
        }
        var bytes: [UInt8] = []
        for (word, first) in zip(state, start) {
            let sum = word &+ first
            for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: sum >> shift)) }
        }
        return bytes
    }

    private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }

    private static func words(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count, by: 4).map { (place: Int) -> UInt32 in
            var word: UInt32 = 0
            for byte in bytes[place..<place + 4].reversed() { word = word << 8 | UInt32(byte) }
            return word
        }
    }
}

/// RFC 8439 section 2.5, with a limb for each byte.
enum Poly1305 {
    /// - Parameter message: a multiple of 16 bytes.
    static func tag(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var factor = key.prefix(16).map { Int($0) } + [0]
        for place in [3, 7, 11, 15] { factor[place] &= 15 }
        for place in [4, 8, 12] { factor[place] &= 252 }
        var sum = [Int](repeating: 0, count: 17)
        for start in stride(from: 0, to: message.count, by: 16) {
            add(message[start..<start + 16] + [1], to: &sum)
            // What exceeds 2^130 is multiplied by five and added (2^130 - 5). The limbs end at 2^136, which is 64 times as much.
            sum = (0..<17).map { place in
                (0..<17).reduce(0) { $0 + sum[$1] * ($1 <= place ? factor[place - $1] : 320 * factor[place + 17 - $1]) }
            }
            let top = carry(&sum)
            sum[16] = top & 3
            sum[16] = carry(&sum, 5 * (top >> 2))
        }
        // Less 2^130 - 5, if it is not less than that already.
        var reduced = sum
        add([5] + [UInt8](repeating: 0, count: 15) + [252], to: &reduced)
        if reduced[16] & 0x80 == 0 { sum = reduced }
        add(key[16..<32] + [0], to: &sum)
        return sum.prefix(16).map { UInt8(truncatingIfNeeded: $0) }
    }

    private static func add(_ bytes: some Sequence<UInt8>, to sum: inout [Int]) {
        for (place, byte) in bytes.enumerated() { sum[place] += Int(byte) }
        sum[16] = carry(&sum) & 255
    }

    /// Brings all limbs but the highest one into a byte.
    ///
    /// - Returns: the highest one with what is carried into it.
    private static func carry(_ limbs: inout [Int], _ first: Int = 0) -> Int {
        var over = first
        for place in 0..<16 {
            over += limbs[place]
            limbs[place] = over & 255
            over >>= 8
        }
        return over + limbs[16]
    }
}
