import HostileFiles
import StrictJSON
import Testing

@testable import BridgeCore

@Suite("A line with a message of MCP")
struct MCPMessageTests {
    private func read(_ line: String) throws -> MCPMessage { try #require(try MCPBatch(reading: Array(line.utf8)).messages.first) }

    // MARK: - What is read

    static let descriptions: [(line: String, description: String)] = [
        (#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "request id=1 method=ping"),
        (#"  {"method":"ping" , "id" : "a\u0062" }  "#, #"request id="a\u0062" method=ping"#),
        (#"{"\u006dethod":"pin\u0067","\u0069d":-0.5e+3}"#, "request id=-0.5e+3 method=ping"),
        (#"{"method":"notifications/initialized"}"#, "notification method=notifications/initialized"),
        (#"{"id":1,"result":{}}"#, "response id=1 result"),
        (#"{"id":1,"result":{},"error":null}"#, "response id=1 result"),
        (#"{"id":1,"result":null,"error":{"code":-32601,"message":""}}"#, "response id=1 error=-32601"),
        (#"{"id":null,"error":{"message":"x","code":-32600}}"#, "response id=null error=-32600"),
        (#"{"error":{"code":1e2,"message":"x","data":{"supported":["a"]}}}"#, "response error=100"),
        // What becomes Mcp-Name.
        (#"{"id":1,"method":"tools/call","params":{"name":"a","uri":"b","taskId":"c"}}"#, "request id=1 method=tools/call name=a"),
        (#"{"id":1,"params":{"name":"a","uri":"b","taskId":"c"},"method":"prompts/get"}"#, "request id=1 method=prompts/get name=a"),
        (#"{"id":1,"method":"resources/read","params":{"name":"a","uri":"b","taskId":"c"}}"#, "request id=1 method=resources/read name=b"),
        (#"{"id":1,"method":"tasks/get","params":{"name":"a","uri":"b","taskId":"c"}}"#, "request id=1 method=tasks/get name=c"),
        (#"{"id":1,"method":"tasks/update","params":{"taskId":"c"}}"#, "request id=1 method=tasks/update name=c"),
        (#"{"id":1,"method":"tasks/cancel","params":{"taskId":"c"}}"#, "request id=1 method=tasks/cancel name=c"),
        (#"{"id":1,"method":"tools/list","params":{"name":"a","uri":"b","taskId":"c"}}"#, "request id=1 method=tools/list"),
        (#"{"id":1,"method":"tools/call","params":{"n\u0061me":"\u4e16\ud83d\ude00\n"}}"#, "request id=1 method=tools/call name=世😀\n"),
        (#"{"id":1,"method":"tools/call","params":{"name":7}}"#, "request id=1 method=tools/call"),
        (#"{"id":1,"method":"tools/call","params":{"name":"\ud800"}}"#, "request id=1 method=tools/call"),
        (#"{"id":1,"method":"tools/call","params":["name"]}"#, "request id=1 method=tools/call"),
        (#"{"id":1,"method":"tools/call","params":null}"#, "request id=1 method=tools/call"),
        (#"{"id":1,"method":"tools/call","params":{"arguments":{"name":"x"},"x":{"name":"y"}}}"#, "request id=1 method=tools/call"),
        // Of other methods.
        (
            #"{"method":"notifications/cancelled","params":{"requestId":"\u0061"}}"#,
            #"notification method=notifications/cancelled cancels="\u0061""#
        ),
        (#"{"method":"notifications/cancelled","params":{"requestId":null}}"#, "notification method=notifications/cancelled cancels=null"),
        (#"{"method":"notifications/cancelled","params":{"requestId":{}}}"#, "notification method=notifications/cancelled"),
        (
            #"{"id":0,"method":"tools/list","params":{"cursor":"x","_meta":{"progressToken":"t","io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
            #"request id=0 method=tools/list version=2026-07-28 cursor"#
        ),
        (
            #"{"id":0,"method":"tools/list","params":{"cursor":null,"_meta":{"io.modelcontextprotocol\/protocolVersion":"2026-07-28"}}}"#,
            "request id=0 method=tools/list version=2026-07-28"
        ),
        (#"{"id":0,"method":"tools/list","params":{"_meta":[]}}"#, "request id=0 method=tools/list"),
        (
            #"{"id":0,"result":{"protocolVersion":"2025-11-25","resultType":"input_required"}}"#,
            "response id=0 result result.version=2025-11-25"
        ),
        (#"{"id":0,"result":{"protocolVersion":"a b"}}"#, "response id=0 result"),
        (#"{"id":0,"result":{"protocolVersion":"2025\r\nX: y"}}"#, "response id=0 result"),
        // Names twice where they mean nothing.
        (
            #"{"id":1,"method":"tools/call","x":1,"x":2,"params":{"x":1,"x":2,"arguments":{"name":1,"name":2}}}"#,
            "request id=1 method=tools/call"
        ),
    ]

    @Test("is read as far as its way needs it", arguments: descriptions)
    func reading(line: String, description: String) throws {
        let message = try read(line)
        #expect(self.description(of: message) == description)
        let bytes = Array(line.utf8)
        #expect(bytes[message.range].first == UInt8(ascii: "{") && bytes[message.range].last == UInt8(ascii: "}"))
        #expect((bytes[..<message.range.lowerBound] + bytes[message.range.upperBound...]).allSatisfy { $0 == 0x20 })
    }

    private func description(of message: MCPMessage) -> String {
        func text(_ id: MessageID) -> String? { id == .missing ? nil : String(decoding: id.bytes, as: UTF8.self) }
        let parts: [(String, String?)] = [
            ("id", text(message.id)), ("method", message.kind == .response ? nil : message.method), ("name", message.routedName),
            ("cancels", text(message.cancelledID)), ("version", message.metaVersion),
            ("error", message.errorCode.map { String($0) }),
        ]
        var words = ["\(message.kind)"] + parts.compactMap { name, value in value.map { "\(name)=\($0)" } }
        if message.hasCursor { words.append("cursor") }
        if message.resultRange != nil { words.append("result") }
        if let version = message.resultVersion { words.append("result.version=\(version)") }
        return words.joined(separator: " ")
    }

    // MARK: - What is refused

    static let refusals: [(line: String, code: Int64, id: String?)] = [
        ("", -32700, nil), ("  ", -32700, nil), ("{", -32700, nil), ("ping", -32700, nil), (#"{"id":1,"method":"a"}x"#, -32700, nil),
        (#"{"id":1,"method":"a"}{"id":2,"method":"b"}"#, -32700, nil), (#"{"id":1,"method":"a",}"#, -32700, nil),
        ("\u{FEFF}{}", -32700, nil), (#"[{"method":"a"},]"#, -32700, nil), (#"{"id":1,"method":"a" //"#, -32700, nil),
        ("1", -32600, nil), ("null", -32600, nil), (#""a""#, -32600, nil), ("{}", -32600, nil), ("[]", -32600, nil), ("[1]", -32600, nil),
        ("[[]]", -32600, nil), (#"[{"id":1,"method":"a"},{"id":2}]"#, -32600, nil),
        (#"{"id":1}"#, -32600, "1"), (#"{"id":1,"method":7}"#, -32600, "1"), (#"{"id":1,"method":""}"#, -32600, "1"),
        (#"{"id":1,"method":null}"#, -32600, "1"), (#"{"method":"a\r\nX: y","id":1}"#, -32600, "1"), (#"{"method":"é","id":1}"#, -32600, "1"),
        (#"{"id":1,"method":"a","result":{}}"#, -32600, "1"), (#"{"id":1,"method":"a","error":{"code":1,"message":""}}"#, -32600, "1"),
        (#"{"id":1,"result":{},"error":{"code":1,"message":""}}"#, -32600, "1"), (#"{"id":null,"method":"a"}"#, -32600, "null"),
        (#"{"id":[1],"method":"a"}"#, -32600, nil), (#"{"id":{},"method":"a"}"#, -32600, nil), (#"{"id":true,"method":"a"}"#, -32600, nil),
        (#"{"result":{}}"#, -32600, nil), (#"{"id":null,"result":{}}"#, -32600, "null"), (#"{"id":1,"result":[]}"#, -32600, "1"),
        (#"{"id":1,"result":null}"#, -32600, "1"), (#"{"id":1,"error":"unauthorized"}"#, -32600, "1"), (#"{"id":1,"error":{}}"#, -32600, "1"),
        (#"{"id":1,"error":{"code":"1","message":""}}"#, -32600, "1"), (#"{"id":1,"error":{"code":1.5,"message":""}}"#, -32600, "1"),
        (#"{"id":1,"error":{"code":1}}"#, -32600, "1"),
        // Twice, however it is written.
        (#"{"id":1,"id":2,"method":"a"}"#, -32600, nil), (#"{"id":1,"\u0069d":1,"method":"a"}"#, -32600, nil),
        (#"{"method":"a","id":1,"method":"b"}"#, -32600, "1"), (#"{"id":1,"method":"a","m\u0065thod":"a"}"#, -32600, "1"),
        (#"{"params":{},"method":"a","params":{},"id":1}"#, -32600, "1"), (#"{"id":1,"result":{},"result":{}}"#, -32600, "1"),
        (#"{"id":1,"method":"tools/call","params":{"name":"a","name":"b"}}"#, -32600, "1"),
        (#"{"id":1,"method":"tools/call","params":{"arguments":{},"arguments":{}}}"#, -32600, "1"),
        (#"{"id":1,"method":"a","params":{"_meta":{},"_meta":{}}}"#, -32600, "1"),
        (
            #"{"id":1,"method":"a","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1","io.modelcontextprotocol\u002fprotocolVersion":"2"}}}"#,
            -32600, "1"
        ),
        (#"{"method":"notifications/cancelled","params":{"requestId":1,"requestId":2}}"#, -32600, nil),
        (#"{"id":1,"result":{"protocolVersion":"a","protocolVersion":"b"}}"#, -32600, "1"),
        (#"{"id":1,"result":{"resultType":"a","resultType":"b"}}"#, -32600, "1"),
        (#"{"id":1,"method":"initialize","params":{"protocolVersion":"a","protocolVersion":"b"}}"#, -32600, "1"),
        (#"{"id":1,"method":"a","params":{"_meta":{"progressToken":1,"progressToken":2}}}"#, -32600, "1"),
        (#"{"method":"notifications/progress","params":{"progressToken":1,"progressToken":2}}"#, -32600, nil),
        (#"{"id":1,"error":{"code":1,"code":2,"message":""}}"#, -32600, "1"),
    ]

    @Test("is refused, with its id if one can be read", arguments: refusals)
    func refusing(line: String, code: Int64, id: String?) {
        do throws(MCPReadError) {
            _ = try MCPBatch(reading: Array(line.utf8))
            Issue.record("accepted")
        } catch {
            #expect(error.code == code)
            let expected: MessageID = id.map { $0 == "null" ? .null : .raw(Array($0.utf8)) } ?? .missing
            #expect(error.id == expected)
            #expect(code == -32700 ? error.message.hasPrefix("not valid JSON: ") : error.message.hasPrefix("not a message of MCP: "))
        }
    }

    @Test("may be an array")
    func array() throws {
        let line = #"[ {"id":1,"method":"a"}, {"method":"b"} ,{"id":"x","result":{}}]"#
        let batch = try MCPBatch(reading: Array(line.utf8))
        #expect(batch.isArray)
        #expect(batch.messages.map(\.kind) == [.request, .notification, .response])
        #expect(batch.messages.map { String(decoding: Array(line.utf8)[$0.range], as: UTF8.self) } == [#"{"id":1,"method":"a"}"#, #"{"method":"b"}"#, #"{"id":"x","result":{}}"#])
    }

    // MARK: - Bounds

    @Test("has bounds for ids, texts, nesting and arrays")
    func bounds() throws {
        func id(_ length: Int) -> String { #"{"id":"\#(String(repeating: "i", count: length - 2))","method":"a"}"# }
        #expect(try read(id(MessageID.longest)).kind == .request)
        #expect(throws: MCPReadError.self) { try read(id(MessageID.longest + 1)) }

        func name(_ text: String) -> String { #"{"id":1,"method":"tools/call","params":{"name":"\#(text)"}}"# }
        #expect(try read(name(String(repeating: "n", count: 8192))).routedName?.utf8.count == 8192)
        #expect(try read(name(String(repeating: "n", count: 8193))).routedName == nil)
        #expect(try read(name(String(repeating: #"\u006e"#, count: 8192))).routedName?.utf8.count == 8192)
        #expect(try read(name(String(repeating: #"\u006e"#, count: 8193))).routedName == nil)

        func nested(_ depth: Int) -> String {
            // Beside the message and its parameters.
            #"{"method":"a","params":{"x":\#(String(repeating: "[", count: depth - 2))\#(String(repeating: "]", count: depth - 2))}}"#
        }
        #expect(try read(nested(MCPBatch.depthLimit)).kind == .notification)
        #expect(throws: MCPReadError.self) { try read(nested(MCPBatch.depthLimit + 1)) }

        func array(_ count: Int) -> [UInt8] { Array("[\(Array(repeating: #"{"method":"a"}"#, count: count).joined(separator: ","))]".utf8) }
        #expect(try MCPBatch(reading: array(MCPBatch.mostMessages)).messages.count == MCPBatch.mostMessages)
        #expect(throws: MCPReadError.self) { try MCPBatch(reading: array(MCPBatch.mostMessages + 1)) }
    }

    @Test("takes linear time, whatever it is made of", .timeLimit(.minutes(1)))
    func time() {
        // Of 64 KiB, what takes the square of its length takes minutes.
        let inputs = [
            ("", "["), ("", "{\"a\":"), ("[", "[],"), ("[{\"method\":\"a\"},", "{\"id\":1},"), ("{\"params\":{", "\"id\":1,"),
            ("{\"params\":{\"name\":\"", "\\u0061"), ("{\"id\":\"", "世"), ("{\"id\":", "1"), ("", "\n"),
        ]
        for (beginning, piece) in inputs {
            let line = Array(beginning.utf8) + Array(repeatElement(Array(piece.utf8), count: (64 << 10) / piece.utf8.count).joined())
            #expect(throws: MCPReadError.self) { try MCPBatch(reading: line) }
        }
    }

    // MARK: - JSON

    /// Where the scanner allows what StrictJSON refuses: it keeps nothing of it.
    static let allowed: Set<String> = [
        "duplicateKey", "numberTooLong", "tooDeep", "high-surrogate-at-end", "high-surrogate-then-other-escape", "high-surrogate-then-text",
        "lone-high-surrogate", "lone-low-surrogate", "surrogates-swapped", "two-high-surrogates",
    ]

    @Test(
        "is JSON where StrictJSON accepts it, except in members that the bridge does not read",
        arguments: HostileFile.all(in: "StrictJSONTests/Hostile", up: 1))
    func agreement(_ file: HostileFile) {
        let isAccepted = file.outcome.hasPrefix("accepted")
        let outcome: String = file.input.withUnsafeBytes { buffer in
            var scanner = JSONScanner(buffer, depthLimit: 64)
            do throws(JSONParseError) {
                scanner.skipWhiteSpace()
                guard scanner.next < scanner.count else { throw scanner.failure(.empty) }
                try scanner.value()
                scanner.skipWhiteSpace()
                guard scanner.next == scanner.count else { throw scanner.failure(.trailingBytes) }
                return "accepted"
            } catch { return "\(error.reason)" }
        }
        if outcome == "accepted", !isAccepted {
            let reason = String(file.outcome.prefix { $0 != " " })
            #expect(Self.allowed.contains(file.name) || reason == "duplicateKey" || reason == "numberTooLong", "\(file.outcome)")
        } else {
            #expect(isAccepted == (outcome == "accepted"), "\(outcome)")
        }
    }

    @Test("the table of JSON is there") func tableIsThere() { #expect(HostileFile.all(in: "StrictJSONTests/Hostile", up: 1).count > 90) }
}

@Suite("An id")
struct MessageIDTests {
    @Test(
        "is the same for texts that mean the same",
        arguments: [
            ("1", "1.0", true), ("1", "10e-1", true), ("1", "0.1E1", true), ("1", "1e0", true), ("100", "1e+2", true), ("0", "-0", true),
            ("0", "0e999999999999999999999", true), ("1", "-1", false), ("1", "2", false), ("1", "10", false), ("1", "\"1\"", false),
            ("9007199254740993", "9007199254740992", false), ("1e99999999999999999999", "1", false), ("1e-99999999999999999999", "0", false),
            ("\"a\"", "\"\\u0061\"", true), ("\"/\"", "\"\\/\"", true), ("\"a\"", "\"A\"", false), ("\"\"", "\" \"", false),
            ("\"\\u00e9\"", "\"é\"", true), ("\"e\u{301}\"", "\"é\"", false), ("\"\\ud800\"", "\"\\ud800\"", true),
            ("\"\\ud800\"", "\"\\ud801\"", false), ("\"\\ud83d\\ude00\"", "\"😀\"", true),
        ])
    func keys(one: String, other: String, isSame: Bool) {
        let (one, other) = (MessageID.raw(Array(one.utf8)).key, MessageID.raw(Array(other.utf8)).key)
        #expect(one != nil && (one == other) == isSame && (!isSame || one.hashValue == other.hashValue))
    }

    @Test("without a value has no key") func none() { #expect(MessageID.missing.key == nil && MessageID.null.key == nil) }
}
