import StrictJSON
import Testing

@testable import TestDaemon
@testable import postern

@Suite("A JSON file of another program, edited in place")
struct JSONTextTests {
    static let member: JSONObject = ["type": "http", "url": "https://h/mcp"]

    static func edited(_ text: String, _ name: String = "work") throws -> String {
        var edited = try JSONText(Array(text.utf8))
        try edited.set(name, in: "mcpServers", to: member)
        return String(decoding: edited.bytes, as: UTF8.self)
    }

    static let places: [(String, String)] = [
        // Nothing there yet.
        ("{}", "{\n  \"mcpServers\": {\n    \"work\": {\n      \"type\": \"http\",\n      \"url\": \"https://h/mcp\"\n    }\n  }\n}"),
        ("{ }\n", "{\n  \"mcpServers\": {\n    \"work\": {\n      \"type\": \"http\",\n      \"url\": \"https://h/mcp\"\n    }\n  }\n}\n"),
        // On one line, with the file's own blanks.
        (#"{"a":1}"#, #"{"a":1,"mcpServers":{"work":{"type":"http","url":"https://h/mcp"}}}"#),
        (
            #"{"a": 1, "mcpServers": {}, "z": 2}"#,
            #"{"a": 1, "mcpServers": {"work": {"type": "http", "url": "https://h/mcp"}}, "z": 2}"#
        ),
        (
            #"{"mcpServers":{"x":{"b":[1,{"c":"}"}]},"y":{}}}"#,
            #"{"mcpServers":{"x":{"b":[1,{"c":"}"}]},"y":{},"work":{"type":"http","url":"https://h/mcp"}}}"#
        ),
        // With tabs, and the line ends of another system.
        (
            "{\r\n\t\"mcpServers\": {\r\n\t\t\"x\": {}\r\n\t},\r\n\t\"n\": 1.50e2\r\n}\r\n",
            "{\r\n\t\"mcpServers\": {\r\n\t\t\"x\": {},\r\n\t\t\"work\": {\r\n\t\t\t\"type\": \"http\",\r\n\t\t\t\"url\": \"https://h/mcp\"\r\n"
                + "\t\t}\r\n\t},\r\n\t\"n\": 1.50e2\r\n}\r\n"
        ),
        // The name is there.
        (
            "{\n    \"mcpServers\": {\n        \"work\": {\"old\": [1, 2]}, \"x\": {}\n    }\n}\n",
            "{\n    \"mcpServers\": {\n        \"work\": {\n            \"type\": \"http\",\n            \"url\": \"https://h/mcp\"\n        }, "
                + "\"x\": {}\n    }\n}\n"
        ),
        // What looks like it, deeper or in a string, is not it; escapes are read.
        (
            #"{"p":{"mcpServers":{"work":{}}},"s":"\"mcpServers\":{\\","mcpServers":{"w\u006frk":{}}}"#,
            #"{"p":{"mcpServers":{"work":{}}},"s":"\"mcpServers\":{\\","mcpServers":{"w\u006frk":{"type":"http","url":"https://h/mcp"}}}"#
        ),
    ]

    @Test("only the member changes, in the file's own layout", arguments: places)
    func inPlace(before: String, after: String) throws {
        #expect(try Self.edited(before) == after)
        // Again nothing changes.
        #expect(try Self.edited(after) == after)
    }

    @Test("a name may have any characters")
    func anyName() throws {
        let text = try Self.edited("{\"mcpServers\":{\"a\":{}}}", "q\"\\\u{1}ü")
        #expect(try JSONText(Array(text.utf8)).value["mcpServers"]?.objectValue?["q\"\\\u{1}ü"] == .object(Self.member))
    }

    @Test(
        "what is not understood is refused",
        arguments: [
            "", "[]", "null", "{\"a\":1", "{\"a\":1,}", "{\"a\":1} x", "// a comment\n{}", "{\"a\":1,\"a\":2}", "{\"mcpServers\":[]}",
            "{\"mcpServers\":null}", "{\"mcpServers\":\"x\"}", "\u{FEFF}{}",
        ])
    func notUnderstood(text: String) { #expect(throws: JSONText.Obstacle.self) { try Self.edited(text) } }

    @Test("of an entry that Postern wrote it is known, and of no other")
    func isOurs() {
        for helper in ["postern helper mcp-headers a", "/usr/bin/postern helper mcp-headers a", "'/opt/my tools/postern' helper mcp-headers a --url b"] {
            #expect(MCPClient.Entry.isOurs(helper: helper), "\(helper)")
        }
        for helper in [nil, "", "helper mcp-headers a", "my-postern helper mcp-headers a", "echo postern helper mcp-headers", "sh -c x"] {
            #expect(!MCPClient.Entry.isOurs(helper: helper), "\(helper ?? "nothing")")
        }
    }
}
