/// Random numbers that are the same in every run, so that what fails can be looked at again (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension [UInt8] {
    /// A few bytes changed, put in, taken out or doubled.
    func mutated(by generator: inout SeededGenerator) -> [UInt8] {
        let interesting = Array("{}[]\",:\\.%=&+-0e\u{0}".utf8) + [0x80, 0xC0, 0xED, 0xFF]
        var bytes = self
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = interesting.randomElement(using: &generator) ?? 0
            case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 2: bytes.insert(interesting.randomElement(using: &generator) ?? 0, at: place)
            case 3: bytes.remove(at: place)
            default: bytes.insert(contentsOf: bytes[place..<Swift.min(place + 8, bytes.count)], at: place)
            }
        }
        return bytes
    }
}
