import StrictJSON
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test("an object keeps the order of its members")
    func order() throws {
        let object = try #require(try JSON(parsing: #"{"b":1,"a":2,"c":3}"#).objectValue)
        #expect(object.keys == ["b", "a", "c"])
        #expect(JSON.object(object).text == #"{"b":1,"a":2,"c":3}"#)
    }

    @Test("objects are equal whatever their order")
    func equality() throws {
        let left = try JSON(parsing: #"{"a":1,"b":[true,null]}"#)
        let right = try JSON(parsing: #"{"b":[true,null],"a":1}"#)
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != JSON.object(["a": 1]))
    }

    @Test("a member can be set, replaced and removed")
    func members() {
        var object: JSONObject = ["a": 1]
        object["b"] = "x"
        object["a"] = 2
        #expect(object.text == #"{"a":2,"b":"x"}"#)
        object["a"] = JSON?.none
        #expect(object.keys == ["b"])
        #expect(object["a"] == nil)
    }

    @Test("look-up tells apart what Unicode calls equivalent")
    func lookUpByBytes() {
        let object: JSONObject = ["\u{212A}": 1]
        #expect(object["K"] == nil)
        #expect(object["\u{212A}"] == 1)
    }

    @Test("a string of any length and content is written so that it reads back", arguments: 0..<40)
    func stringRoundTrip(length: Int) throws {
        // Every position within the words of eight bytes that are looked at together.
        for special in ["\"", "\\", "\n", "\u{0}", "\u{1F}", "é", "😀", "\u{7F}", " "] {
            for place in 0...length {
                let text = String(repeating: "a", count: place) + special + String(repeating: "b", count: length - place)
                #expect(try JSON(parsing: JSON.string(text).serialized) == .string(text))
            }
        }
    }

    @Test(
        "numbers are read as what they are",
        arguments: [("12", 12.0), ("1.5", 1.5), ("-2e3", -2000.0), ("9223372036854775808", 9223372036854775808.0)])
    func numbers(literal: String, value: Double) throws {
        #expect(try JSON(parsing: literal).doubleValue == value)
    }

    @Test("random bytes are refused or read, and never crash")
    func randomBytes() {
        var generator = SplitMix(state: 42)
        let alphabet = Array(#"{}[]",:\u0123eE+-. tfnrue"#.utf8) + [0x00, 0x0A, 0x80, 0xC3, 0xA9, 0xED, 0xF4, 0xFF]
        for _ in 0..<50_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
            guard let value = try? JSON(parsing: bytes) else { continue }
            #expect((try? JSON(parsing: value.serialized)) == value)
        }
    }

    /// A seed makes a failure come again.
    struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}

extension JSONObject {
    fileprivate var text: String { JSON.object(self).text }
}
