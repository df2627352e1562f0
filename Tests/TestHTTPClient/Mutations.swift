/// A small generator (SplitMix64): the same numbers every time, so that what was found once is found again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Spoils bytes in a few places: changed, lost, doubled, or grown from pieces that mean something to a parser.
func mutated(_ seed: [UInt8], pieces: [String], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let length = min(Int.random(in: 1...12, using: &generator), bytes.count - place)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0 where place < bytes.count: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: bytes.removeSubrange(place..<(place + length))
        case 2: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
        case 3: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
        default: bytes.insert(contentsOf: pieces.randomElement(using: &generator).map { Array($0.utf8) } ?? [], at: place)
        }
    }
    return bytes
}
