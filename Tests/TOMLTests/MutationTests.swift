import Glibc
import TOML
import Testing

/// Feeds the parser with damaged documents. For longer than the tests do: `POSTERN_FUZZ_ROUNDS=10000000 swift test --filter MutationTests`.
@Suite("Mutated TOML")
struct MutationTests {
    static let fragments: [String] = [
        "[", "]", "[[", "]]", "=", ".", ",", "{", "}", "\"", "'", "\"\"\"", "'''", "\n", "\r\n", "\r", "\\", "a", "b", "a.b", "[a]\n",
        "[a.b]\n",
        "[[a]]\n", "[[a.b]]\n", "a.b=1\n", "a=1\n", "b.c={}\n", "_", "0", "1", "-", "+", ":", "T", "Z", " ", "\t", "#", "e", "0x", "inf",
        "nan",
        "true", "\\u0041", "\\ud800", "\\U00110000", "\0", "\u{7F}", "é", "\u{FEFF}", "1979-05-27", " 07:32:00", "9223372036854775808",
        "1_",
    ]

    @Test("A damaged document is read or refused, and never anything else")
    func damagedDocuments() {
        let corpus = DocumentTests.names.map { TestFiles.bytes("Documents/\($0)") }
        var random = SplitMix(state: 0x504F_5354)
        let rounds = getenv("POSTERN_FUZZ_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 20_000
        for _ in 0..<rounds {
            let document = Self.mutated(corpus, &random)
            do throws(TOMLParseError) {
                let table = try TOMLTable(parsing: document)
                Self.check(table, lines: Self.lines(document))
            } catch {
                let isInside = 1...Self.lines(document) ~= error.position.line && error.position.column >= 1
                #expect(isInside, "\(error) for \(document)")
            }
        }
    }

    private static func lines(_ document: [UInt8]) -> Int { document.count { $0 == 0x0A } + 1 }

    private static func check(_ table: TOMLTable, lines: Int) {
        for member in table.members {
            #expect(1...lines ~= member.keyPosition.line)
            check(member.value, lines: lines)
        }
    }

    private static func check(_ value: TOMLValue, lines: Int) {
        #expect(1...lines ~= value.position.line)
        switch value.content {
        case .table(let table): check(table, lines: lines)
        case .array(let elements): for element in elements { check(element, lines: lines) }
        default: break
        }
    }

    private static func mutated(_ corpus: [[UInt8]], _ random: inout SplitMix) -> [UInt8] {
        var document = corpus.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let place = Int.random(in: 0...document.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1: document.insert(contentsOf: (fragments.randomElement(using: &random) ?? "").utf8, at: place)
            case 2: document.removeSubrange(place..<min(document.count, place + Int.random(in: 1...8, using: &random)))
            default:
                let other = corpus.randomElement(using: &random) ?? []
                let start = Int.random(in: 0...other.count, using: &random)
                document.insert(contentsOf: other[start..<min(other.count, start + 40)], at: place)
            }
        }
        return document
    }
}

/// Random numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
