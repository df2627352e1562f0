import PosternClient
import StrictJSON
import Testing

@testable import TestDaemon
@testable import postern

/// The files as these programs write them: mcp-remote's `mcp-auth-config.ts` and `utils.ts` (main of August 2026; `mcp-remote-v1` is the newer
/// name of its directory), Codex's `rmcp-client/src/oauth.rs` (2026; `issuer` is newer than the rest), Gemini CLI's
/// `token-storage/types.ts` (2026), opencode's `mcp/auth.ts` (1.x). Claude Code's source is not public: its file is written after users'
/// reports about version 2.1.
@Suite("Files of MCP clients")
struct MCPClientFileTests {
    private func line(_ grant: MCPGrant) -> String {
        let client = [grant.clientID, grant.clientSecret?.reveal()].compactMap { $0 }.joined(separator: ":")
        let tokens = [grant.refreshToken?.reveal(), grant.accessToken?.reveal(), grant.expiresAt.map(String.init)].map { $0 ?? "-" }
        return ([grant.name, grant.url ?? "-", client] + tokens + [grant.issuer ?? grant.tokenEndpoint ?? "-"] + grant.scopes)
            .joined(separator: " ")
    }

    private func lines(_ program: ImportedMCPClient, _ text: String) throws -> [String] {
        try MCPClientSource.grants(of: program, in: Array(text.utf8)).grants.map(line)
    }

