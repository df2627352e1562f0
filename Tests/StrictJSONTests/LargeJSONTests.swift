import StrictJSON
import Testing

/// Inputs at which a parser that is not linear would take hours: the tests would not end.
@Suite("Large JSON", .timeLimit(.minutes(1)))
struct LargeJSONTests {
    @Test("an object with 100,000 members is read in linear time")
    func manyMembers() throws {
        let text = "{" + (0..<100_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
        #expect(try JSON(parsing: text).objectValue?.count == 100_000)
    }

    @Test("a duplicate among 100,000 members is found")
    func lateDuplicate() {
        let text = "{" + (0..<100_000).map { "\"key\($0)\":0" }.joined(separator: ",") + ",\"key5\":0}"
        #expect { try JSON(parsing: text) } throws: { ($0 as? JSONParseError)?.reason == .duplicateKey }
    }

    @Test("a string of a million escapes is read")
    func manyEscapes() throws {
        let text = "\"" + String(repeating: "\\n", count: 1_000_000) + "\""
        #expect(try JSON(parsing: text).stringValue?.utf8.count == 1_000_000)
    }

    @Test("a string of a million bytes is read")
    func longString() throws {
        let text = String(repeating: "x", count: 1_000_000)
        #expect(try JSON(parsing: "\"\(text)\"") == .string(text))
    }

    @Test("an array of a million elements is read")
    func longArray() throws {
        let text = "[" + String(repeating: "0,", count: 999_999) + "0]"
        #expect(try JSON(parsing: text).arrayValue?.count == 1_000_000)
    }
}
