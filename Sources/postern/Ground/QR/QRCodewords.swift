/// Converts bytes to codewords in the order in which they are placed (ISO/IEC 18004, sections 7.4 to 7.6).
enum QRCodewords {
    static func interleaved(_ bytes: [UInt8], capacity: QRCapacity) -> [UInt8] {
        var rest = data(bytes, capacity: capacity)[...]
        var blocks: [(data: [UInt8], correction: [UInt8])] = []
        for group in capacity.blocks {
            for _ in 0..<group.count {
                let block = Array(rest.prefix(group.dataCodewords))
                rest = rest.dropFirst(group.dataCodewords)
                blocks.append((block, ReedSolomon.remainder(of: block, count: capacity.correctionCodewords)))
            }
        }
        let longest = blocks.map(\.data.count).max() ?? 0
        var codewords: [UInt8] = []
        for index in 0..<longest { codewords += blocks.filter { index < $0.data.count }.map { $0.data[index] } }
        for index in 0..<capacity.correctionCodewords { codewords += blocks.map { $0.correction[index] } }
        return codewords
    }

    /// Mode, length, the bytes, a terminator, and the padding.
    static func data(_ bytes: [UInt8], capacity: QRCapacity) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, count: Int) {
            for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
        }
        // 8-bit byte mode.
        append(0b0100, count: 4)
        append(bytes.count, count: capacity.lengthBits)
        for byte in bytes { append(Int(byte), count: 8) }
        append(0, count: min(4, capacity.dataCodewords * 8 - bits.count))
        append(0, count: (8 - bits.count % 8) % 8)
        var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        var pad: UInt8 = 0b1110_1100
        while codewords.count < capacity.dataCodewords {
            codewords.append(pad)
            pad ^= 0b1111_1101
        }
        return codewords
    }
}

/// Error correction over GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004, section 7.5.2).
enum ReedSolomon {
    /// The remainder of the data divided by the generator polynomial of that degree.
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let generator = generator(degree: count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder[0]
            remainder.removeFirst()
            remainder.append(0)
            for index in 0..<count { remainder[index] ^= multiply(generator[index], factor) }
        }
        return remainder
    }

    /// Coefficients from the highest power down, without the leading one, which is 1.
    static func generator(degree: Int) -> [UInt8] {
        var coefficients = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                coefficients[index] = multiply(coefficients[index], root)
                if index + 1 < degree { coefficients[index] ^= coefficients[index + 1] }
            }
            root = multiply(root, 2)
        }
        return coefficients
    }

    static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for place in (0..<8).reversed() {
            let overflows = product & 0x80 != 0
            product <<= 1
            if overflows { product ^= 0x1D }
            if right >> UInt8(place) & 1 == 1 { product ^= left }
        }
        return product
    }
}
