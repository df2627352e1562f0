import PosternClient
import PosternConfiguration
import TOML

/// How one server of an MCP client is to be imported.
struct MCPImport {
    /// The name in `[mcp.NAME]`.
    var name: String
    /// `[mcp.NAME]` with this URL is configured already.
    var isThere: Bool
    var url: String
    var grant: MCPGrant

    /// - Parameter login: whose account it is, if the user says.
    func configuration(login: String?) -> String {
        var lines = ["[mcp.\(TOMLText.key(name))]", "url = \(TOMLText.quoted(url))"]
        if let login { lines.append("login = \(TOMLText.quoted(login))") }
        return lines.joined(separator: "\n") + "\n"
    }
}
