import Glibc
import Testing

@testable import Bridge

@Suite("Lines on standard error")
struct ErrorOutputTests {
    @Test("have no control characters, and an end")
    func controls() throws {
        let pipe = Lines.pipe()
        ErrorOutput(program: "test", descriptor: pipe.writing).tell("a\u{1B}[2J\nb\u{9B}c\u{7F}é" + String(repeating: "x", count: 5000))
        let line = try #require(try pipe.line())
        #expect(line.hasPrefix("test: a [2J b c é") && line.utf8.count == "test: ".utf8.count + 2048)
    }

    @Test("are dropped where nobody reads them")
    func full() throws {
        let pipe = Lines.pipe()
        let output = ErrorOutput(descriptor: pipe.writing)
        for number in 0..<200 { output.tell("\(number)" + String(repeating: "x", count: 2000)) }
        #expect(try pipe.line()?.hasPrefix("postern-mcp: 0x") == true)
    }
}
