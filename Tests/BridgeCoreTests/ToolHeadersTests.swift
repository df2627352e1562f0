import BridgeCore
import Testing

@Suite("Tools whose calls have header fields")
struct ToolHeadersTests {
    private func learn(_ tools: String, _ headers: inout ToolHeaders, isFirstPage: Bool = true, cursor: String? = nil) throws -> ToolListing {
        let next = cursor.map { #","nextCursor":\#($0)"# } ?? ""
        let line = Array(#"{"jsonrpc":"2.0","id":1,"result":{"tools":[\#(tools)]\#(next)}}"#.utf8)
        let message = try #require(try MCPBatch(reading: line).messages.first)
        return headers.learn(from: line, message, isFirstPage: isFirstPage)
    }

    private func tool(_ name: String, _ properties: String) -> String {
        #"{"name":"\#(name)","inputSchema":{"type":"object","properties":{\#(properties)}}}"#
    }

    private func fields(_ headers: ToolHeaders, _ arguments: String, tool: String = "t") throws -> [String] {
        let line = Array(#"{"id":2,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#.utf8)
        let message = try #require(try MCPBatch(reading: line).messages.first)
        return try headers.fields(for: message, in: line).map { "\($0.name): \($0.value)" }
    }

    private static let region = #""region":{"type":"string","x-mcp-header":"Region"}"#

    // MARK: - Fields

    static let calls: [(arguments: String, fields: [String])] = [
        (#"{"region":"us-west1","query":"x"}"#, ["Mcp-Param-Region: us-west1"]),
        (#"{"query":"x"}"#, []), (#"{"region":null}"#, []), ("{}", []), ("null", []), ("[]", []), (#""region""#, []),
        (#"{"REGION":"x"}"#, []),
        (#"{"\u0072egion":"Hello, \u4e16界"}"#, ["Mcp-Param-Region: =?base64?SGVsbG8sIOS4lueVjA==?="]),
        (#"{"region":"a\r\nHost: evil"}"#, ["Mcp-Param-Region: =?base64?YQ0KSG9zdDogZXZpbA==?="]),
        (#"{"region":""}"#, ["Mcp-Param-Region: "]),
        (#"{"count":42}"#, ["Mcp-Param-Count: 42"]), (#"{"count":42.0}"#, ["Mcp-Param-Count: 42"]), (#"{"count":-4e2}"#, ["Mcp-Param-Count: -400"]),
        (#"{"count":9007199254740991}"#, ["Mcp-Param-Count: 9007199254740991"]),
        (#"{"count":-9007199254740991}"#, ["Mcp-Param-Count: -9007199254740991"]),
        (#"{"dry":true}"#, ["Mcp-Param-Dry-Run: true"]), (#"{"dry":false}"#, ["Mcp-Param-Dry-Run: false"]),
        (#"{"where":{"zone":"z","other":{"zone":"y"}},"zone":"x","x":{"region":"r"}}"#, ["Mcp-Param-Zone: z"]),
        (#"{"where":"z"}"#, []), (#"{"where":[{"zone":"z"}]}"#, []),
        (#"{"where":{"dry":true},"count":1,"region":"r"}"#, ["Mcp-Param-Count: 1", "Mcp-Param-Region: r"]),
        (#"{"x":1,"x":2,"where":{"x":1,"x":2,"zone":"z"}}"#, ["Mcp-Param-Zone: z"]),
    ]

    private func known() throws -> ToolHeaders {
        var headers = ToolHeaders()
        let listing = try learn(
            tool(
                "t",
                Self.region
                    + #","count":{"type":"integer","x-mcp-header":"Count"},"dry":{"type":"boolean","x-mcp-header":"Dry-Run"}"#
                    + #","where":{"type":"object","properties":{"zone":{"type":"string","x-mcp-header":"Zone"}}}"#), &headers)
        #expect(listing.leftOut.isEmpty && listing.problem == nil)
        return headers
    }

    @Test("have them from the arguments at the annotated places", arguments: calls)
    func call(arguments: String, fields: [String]) throws {
        #expect(try self.fields(known(), arguments) == fields)
        #expect(try self.fields(known(), arguments, tool: "unknown").isEmpty)
    }

    @Test(
        "cannot be called with what no field can carry",
        arguments: [
            (#"{"count":9007199254740992}"#, "the argument count must be an integer within ±(2^53−1) to be sent in the header field Mcp-Param-Count"),
            (#"{"count":1e400}"#, "the argument count must be an integer within ±(2^53−1) to be sent in the header field Mcp-Param-Count"),
            (#"{"count":1.5}"#, "the argument count must be an integer within ±(2^53−1) to be sent in the header field Mcp-Param-Count"),
            (
                #"{"where":{"zone":["a"]}}"#,
                "the argument where.zone must be a string, an integer or a boolean to be sent in the header field Mcp-Param-Zone"
            ),
            (#"{"region":"\ud800"}"#, "the argument region must be Unicode text of at most 8192 bytes to be sent in the header field Mcp-Param-Region"),
            (#"{"region":"a","region":"b"}"#, "the argument region appears twice"),
            (#"{"where":{},"wher\u0065":{}}"#, "the argument where appears twice"),
        ])
    func refused(arguments: String, reason: String) throws {
        let headers = try known()
        #expect(throws: ToolHeaderError(message: reason)) { try fields(headers, arguments) }
    }

    @Test("have values of at most 8 KiB")
    func longest() throws {
        let headers = try known()
        #expect(try fields(headers, #"{"region":"\#(String(repeating: "r", count: 8192))"}"#).count == 1)
        #expect(throws: ToolHeaderError.self) { try fields(headers, #"{"region":"\#(String(repeating: "r", count: 8193))"}"#) }
    }

    // MARK: - Which are valid

    static let schemas: [(schema: String, reason: String?)] =
        [
            (#"{"type":"object"}"#, nil), ("{}", nil), ("true", nil), (#"{"properties":{\#(region)}}"#, nil),
            (#"{"properties":{"x-mcp-header":{"type":"number"}}}"#, nil),
            (#"{"properties":{"a":{"default":{"x-mcp-header":""},"const":{"x-mcp-header":""},"enum":[{"x-mcp-header":""}]}}}"#, nil),
            (#"{"$defs":{"x-mcp-header":{"type":"number"}}}"#, nil),
            (#"{"description":"x-mcp-header","properties":{"a":{"type":"string"}}}"#, nil),
            (#"{"properties":{"a":{"type":"string","x-mcp-header":""}}}"#, "an x-mcp-header is not a valid field name"),
            (#"{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}"#, "an x-mcp-header is not a valid field name"),
            (#"{"properties":{"a":{"type":"string","x-mcp-header":"A\r\nX"}}}"#, "an x-mcp-header is not a valid field name"),
            (#"{"properties":{"a":{"type":"string","x-mcp-header":"é"}}}"#, "an x-mcp-header is not a valid field name"),
            (#"{"properties":{"a":{"type":"string","x-mcp-header":7}}}"#, "an x-mcp-header is not a valid field name"),
            (#"{"properties":{"a":{"type":"string","x-\u006dcp-header":""}}}"#, "an x-mcp-header is not a valid field name"),
            (
                #"{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}"#,
                "x-mcp-header A is at a property whose type is not string, integer or boolean"
            ),
            (
                #"{"properties":{"a":{"type":["string"],"x-mcp-header":"A"}}}"#,
                "x-mcp-header A is at a property whose type is not string, integer or boolean"
            ),
            (#"{"properties":{"a":{"x-mcp-header":"A"}}}"#, "x-mcp-header A is at a property whose type is not string, integer or boolean"),
            (#"{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}"#, "x-mcp-header a appears twice"),
            (
                #"{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"properties":{"c":{"type":"string","x-mcp-header":"A"}}}}}"#,
                "x-mcp-header A appears twice"
            ),
            (#"{"type":"string","x-mcp-header":"A"}"#, "x-mcp-header A is not at a property that `properties` alone lead to"),
        ]
        + [
            #"{"properties":{"a":{"items":\#(annotated)}}}"#, #"{"oneOf":[{"properties":{"a":\#(annotated)}}]}"#, #"{"anyOf":[\#(annotated)]}"#,
            #"{"allOf":[{"properties":{"a":\#(annotated)}}]}"#, #"{"not":\#(annotated)}"#, #"{"if":{"properties":{"a":\#(annotated)}}}"#,
            #"{"$defs":{"a":{"properties":{"a":\#(annotated)}}}}"#, #"{"properties":{"a":{"additionalProperties":\#(annotated)}}}"#,
            #"{"patternProperties":{".":\#(annotated)}}"#, #"{"properties":{"a":{"prefixItems":[{"then":\#(annotated)}]}}}"#,
        ].map { ($0, "x-mcp-header A is not at a property that `properties` alone lead to") }

    private static let annotated = #"{"type":"string","x-mcp-header":"A"}"#

    @Test("are left out of the list if an annotation breaks a rule", arguments: schemas)
    func validity(schema: String, reason: String?) throws {
        var headers = ToolHeaders()
        let listing = try learn(#"{"name":"t","inputSchema":\#(schema)}"#, &headers)
        #expect(listing.leftOut.map(\.reason) == (reason.map { [$0] } ?? []))
        #expect(listing.leftOut.map(\.tool) == (reason == nil ? [] : ["t"]))
        #expect(headers.knows("t") == (reason == nil))
        #expect(listing.problem == nil)
    }

    @Test("are cut out with their commas; every other byte stays")
    func cutting() throws {
        let bad = #"{"name":"bad","inputSchema":{"x-mcp-header":"A"}}"#
        let (one, two) = (#"{ "name":"one" , "inputSchema":{} }"#, #"{"inputSchema":{},"name":"two","n":1.50}"#)
        for (tools, kept) in [
            (" \(one) , \(two) ", " \(one) , \(two) "), (" \(bad) , \(two) ", " \(two) "), (" \(one) ,  \(bad) ", " \(one) "),
            ("\(one),\(bad) , \(two)", "\(one) , \(two)"), (" \(bad)  ,\(bad),\(one),\(bad), \(bad)   ,\(two) , \(bad) ", " \(one)   ,\(two) "),
            (" \(bad) ", "  "), ("\(bad),\(bad)", ""), ("", ""),
        ] {
            var headers = ToolHeaders()
            let listing = try learn(tools, &headers)
            #expect(String(decoding: listing.line, as: UTF8.self) == #"{"jsonrpc":"2.0","id":1,"result":{"tools":[\#(kept)]}}"#)
            #expect(throws: Never.self) { try MCPBatch(reading: listing.line) }
        }
    }

    // MARK: - Pages and bounds

    @Test("accumulate over pages, and the earlier list stays until the last page has arrived")
    func pages() throws {
        var headers = ToolHeaders()
        _ = try learn(tool("t", Self.region), &headers)
        _ = try learn(tool("a", Self.region), &headers, cursor: #""2""#)
        #expect(headers.knows("t") && headers.knows("a"))
        _ = try learn(tool("b", Self.region), &headers, isFirstPage: false, cursor: #""""#)
        #expect(headers.knows("t") && headers.knows("a") && headers.knows("b"))
        _ = try learn(tool("c", Self.region), &headers, isFirstPage: false, cursor: "null")
        #expect(!headers.knows("t") && headers.knows("a") && headers.knows("b") && headers.knows("c"))
    }

    @Test("are no longer known when they have become invalid")
    func becameInvalid() throws {
        var headers = ToolHeaders()
        _ = try learn(tool("t", Self.region), &headers)
        let listing = try learn(#"{"name":"t","inputSchema":{"x-mcp-header":"A"}}"#, &headers, cursor: #""2""#)
        #expect(listing.leftOut.count == 1 && !headers.knows("t"))
    }

    @Test("are compared by the bytes of their names")
    func equivalentNames() throws {
        var headers = ToolHeaders()
        _ = try learn(tool("e\u{301}", Self.region) + "," + tool("é", ""), &headers)
        #expect(try fields(headers, #"{"region":"r"}"#, tool: "e\u{301}") == ["Mcp-Param-Region: r"])
        #expect(try fields(headers, #"{"region":"r"}"#, tool: "é") == [])
    }

    @Test("are at most 1024, with 32 fields each")
    func bounds() throws {
        var headers = ToolHeaders()
        let many = (0...ToolHeaders.mostTools).map { tool("t\($0)", "") }.joined(separator: ",")
        let listing = try learn(many, &headers)
        #expect(listing.leftOut.isEmpty && listing.problem == "more tools than can be kept")
        #expect(headers.knows("t1023") && !headers.knows("t1024"))

        let bad = #"{"name":"bad","inputSchema":{"x-mcp-header":"A"}}"#
        func page(_ count: Int) -> String { bad + String(repeating: ",{}", count: count - 1) }
        #expect(try learn(page(4096), &headers).leftOut.map(\.tool) == ["bad"])
        let tooMany = try learn(page(4097), &headers)
        #expect(tooMany.problem == "the list has more than 4096 tools" && tooMany.leftOut.isEmpty)

        func annotated(_ count: Int) -> String {
            tool("t", (0..<count).map { #""p\#($0)":{"type":"string","x-mcp-header":"P\#($0)"}"# }.joined(separator: ","))
        }
        #expect(try learn(annotated(32), &headers).leftOut.isEmpty)
        #expect(try learn(annotated(33), &headers).leftOut.map(\.reason) == ["it has more than 32 x-mcp-header"])
    }

    @Test("are passed on and not known where their schema cannot be read")
    func unread() throws {
        let large = String(repeating: "d", count: 256 << 10)
        for (schema, problem) in [
            (#"{"description":"\#(large)","properties":{\#(Self.region)}}"#, "tool t: its schema is larger than 256 KiB"),
            (#"{"a":1,"a":2,"properties":{\#(Self.region)}}"#, "tool t: its schema is not valid JSON: duplicate key in an object, at byte 7"),
        ] {
            var headers = ToolHeaders()
            let text = #"{"name":"t","inputSchema":\#(schema)}"#
            let listing = try learn(text, &headers)
            #expect(listing.problem == problem && listing.leftOut.isEmpty && !headers.knows("t"))
            #expect(String(decoding: listing.line, as: UTF8.self) == #"{"jsonrpc":"2.0","id":1,"result":{"tools":[\#(text)]}}"#)
        }
        // Without annotations nothing needs to be read.
        var headers = ToolHeaders()
        #expect(try learn(#"{"name":"t","inputSchema":{"description":"\#(large)"}}"#, &headers).problem == nil)
        #expect(headers.knows("t"))
    }

    @Test("may come in answers that break every rule of a list")
    func oddLists() throws {
        var headers = ToolHeaders()
        for tools in ["1", "null", #"{"name":7}"#, #"{"name":"t"}"#, "[]", #""t""#] {
            #expect(try learn(tools, &headers).leftOut.isEmpty)
        }
        #expect(try learn(#"{"name":"t","inputSchema":{},"name":"u"}"#, &headers).leftOut.map(\.reason) == ["it has two names or two schemas"])
        let name = #"\u001b[31m\u202e"# + String(repeating: "n", count: 100)
        #expect(
            try learn(#"{"name":"\#(name)","inputSchema":{"x-mcp-header":"A"}}"#, &headers).leftOut.map(\.tool)
                == ["[31m" + String(repeating: "n", count: 76)])
        for result in [#"{"tools":{}}"#, "{}", #"{"tools":null,"nextCursor":7}"#, #"{"tools":[],"tools":[{"name":"t","inputSchema":{}}]}"#] {
            let line = Array(#"{"id":1,"result":\#(result)}"#.utf8)
            let message = try #require(try MCPBatch(reading: line).messages.first)
            #expect(headers.learn(from: line, message, isFirstPage: true).line == line)
            #expect(!headers.knows("t"))
        }
    }
}
