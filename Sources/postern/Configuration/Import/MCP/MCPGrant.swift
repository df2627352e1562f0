import PosternClient

/// A client of MCP servers whose tokens can be imported.
enum ImportedMCPClient: String, CaseIterable {
    case mcpRemote = "mcp-remote"
    case claudeCode = "claude-code"
    case codex
    case geminiCLI = "gemini-cli"
    case opencode
}

/// What an MCP client has for one server.
struct MCPGrant: Equatable {
    /// Its name in the other program.
    var name: String
    /// Nil if the other program does not keep it.
    var url: String?
    var clientID: String?
    var clientSecret: Secret?
    var scopes: [String] = []
    var refreshToken: Secret?
    var accessToken: Secret?
    /// When the access token expires, in seconds since 1970; nil if that is not known.
    var expiresAt: Int64?
    /// Who issued it, where the other program keeps that.
    var issuer: String?
    var tokenEndpoint: String?
    var resource: String?

    func hasToken(at now: Int64) -> Bool { refreshToken != nil || (accessToken != nil && expiresAt.map { $0 > now } ?? true) }
}

/// What was found in the files of one program.
struct MCPGrants: Equatable {
    var grants: [MCPGrant] = []
    /// What could not be read, a sentence each; the rest is used all the same.
    var problems: [String] = []

    static let most = 256
}
