import Testing

@testable import BridgeCore

@Suite("A server's message on one line")
struct CompactedMessageTests {
    @Test(
        "has a blank for each line break between tokens, and every other byte as it was",
        arguments: [
            ("{\"id\":1,\"result\":{}}", "{\"id\":1,\"result\":{}}"),
            ("{\r\n\t\"id\": 1,\r\t\"result\" :\n{ } }\n\n", "{  \t\"id\": 1, \t\"result\" : { } }  "),
            ("\n\r{\"id\":1,\"result\":{\"a\":[1\n,\n2],\"b\":\"\\r\\n\"}}", "  {\"id\":1,\"result\":{\"a\":[1 , 2],\"b\":\"\\r\\n\"}}"),
            ("{\"method\":\"a\",\"params\":{\"x\":\"\u{85}\u{2028}\u{7F}é\\u000a\"}}\n", "{\"method\":\"a\",\"params\":{\"x\":\"\u{85}\u{2028}\u{7F}é\\u000a\"}} "),
            ("[\n{\"method\":\"a\"}\n]", "[ {\"method\":\"a\"} ]"),
            (
                "{\"id\":1.50,\n\"result\":{\"z\":1E5,\"a\":-0,\"n\":123456789012345678901234567890}}",
                "{\"id\":1.50, \"result\":{\"z\":1E5,\"a\":-0,\"n\":123456789012345678901234567890}}"
            ),
        ])
    func line(text: String, line: String) throws {
        let message = try CompactedMessage(Array(text.utf8))
        #expect(String(decoding: message.line, as: UTF8.self) == line)
    }

    @Test(
        "is refused where a line would not be the same message",
        arguments: [
            "{\"method\":\"a\",\"params\":{\"x\":\"\n\"}}", "{\"method\":\"a\",\"params\":{\"x\":\"\r\"}}", "{\"method\":\"a\n\"}",
            "{\"met\nhod\":\"a\"}", "{\"method\":\"a\"}\n{\"method\":\"b\"}", "{\"method\":\"a\"}\u{0}", "{\"method\":\"a\"", "", "\n",
            "{\"id\":1\n2,\"method\":\"a\"}", "{\"id\":1,\"method\":\"a\",\"params\":{\"x\":tr\nue}}", "{\"method\":\"a\\\n\"}", "<html>\n</html>",
            "{\"method\":\"a\"}\u{0B}", "\u{A0}{\"method\":\"a\"}",
        ])
    func refused(text: String) {
        #expect(throws: MCPReadError.self) { try CompactedMessage(Array(text.utf8)) }
    }

    @Test(
        "gets the id of the request in an error that has none",
        arguments: [
            (#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}"#, #"{"jsonrpc":"2.0","id":"\u0061","error":{"code":-32600,"message":"x"}}"#),
            (#"{"error":{"code":1,"message":"id"}, "i\u0064" : null }"#, #"{"error":{"code":1,"message":"id"}, "i\u0064" : "\u0061" }"#),
            (" {\n\"error\":{\"code\":1,\"message\":\"x\"}}\n", #" {"id":"\u0061", "error":{"code":1,"message":"x"}} "#),
            (#"{"error":{"code":1,"message":"x"}}"#, #"{"id":"\u0061","error":{"code":1,"message":"x"}}"#),
            (#"{"id":7,"error":{"code":1,"message":"x"}}"#, #"{"id":7,"error":{"code":1,"message":"x"}}"#),
            (#"{"id":7,"result":{"id":null}}"#, #"{"id":7,"result":{"id":null}}"#),
            (#"{"method":"a"}"#, #"{"method":"a"}"#),
            (#"[{"error":{"code":1,"message":"x"}}]"#, #"[{"error":{"code":1,"message":"x"}}]"#),
        ])
    func filled(text: String, line: String) throws {
        let filled = try CompactedMessage(Array(text.utf8)).line(filling: .raw(Array(#""\u0061""#.utf8)))
        #expect(String(decoding: filled, as: UTF8.self) == line)
        #expect(throws: Never.self) { try MCPBatch(reading: filled) }
    }

    @Test("keeps a missing id where there is none to fill in")
    func nothingToFill() throws {
        let text = Array(#"{"id":null,"error":{"code":1,"message":"x"}}"#.utf8)
        #expect(try CompactedMessage(text).line(filling: .missing) == text)
        #expect(try CompactedMessage(text).line(filling: .null) == text)
    }
}
