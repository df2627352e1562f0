import TOML
import Testing

/// The documents' first line is a comment with the outcome: `# valid: …` or `# invalid: …`.
@Suite("TOML documents")
struct DocumentTests {
    static let names = TestFiles.names(in: "Documents")

    @Test("The table of documents is there")
    func tableIsThere() {
        #expect(Self.names.count > 150)
    }

    @Test("A document is read, or refused, as its first line says", arguments: names)
    func outcome(name: String) {
        let bytes = TestFiles.bytes("Documents/\(name)")
        let expected = String(decoding: bytes.prefix { $0 != 0x0A }.dropFirst(2), as: UTF8.self)
        let outcome: String
        do throws(TOMLParseError) {
            outcome = "valid: \(try TOMLTable(parsing: bytes).rendered)"
        } catch {
            outcome = "invalid: \(error)"
        }
        #expect(outcome == expected)
    }

    @Test(
        "A refusal never shows what stood in the document",
        arguments: [
            "password = hunter2", "password = \"hunter2", "password = \"hunter2\" x", "password = [hunter2]", "password = 'hunter2\nx = 1",
            "password = \"\"\"hunter2", "password = \"hunter2\\q\"", "password = 00hunter2", "password = 1979-hunter2",
            "hunter2 = {a = hunter2}",
        ])
    func noValueInErrors(text: String) {
        #expect {
            try TOMLTable(parsing: Array(text.utf8))
        } throws: { error in
            !"\(error)".contains("hunter")
        }
    }
}
