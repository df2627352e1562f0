import StrictJSON
import TOML
import Testing

@testable import TestDaemon
@testable import postern

@Suite("The file of an MCP client")
struct MCPClientTests {
    static func entry(_ client: MCPClient, _ way: MCPClient.Way = .bridge, name: String = "work", program: String = "/usr/bin/postern") -> MCPClient.Entry {
        MCPClient.Entry(client, way, name: name, url: "https://h/mcp", program: program)
    }

    static func added(_ client: MCPClient, _ way: MCPClient.Way = .bridge, to text: String, name: String = "work") throws -> String {
        String(decoding: try client.adding([entry(client, way, name: name)], to: Array(text.utf8)), as: UTF8.self)
    }

    static let stdio = #""command":"/usr/bin/postern","args":["mcp","run","work"]"#
    static let blocks: [(MCPClient, String)] = [
        (.claudeCode, #"{"mcpServers":{"work":{"type":"stdio",\#(stdio)}}}"#),
        (.vscode, #"{"servers":{"work":{"type":"stdio",\#(stdio)}}}"#),
        (.cursor, #"{"mcpServers":{"work":{\#(stdio)}}}"#),
        (.geminiCLI, #"{"mcpServers":{"work":{\#(stdio)}}}"#),
        (.opencode, #"{"mcp":{"work":{"type":"local","command":["/usr/bin/postern","mcp","run","work"]}}}"#),
        (.zed, #"{"context_servers":{"work":{\#(stdio)}}}"#),
    ]

    @Test("each client is told to start the bridge in its own words", arguments: blocks)
    func block(client: MCPClient, expected: String) throws {
        #expect(try JSON(parsing: Array(client.block([Self.entry(client)]).utf8)) == JSON(parsing: Array(expected.utf8)))
        // What is written says the same, and once.
        let written = try Self.added(client, to: "")
        #expect(try JSON(parsing: Array(written.utf8)) == JSON(parsing: Array(expected.utf8)))
        #expect(try Self.added(client, to: written) == written)
    }

    @Test("so are Codex, in TOML, and goose, in YAML")
    func otherLanguages() throws {
        #expect(
            MCPClient.codex.block([Self.entry(.codex)])
                == "[mcp_servers.work]\ncommand = \"/usr/bin/postern\"\nargs = [\"mcp\", \"run\", \"work\"]\n")
        #expect(
            MCPClient.goose.block([Self.entry(.goose)])
                == """
                extensions:
                  work:
                    name: work
                    type: stdio
                    enabled: true
                    cmd: /usr/bin/postern
                    args: [mcp, run, work]
                    timeout: 300

                """)
        for client in [MCPClient.codex, .goose] {
            let written = try Self.added(client, to: "")
            #expect(written == client.block([Self.entry(client)]))
            #expect(try Self.added(client, to: written) == written)
        }
    }

    @Test("a name that a command or a file could take for something else is not")
    func names() throws {
        #expect(Self.entry(.zed, name: "-x.y").bridge == ["mcp", "run", "--", "-x.y"])
        #expect(MCPClient.goose.block([Self.entry(.goose, name: "no")]).contains("  \"no\":\n    name: \"no\"\n"))
        #expect(MCPClient.goose.block([Self.entry(.goose, name: "7")]).contains(#"args: [mcp, run, "7"]"#))
    }

    @Test("what a client was told before is replaced by the other way, and what the user has added stays")
    func ways() throws {
        let headers = try Self.added(.claudeCode, .headers, to: #"{"mcpServers":{}}"#)
        let own = headers.replacing("\"type\"", with: "\"timeout\":5,\"type\"")
        #expect(try Self.added(.claudeCode, to: own).contains(#""timeout":5,"type":"stdio""#))
        #expect(try !Self.added(.claudeCode, to: own).contains("https://h/mcp"))
        #expect(try Self.added(.claudeCode, .headers, to: Self.added(.claudeCode, to: own)).contains("headersHelper"))
        let codex = try Self.added(.codex, .headers, to: "# mine\n") + "startup_timeout_sec = 20\n"
        #expect(
            try Self.added(.codex, to: codex).split(separator: "\n") == [
                "# mine", "[mcp_servers.work]", "startup_timeout_sec = 20", "command = \"/usr/bin/postern\"", "args = [\"mcp\", \"run\", \"work\"]",
            ])
    }

    static let others: [(MCPClient, String)] = [
        (.vscode, #"{"servers":{"work":{"command":"npx","args":["mcp","run","work"]}}}"#),
        (.zed, #"{"context_servers":{"work":{"command":"/usr/bin/postern","args":["token","work"]}}}"#),
        (.opencode, #"{"mcp":{"work":{"type":"remote","url":"https://h/mcp"}}}"#),
        (.claudeCode, #"{"mcpServers":{"work":{"command":"postern helper mcp-headers work"}}}"#), (.claudeCode, #"{"a":1,}"#),
        (.codex, "[mcp_servers.work]\ncommand = \"npx\"\nargs = [\"mcp\", \"run\"]\n"), (.codex, "x ="), (.codex, "mcp_servers = 1\n"),
        (.codex, "mcp_servers = { work = { command = \"x\" } }\n"), (.codex, "[[mcp_servers]]\n"),
        (.goose, "extensions:\n  work:\n    cmd: npx\n    args: [mcp, run, work]\n"),
        (.goose, "extensions:\n  \"work\":\n    type: streamable_http\n    uri: https://h/mcp\n"),
        (.cursor, #"{"mcpServers":{"x":{}} // a comment"# + "\n}"),
    ]

    @Test("a server of the same name that is not Postern's, and a file that is not understood, are left", arguments: others)
    func taken(client: MCPClient, text: String) throws {
        #expect(throws: JSONText.Obstacle.self) { try Self.added(client, to: text) }
    }

    @Test("comments and commas of a client that takes them stay where they are")
    func comments() throws {
        let text = """
            // Zed's settings, see https://zed.dev
            {
              /* "context_servers": {} */
              "theme": "One // Dark", // nice
              "context_servers": {
                // mine
                "x": {"command": "y"}, // last, with a comma
              },
            }

            """
        let edited = try Self.added(.zed, to: text)
        #expect(
            edited
                == text.replacing(
                    #""x": {"command": "y"}, // last"#,
                    with: """
                        "x": {"command": "y"},
                            "work": {
                              "command": "/usr/bin/postern",
                              "args": [
                                "mcp",
                                "run",
                                "work"
                              ]
                            }, // last
                        """))
        #expect(try Self.added(.zed, to: edited) == edited)
        let empty = try Self.added(.zed, to: "{\n  // nothing yet\n}\n")
        #expect(empty.hasPrefix("{\n  // nothing yet\n"))
        #expect(try Self.added(.zed, to: empty) == empty)
        for broken in ["{,}", #"{"a":1,,}"#, "{ /* }", #"{"a": // }"#] {
            #expect(throws: JSONText.Obstacle.self) { try Self.added(.zed, to: broken) }
        }
    }

    static let extensions: [(before: String, at: String)] = [
        ("GOOSE_MODEL: x\n", "GOOSE_MODEL: x\nextensions:\n|"),
        ("GOOSE_MODEL: x", "GOOSE_MODEL: x\nextensions:\n|"),
        ("extensions: {}\nA: 1\n", "extensions:\n|A: 1\n"),
        (
            "---\n# mine\nextensions:\n  # theirs\n  x:\n    cmd: y\n    envs: {}\nA: |\n  extensions:\n    z: 1\n",
            "---\n# mine\nextensions:\n|  # theirs\n  x:\n    cmd: y\n    envs: {}\nA: |\n  extensions:\n    z: 1\n"
        ),
    ]

    @Test("lines are added to goose's file, and nothing else changes", arguments: extensions)
    func goose(before: String, at: String) throws {
        let lines = MCPClient.goose.block([Self.entry(.goose)]).split(separator: "\n").dropFirst().map { $0 + "\n" }.joined()
        let after = try Self.added(.goose, to: before)
        #expect(after == at.replacing("|  #", with: lines + "  #").replacing("extensions:\n|A", with: "extensions:\n\(lines)A").replacing("extensions:\n|", with: "extensions:\n\(lines)"))
        #expect(try Self.added(.goose, to: after) == after)
    }

    @Test("an extension as goose itself writes it is Postern's, too")
    func written() throws {
        let text = """
            extensions:
                work:
                    enabled: true
                    type: stdio
                    name: work
                    description: ''
                    cmd: "/usr/bin/postern"
                    args:
                    - mcp
                    - run
                    - work
                    bundled: null

            """
        #expect(try Self.added(.goose, to: text) == text)
        #expect(try Self.added(.goose, to: text, name: "other").contains("    other:\n      name: other\n"))
    }

    @Test(
        "YAML that is not read line by line is left",
        arguments: ["{a: 1}\n", "- x\n", "a: 1\nextensions: &x\n  y:\n", "extensions: [x]\n", "? a\n: b\n", "extensions:\n- x\n", "a: 1\n--- \nb: 1\n", "extensions:\r\n  x:\r\n"])
    func yaml(text: String) {
        #expect(throws: JSONText.Obstacle.self) { try Self.added(.goose, to: text) }
    }

    @Test("the files are where the clients read them")
    func files() {
        func file(_ client: MCPClient, _ variables: [String: String] = [:], exists: Set<String> = []) -> String {
            client.file(home: "/h", variable: { variables[$0] }, exists: exists.contains)
        }
        #expect(file(.vscode) == "/h/.config/Code/User/mcp.json")
        #expect(file(.zed, ["XDG_CONFIG_HOME": "/c"]) == "/c/zed/settings.json")
        #expect(file(.goose, ["XDG_CONFIG_HOME": "relative"]) == "/h/.config/goose/config.yaml")
        #expect(file(.cursor) == "/h/.cursor/mcp.json" && file(.geminiCLI) == "/h/.gemini/settings.json")
        #expect(file(.opencode) == "/h/.config/opencode/opencode.json")
        #expect(file(.opencode, exists: ["/h/.config/opencode/opencode.jsonc"]) == "/h/.config/opencode/opencode.jsonc")
    }

    @Test("postern mcp run becomes the bridge with the same words")
    func run() {
        #expect(MCPRun.words(program: "/b", server: "work", interactive: false, socket: nil) == ["/b", "stdio", "--", "work"])
        #expect(MCPRun.words(program: "/b", server: "-x", interactive: true, socket: "/s") == ["/b", "stdio", "--interactive", "--socket=/s", "--", "-x"])
    }
}
