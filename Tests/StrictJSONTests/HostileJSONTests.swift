import HostileFiles
import StrictJSON
import Testing

@Suite("Hostile JSON")
struct HostileJSONTests {
    static let cases = HostileFile.all(in: "Hostile")

    @Test("the table is there")
    func tableIsThere() { #expect(Self.cases.count > 90) }

    @Test("each text has the outcome on its first line", arguments: cases)
    func outcome(of file: HostileFile) {
        do throws(JSONParseError) {
            let value = try JSON(parsing: file.input)
            #expect("accepted \(value.text)" == file.outcome)
        } catch {
            #expect("\(error.reason) at \(error.offset)" == file.outcome)
        }
    }

    @Test("no text is accepted with its end cut off", arguments: cases)
    func cut(_ file: HostileFile) throws {
        // A number cut short is another number, and so is one in white space; what opens must close.
        guard file.outcome.hasPrefix("accepted"), let last = file.input.last, [0x22, 0x5D, 0x7D].contains(last) else { return }
        for length in 0..<file.input.count {
            #expect(throws: JSONParseError.self) { try JSON(parsing: Array(file.input[..<length])) }
        }
    }

    @Test("what is accepted reads back the same from what is written", arguments: cases)
    func roundTrip(_ file: HostileFile) throws {
        guard let value = try? JSON(parsing: file.input) else { return }
        #expect(try JSON(parsing: value.serialized) == value)
        #expect(!value.serialized.contains { $0 < 0x20 })
    }

    @Test("an error says where, and never what stood there")
    func errorSentence() {
        #expect(throws: JSONParseError(reason: .unexpectedByte, offset: 10)) { try JSON(parsing: #"{"secret":hunter2}"#) }
        #expect(JSONParseError(reason: .unexpectedByte, offset: 10).description == "not valid JSON: an unexpected character, at byte 10")
    }
}
