import Glibc
import StrictJSON
import Testing

/// Mutations of the hostile texts. A bounded number by default; `POSTERN_FUZZ_ROUNDS` sets another, and
/// `POSTERN_FUZZ_SEED` where it begins.
@Suite("Mutated JSON")
struct FuzzJSONTests {
    static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

    @Test("no mutation crashes the parser, and what is accepted reads back the same")
    func mutations() throws {
        var generator = JSONValueTests.SplitMix(state: UInt64(Self.number("POSTERN_FUZZ_SEED") ?? 1))
        let corpus = HostileJSONTests.cases.map(\.input).filter { $0.count < 4096 }
        for _ in 0..<(Self.number("POSTERN_FUZZ_ROUNDS") ?? 20_000) {
            var bytes = try #require(corpus.randomElement(using: &generator))
            for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&bytes, corpus, &generator) }
            guard let value = try? JSON(parsing: bytes) else { continue }
            #expect((try? JSON(parsing: value.serialized)) == value, "\(bytes)")
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ corpus: [[UInt8]], _ generator: inout JSONValueTests.SplitMix) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 1: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator) }
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...8, using: &generator)))
        case 3: bytes.insert(contentsOf: (corpus.randomElement(using: &generator) ?? []).prefix(64), at: place)
        default: bytes.insert(contentsOf: Array(#"{}[],:"\u0"#.utf8).shuffled(using: &generator).prefix(2), at: place)
        }
    }
}
