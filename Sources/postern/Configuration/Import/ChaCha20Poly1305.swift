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

/// RFC 8439 section 2.5, with limbs of 26 bits.
enum Poly1305 {
    /// - Parameter message: a multiple of 16 bytes.
    static func tag(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        let mask: UInt64 = 0x3FF_FFFF
        var clamped = Array(key.prefix(16))
        for place in [3, 7, 11, 15] { clamped[place] &= 15 }
        for place in [4, 8, 12] { clamped[place] &= 252 }
        let factor = limbs(clamped, high: 0)
        var sum = [UInt64](repeating: 0, count: 5)
        for start in stride(from: 0, to: message.count, by: 16) {
            let block = limbs(Array(message[start..<start + 16]), high: 1)
            for place in 0..<5 { sum[place] += block[place] }
            var product = [UInt64](repeating: 0, count: 5)
            for (i, left) in sum.enumerated() {
                // What exceeds 2^130 is multiplied by five and added (2^130 - 5).
                for (j, right) in factor.enumerated() { product[(i + j) % 5] += left * right * (i + j >= 5 ? 5 : 1) }
            }
            var carry: UInt64 = 0
            for place in 0..<5 {
                product[place] += carry
                carry = product[place] >> 26
                product[place] &= mask
            }
            product[0] += carry * 5
            product[1] += product[0] >> 26
            product[0] &= mask
            sum = product
        }
        var carry: UInt64 = 0
        for _ in 0..<2 {
            for place in 0..<5 {
                sum[place] += carry
                carry = sum[place] >> 26
                sum[place] &= mask
            }
            sum[0] += carry * 5
            carry = 0
        }
        // Minus the modulus, if it is not smaller.
        var reduced = sum
        reduced[0] += 5
        for place in 0..<4 {
            reduced[place + 1] += reduced[place] >> 26
            reduced[place] &= mask
        }
        if reduced[4] >> 26 != 0 {
            reduced[4] &= mask
            sum = reduced
        }
        var bytes = [UInt8](repeating: 0, count: 17)
        for bit in 0..<130 where sum[bit / 26] >> UInt64(bit % 26) & 1 == 1 { bytes[bit / 8] |= 1 << UInt8(bit % 8) }
        var result: [UInt8] = []
        var over: UInt16 = 0
        for place in 0..<16 {
            over += UInt16(bytes[place]) + UInt16(key[16 + place])
            result.append(UInt8(truncatingIfNeeded: over))
            over >>= 8
        }
        return result
    }

    /// - Parameter high: bit 128.
    private static func limbs(_ bytes: [UInt8], high: UInt64) -> [UInt64] {
        var limbs = [UInt64](repeating: 0, count: 5)
        for (place, byte) in bytes.enumerated() {
            let bit = place * 8
            let wide = UInt64(byte) << UInt64(bit % 26)
            limbs[bit / 26] |= wide & 0x3FF_FFFF
            if bit / 26 < 4 { limbs[bit / 26 + 1] |= wide >> 26 }
        }
        limbs[4] |= high << 24
        return limbs
    }
}
