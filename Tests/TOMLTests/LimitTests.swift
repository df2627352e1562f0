@testable import TOML
import Testing

@Suite("Limits")
struct LimitTests {
    static func refusal(_ bytes: [UInt8], sizeLimit: Int = TOMLTable.defaultSizeLimit) -> TOMLParseError.Reason? {
        do throws(TOMLParseError) {
            _ = try TOMLTable(parsing: bytes, sizeLimit: sizeLimit)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("A document larger than the limit is refused before it is looked at")
    func size() {
        let bytes = Array("a = 1\n".utf8)
        #expect(Self.refusal(bytes, sizeLimit: bytes.count) == nil)
        #expect(Self.refusal(bytes, sizeLimit: bytes.count - 1) == .tooLarge(limit: bytes.count - 1))
    }

    @Test("A byte order mark is refused in words, not as a strange key")
    func byteOrderMark() {
        #expect(Self.refusal([0xEF, 0xBB, 0xBF] + Array("a = 1".utf8)) == .byteOrderMark)
    }

    @Test("A document that nests without end is refused and does not exhaust the stack", arguments: ["[", "{a=", "[{a="])
    func endlessNesting(opening: String) {
        let text = "a = " + String(repeating: opening, count: 300_000 / opening.utf8.count)
        #expect(Self.refusal(Array(text.utf8)) == .tooDeep(limit: 64))
    }

    @Test("Depth counts across headers, dotted keys and values")
    func depthAcross() {
        func document(_ header: Int, _ dotted: Int, _ arrays: Int) -> [UInt8] {
            let names = { (count: Int) in Array(repeating: "a", count: count).joined(separator: ".") }
            let value = String(repeating: "[", count: arrays) + String(repeating: "]", count: arrays)
            return Array("[\(names(header))]\n\(names(dotted)) = \(value)".utf8)
        }
        #expect(Self.refusal(document(30, 21, 14)) == nil)
        #expect(Self.refusal(document(30, 21, 15)) == .tooDeep(limit: 64))
    }

    /// A mebibyte each: quadratic work would keep them busy for minutes.
    @Test(
        "A document of one mebibyte is read in linear time, whatever it is made of",
        arguments: [
            "a%d = 1\n", "[a%d]\n", "[[a]]\n", "a.b%d = 1\n", "x%d.b.c = 1 # c\n",
        ])
    func manyStatements(pattern: String) {
        var text = ""
        var number = 0
        while text.utf8.count < TOMLTable.defaultSizeLimit - 64 {
            text += pattern.split(separator: "%d", omittingEmptySubsequences: false).joined(separator: String(number))
            number += 1
        }
        #expect(Self.refusal(Array(text.utf8)) == nil)
    }

    @Test(
        "A value of one mebibyte on one line is read in linear time",
        arguments: [
            ("a = [", "1,", "]"), ("a = {", "", "}"), ("a = \"", "é", "\""), ("a = '''", "x''", "x'''"),
            ("a = \"\"\"", "\\\\\n ", "\"\"\""),
            ("a = \"", "\\u00e9", "\""), ("# ", "x", "\na = 1"), ("a = [", "{b = 'c'},", "]"), ("a = [", "# x\n", "]"), ("a = 1", " ", ""),
        ])
    func longValue(start: String, part: String, end: String) {
        let count = part.isEmpty ? 0 : (TOMLTable.defaultSizeLimit - 64) / part.utf8.count
        #expect(Self.refusal(Array((start + String(repeating: part, count: count) + end).utf8)) == nil)
    }

    @Test("A key is shown on one line, cut and without control characters")
    func shownKeys() {
        #expect(TOMLKey.shown("client-id") == "client-id")
        #expect(TOMLKey.shown("") == "\"\"")
        #expect(TOMLKey.shown("a b\n\u{1B}[31m\u{202E}\"") == "\"a b\\u{a}\\u{1b}[31m\\u{202e}\\\"\"")
        #expect(TOMLKey.shown(String(repeating: "x", count: 1000)).count == 67)
    }
}
