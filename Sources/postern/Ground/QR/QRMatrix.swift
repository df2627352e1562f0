/// The square of modules while it is being filled (ISO/IEC 18004, sections 6.3 and 7.7 to 7.10).
struct QRMatrix {
    let version: Int
    let size: Int
    private(set) var dark: [Bool]
    /// The modules of the patterns that a reader looks for, and of the format and version information.
    private var isReserved: [Bool]

    init(version: Int) {
        self.version = version
        size = 17 + 4 * version
        dark = [Bool](repeating: false, count: size * size)
        isReserved = dark
        drawTimingPatterns()
        drawFinderPatterns()
        drawAlignmentPatterns()
        drawFormat(0)
        drawVersion()
    }

    subscript(x: Int, y: Int) -> Bool { dark[y * size + x] }

    private mutating func reserve(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard 0..<size ~= x, 0..<size ~= y else { return }
        dark[y * size + x] = isDark
        isReserved[y * size + x] = true
    }

    // MARK: Patterns

    private mutating func drawTimingPatterns() {
        for place in 0..<size {
            reserve(6, place, place % 2 == 0)
            reserve(place, 6, place % 2 == 0)
        }
    }

    /// Including the light border around each.
    private mutating func drawFinderPatterns() {
        for (centreX, centreY) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            for y in -4...4 {
                for x in -4...4 {
                    let ring = max(abs(x), abs(y))
                    reserve(centreX + x, centreY + y, ring != 2 && ring != 4)
                }
            }
        }
    }

    /// Annex E: the centres of the patterns, up to version 10.
    static func alignmentCentres(version: Int) -> [Int] {
        guard version > 1 else { return [] }
        let last = 10 + 4 * version
        return version < 7 ? [6, last] : [6, (last + 6) / 2, last]
    }

    private mutating func drawAlignmentPatterns() {
        let centres = Self.alignmentCentres(version: version)
        for centreY in centres {
            for centreX in centres {
                // Three corners belong to the finder patterns.
                guard ![[6, 6], [6, size - 7], [size - 7, 6]].contains([centreX, centreY]) else { continue }
                for y in -2...2 {
                    for x in -2...2 { reserve(centreX + x, centreY + y, max(abs(x), abs(y)) != 1) }
                }
            }
        }
    }

    // MARK: Format and version

    /// Five bits followed by ten of a BCH code, masked so that they are never all light (section 7.9).
    static func format(correction: QRCapacity.Correction, mask: Int) -> Int {
        let data = correction.rawValue << 3 | mask
        var remainder = data
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        return (data << 10 | remainder) ^ 0x5412
    }

    /// Both copies, and the module that is always dark.
    private mutating func drawFormat(_ bits: Int) {
        func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        for place in 0...5 { reserve(8, place, bit(place)) }
        reserve(8, 7, bit(6))
        reserve(8, 8, bit(7))
        reserve(7, 8, bit(8))
        for place in 9...14 { reserve(14 - place, 8, bit(place)) }
        for place in 0...7 { reserve(size - 1 - place, 8, bit(place)) }
        for place in 8...14 { reserve(8, size - 15 + place, bit(place)) }
        reserve(8, size - 8, true)
    }

    /// Six bits followed by twelve of a Golay code, from version 7 on (section 7.10).
    static func versionInformation(_ version: Int) -> Int {
        var remainder = version
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
        return version << 12 | remainder
    }

    private mutating func drawVersion() {
        guard version >= 7 else { return }
        let bits = Self.versionInformation(version)
        for place in 0..<18 {
            let isDark = bits >> place & 1 == 1
            reserve(size - 11 + place % 3, place / 3, isDark)
            reserve(place / 3, size - 11 + place % 3, isDark)
        }
    }

    // MARK: Data

    /// In columns two modules wide, from the right, alternately up and down (section 7.7.3). The modules left over stay light.
    mutating func place(_ codewords: [UInt8]) {
        var index = 0
        var right = size - 1
        var isUpward = true
        while right > 0 {
            // The column of the timing pattern is skipped.
            if right == 6 { right = 5 }
            for step in 0..<size {
                let y = isUpward ? size - 1 - step : step
                for x in [right, right - 1] where !isReserved[y * size + x] && index < codewords.count * 8 {
                    dark[y * size + x] = codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
                    index += 1
                }
            }
            isUpward.toggle()
            right -= 2
        }
    }

    /// With one of the eight mask patterns over the data (table 10), and the format information that names it.
    func masked(_ pattern: Int, correction: QRCapacity.Correction) -> QRMatrix {
        var result = self
        for y in 0..<size {
            for x in 0..<size where !isReserved[y * size + x] && Self.inverts(pattern, x, y) { result.dark[y * size + x].toggle() }
        }
        result.drawFormat(Self.format(correction: correction, mask: pattern))
        return result
    }

    private static func inverts(_ pattern: Int, _ x: Int, _ y: Int) -> Bool {
        switch pattern {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }
}
