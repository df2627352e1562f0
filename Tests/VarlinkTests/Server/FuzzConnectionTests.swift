import Glibc
import Testing

@testable import VarlinkServer

/// Mutations of the hostile messages, cut into pieces. A bounded number by default; `POSTERN_FUZZ_ROUNDS` sets
/// another, and `POSTERN_FUZZ_SEED` where it begins.
@Suite("Mutated messages")
struct FuzzConnectionTests {
    static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

    @Test("no stream crashes a connection, and pieces do not change what is answered")
    func mutations() throws {
        var generator = SplitMix(state: UInt64(Self.number("POSTERN_FUZZ_SEED") ?? 1))
        let corpus = HostileMessageTests.cases.map(\.input).filter { $0.count < 2048 }
        for _ in 0..<(Self.number("POSTERN_FUZZ_ROUNDS") ?? 300) {
            var bytes = try #require(corpus.randomElement(using: &generator))
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.insert([0x00, 0x0A, 0x22, 0x7B, 0x7D, 0xFF].randomElement(using: &generator) ?? 0, at: place)
                case 1: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator) }
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + 3))
                default: bytes.insert(contentsOf: corpus.randomElement(using: &generator) ?? [], at: place)
                }
            }
            // The reply from another thread comes when it comes.
            if String(decoding: bytes, as: UTF8.self).contains("Elsewhere") { continue }
            let whole = try ConnectionHandlerTests.Connection()
            try whole.receive(bytes)
            let pieces = try ConnectionHandlerTests.Connection()
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(rest.count, 100), using: &generator)
                try pieces.receive(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            let bodies = { (text: String) in text.split { $0 == "\0" || $0 == "\n" } }
            #expect(bodies(try pieces.written()) == bodies(try whole.written()), "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            #expect(pieces.handler.phase == whole.handler.phase)
        }
    }
}
