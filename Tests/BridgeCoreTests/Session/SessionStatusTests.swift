import BridgeCore
import Testing

@Suite("An answer over HTTP without a message")
struct SessionStatusTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var answer: String
        var body = ""
        var code = MCPErrorCode.httpStatus
        var words: [String]

        var testDescription: String { answer }
    }

    private static let maybe = "may have been carried out"

    @Test(
        "is an error whose sentence says what it was",
        arguments: [
            Case(answer: "200 text/html", body: "<html>", code: MCPErrorCode.interrupted, words: ["text/html", maybe]),
            Case(answer: "200 text/plain; Content-Type: application/json", code: MCPErrorCode.interrupted, words: ["something", maybe]),
            Case(answer: "200 application/json", code: MCPErrorCode.interrupted, words: ["not a message", maybe]),
            Case(answer: "200 application/json", body: "x", code: MCPErrorCode.interrupted, words: ["not a message", maybe]),
            Case(answer: "200 application/json", body: #"{"id":null,"result":{}}"#, code: MCPErrorCode.interrupted, words: ["not a message"]),
            Case(answer: "200 application/json", body: #"{"id":2,"result":{}}"#, code: MCPErrorCode.interrupted, words: ["not a message"]),
            Case(answer: "202", code: MCPErrorCode.interrupted, words: ["202", maybe]),
            Case(answer: "204", code: MCPErrorCode.interrupted, words: ["204", maybe]),
            Case(answer: "302 text/html; Location: https://bank.example/a?token=secret", words: ["302", "to https://bank.example/a;"]),
            Case(answer: "302 text/html; Location: https://me:secret@bank.example/a", words: ["redirects (302);"]),
            Case(answer: "400 text/plain", body: "no", words: ["400"]),
            Case(answer: "401", words: ["401", "postern mcp check"]),
            Case(answer: "403", body: #"{"id":1,"error":{"code":-32600,"message":"no"}}"#, words: ["403"]),
            Case(answer: "405", words: ["405"]),
            Case(answer: "406", words: ["406"]),
            Case(answer: "415", words: ["415"]),
            Case(answer: "418", words: ["418"]),
            Case(answer: "429 text/plain; Retry-After: 1", words: ["429", "in 1 second"]),
            Case(answer: "503 text/plain; Retry-After: 7", words: ["503", "in 7 seconds"]),
            Case(answer: "503 text/plain; Retry-After: Fri, 27 Nov 2026 00:00:00 GMT", words: ["503", "later"]),
            Case(answer: "503 text/plain; Retry-After: -1", words: ["503", "later"]),
            Case(answer: "500", body: #"{"id":1,"error":{"code":-32603,"message":"no"}}"#, words: ["500", maybe]),
            Case(answer: "502 text/html", body: "<html>", words: ["502", maybe]),
        ])
    func sentences(_ each: Case) {
        let body = each.body.isEmpty ? "" : "S< 4 \(each.body)\n"
        let trace = Trace.run("C> {\"id\":1,\"method\":\"ping\"}\nS< 4 \(each.answer)\n\(body)S< 4 |", after: begun)
        let last = trace.split(separator: "\n").last ?? ""
        #expect(last.utf8.starts(with: #"< {"id":1,"error":{"code":\#(each.code),"#.utf8), "\(trace)")
        for word in each.words { #expect(last.contains(word), "\(trace)") }
        #expect(!last.contains("secret") && !last.contains("html>"))
        #expect(!(-32768 ... -32000).contains(each.code))
    }
}
