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

    /// A name for a server, from its host: `linear` for mcp.linear.app.
    static func name(fromHost host: String) -> String {
        let labels = host.parts(separator: ".").map(String.init)
        // Not of an address.
        guard labels.count > 1, labels.last?.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) == false else {
            return ImportPlan.name(from: host)
        }
        return ImportPlan.name(from: labels[labels.count - 2])
    }

    /// - Parameter isTaken: another one has the name.
    static func uniqueName(fromHost host: String, isTaken: (String) -> Bool) -> String {
        let name = name(fromHost: host)
        guard isTaken(name) else { return name }
        var number = 2
        while isTaken("\(name)-\(number)") { number += 1 }
        return "\(name)-\(number)"
    }

    /// - Parameter login: whose account it is, if the user says.
    func configuration(login: String?) -> String {
        var lines = ["[mcp.\(TOMLText.key(name))]", "url = \(TOMLText.quoted(url))"]
        if let login { lines.append("login = \(TOMLText.quoted(login))") }
        return lines.joined(separator: "\n") + "\n"
    }
}