    @Test(
        "have servers, their clients and their tokens",
        arguments: [
            (
                .claudeCode,
                #"""
                {"claudeAiOauth":{"accessToken":"person","refreshToken":"person","expiresAt":1},
                 "mcpOAuth":{
                  "linear|638130d5ab3558f4":{"serverName":"linear","serverUrl":"https://mcp.linear.app/mcp","clientId":"c1","accessToken":"at",
                   "expiresAt":1771535707586,"refreshToken":"rt","scope":"read write","discoveryState":{"authorizationServerUrl":"https://mcp.linear.app/"}},
                  "own|0011223344556677":{"serverName":"own","serverUrl":"https://own.example/mcp","clientId":"c2","accessToken":"","expiresAt":0,"scope":""}},
                 "mcpOAuthClientConfig":{"own|0011223344556677":{"clientSecret":"s2"}}}
                """#,
                [
                    "linear https://mcp.linear.app/mcp c1 rt at 1771535707 https://mcp.linear.app/ read write",
                    "own https://own.example/mcp c2:s2 - - - -",
                ]
            ),
            (.claudeCode, #"{"claudeAiOauth":{"accessToken":"person"}}"#, []),
            (
                .codex,
                #"""
                {"linear|0123456789abcdef":{"server_name":"linear","server_url":"https://mcp.linear.app/mcp","issuer":"https://auth.example",
                  "client_id":"c1","access_token":"at","expires_at":1771535707586,"refresh_token":"rt","scopes":["read","write"]},
                 "b|1":{"server_name":"b","server_url":"https://b.example/mcp","client_id":"c2","access_token":"at2","expires_at":null,"refresh_token":null,"scopes":[]}}
                """#,
                [
                    "linear https://mcp.linear.app/mcp c1 rt at 1771535707 https://auth.example read write",
                    "b https://b.example/mcp c2 - at2 - -",
                ]
            ),
            (
                .geminiCLI,
                #"""
                [{"serverName":"linear","token":{"accessToken":"at","tokenType":"Bearer","refreshToken":"rt","scope":"read","expiresAt":1771535707586},
                  "clientId":"c1","tokenUrl":"https://auth.example/token","mcpServerUrl":"https://mcp.linear.app/mcp","updatedAt":1771535000000},
                 {"serverName":"old","token":{"accessToken":"at2","tokenType":"Bearer"},"updatedAt":1}]
                """#,
                [
                    "linear https://mcp.linear.app/mcp c1 rt at 1771535707 https://auth.example/token read", "old -  - at2 - -",
                ]
            ),
            (
                .opencode,
                #"""
                {"linear":{"tokens":{"accessToken":"at","refreshToken":"rt","expiresAt":1771535707.5,"scope":"read"},
                  "clientInfo":{"clientId":"c1","clientSecret":"s1","clientIdIssuedAt":1},"serverUrl":"https://mcp.linear.app/mcp"},
                 "begun":{"codeVerifier":"v","oauthState":"s","serverUrl":"https://b.example/mcp"}}
                """#,
                ["linear https://mcp.linear.app/mcp c1:s1 rt at 1771535707 - read", "begun https://b.example/mcp  - - - -"]
            ),
        ] as [(ImportedMCPClient, String, [String])])
    func grants(program: ImportedMCPClient, text: String, expected: [String]) throws { #expect(try lines(program, text) == expected) }

    @Test("name a broken entry without its values, and the rest is read")
    func brokenEntry() throws {
        let text = #"{"a":{"serverUrl":"https://a.example","tokens":{"refreshToken":["secret"]}},"b":7,"c":{"serverUrl":"https://c.example"}}"#
        let found = try MCPClientSource.grants(of: .opencode, in: Array(text.utf8))
        #expect(found.grants.map(\.name) == ["c"])
        #expect(
            found.problems == ["a is left out: its refreshToken must be a string", "b is left out: it must be an object"])
    }

    @Test(
        "of another form are refused whole",
        arguments: [
            (.claudeCode, "[]", "it is not a JSON object"), (.claudeCode, #"{"mcpOAuth":[]}"#, "mcpOAuth must be an object"),
            (.claudeCode, #"{"a":1,"a":2}"#, "it is not a JSON object"), (.codex, "secret", "it is not a JSON object"),
            (.geminiCLI, "{}", "it is not a list: it is not Gemini CLI's file of tokens"), (.geminiCLI, "aa:bb:cc", "it is not JSON"),
            (.opencode, "", "it is not a JSON object"),
        ] as [(ImportedMCPClient, String, String)])
    func refused(program: ImportedMCPClient, text: String, sentence: String) {
        #expect(throws: ForeignFileError(sentence)) { try MCPClientSource.grants(of: program, in: Array(text.utf8)) }
    }

    @Test("of mcp-remote are the server's answers; a client that is registered without a secret has none")
    func mcpRemote() throws {
        let tokens: JSONObject = [
            "access_token": "at", "token_type": "Bearer", "expires_in": 3600, "scope": "read write", "refresh_token": "rt",
        ]
        for (method, secret) in [("none", nil), ("client_secret_post", "s1")] as [(String, String?)] {
            let client: JSONObject = [
                "client_id": "c1", "client_secret": "s1", "token_endpoint_auth_method": .string(method),
                "redirect_uris": ["http://localhost:3334/oauth/callback"],
            ]
            let grant = try MCPGrants.mcpRemote(tokens, client: client, hash: "h", writtenAt: 1000)
            #expect(grant.clientID == "c1" && grant.clientSecret?.reveal() == secret && grant.refreshToken?.reveal() == "rt")
            #expect(grant.expiresAt == 4600 && grant.scopes == ["read", "write"] && grant.url == nil)
        }
    }

    @Test(
        "MD5 is that of RFC 1321",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
            (String(repeating: "a", count: 56), "3b0c8ac703f828b04c6c197006d17218"),
        ])
    func md5(text: String, expected: String) { #expect(MD5.hexadecimal(text) == expected) }

    @Test("A server's URL is found in settings by its hash, alone or with a resource")
    func hashes() {
        let settings = #"{"mcpServers":{"l":{"command":"npx","args":["-y","mcp-remote@latest","https://mcp.linear.app/mcp","--resource","https://a.example/"]}}}"#
        let urls = MCPClientSource.urls(in: Array(settings.utf8))
        #expect(urls == ["https://mcp.linear.app/mcp", "https://a.example/"])
        let hashes = MCPClientSource.hashes(of: urls)
        #expect(hashes[MD5.hexadecimal("https://mcp.linear.app/mcp")]?.url == "https://mcp.linear.app/mcp")
        let pair = hashes[MD5.hexadecimal("https://mcp.linear.app/mcp|https://a.example/")]
        #expect(pair?.url == "https://mcp.linear.app/mcp" && pair?.resource == "https://a.example/")
        #expect(MCPClientSource.hash(ofTokens: "0123456789abcdef0123456789abcdef_tokens.json") == "0123456789abcdef0123456789abcdef")
        for name in ["../456789abcdef0123456789abcdef01_tokens.json", "0123_tokens.json", "0123456789abcdef0123456789abcdef_lock.json"] {
            #expect(MCPClientSource.hash(ofTokens: name) == nil, "\(name)")
        }
    }
}
