import PosternConfiguration
import StrictJSON
import TOML

/// A program that connects to MCP servers, and how its own configuration says where a header field comes from, or which program it starts.
///
/// Sources: Claude Code, "Use dynamic headers for custom authentication"; Codex, configuration reference, `mcp_servers.<id>`; VS Code, "MCP
/// configuration reference"; Cursor, "Model Context Protocol"; Gemini CLI, "MCP servers"; opencode, "MCP servers"; goose, "Configuration
/// file"; Zed, "Model Context Protocol".
enum MCPClient: String, CaseIterable {
    case claudeCode = "claude-code"
    case codex
    case vscode
    case cursor
    case geminiCLI = "gemini-cli"
    case opencode
    case goose
    case zed

    /// As people call it.
    var title: String {
        switch self {
        case .claudeCode: "Claude Code"
        case .codex: "Codex"
        case .vscode: "VS Code"
        case .cursor: "Cursor"
        case .geminiCLI: "Gemini CLI"
        case .opencode: "opencode"
        case .goose: "goose"
        case .zed: "Zed"
        }
    }

    /// How a client gets at a server.
    enum Way {
        /// It connects itself, and asks the helper for the header fields.
        case headers
        /// It starts the bridge, and gets no token.
        case bridge
    }

    /// Whether it asks a program for header fields. The others take them as text alone, where a token would stand in a file.
    var asksForHeaders: Bool { self == .claudeCode || self == .codex }

    /// - Parameters:
    ///   - home: the user's.
    ///   - exists: whether there is a file of that path.
    func file(home: String, variable: (String) -> String?, exists: (String) -> Bool = { _ in false }) -> String {
        func directory(_ name: String) -> String? { variable(name).flatMap { $0.begins(with: "/") ? $0 : nil } }
        let settings = directory("XDG_CONFIG_HOME") ?? "\(home)/.config"
        switch self {
        case .claudeCode: return (directory("CLAUDE_CONFIG_DIR") ?? home) + "/.claude.json"
        case .codex: return (directory("CODEX_HOME") ?? "\(home)/.codex") + "/config.toml"
        case .vscode: return "\(settings)/Code/User/mcp.json"
        case .cursor: return "\(home)/.cursor/mcp.json"
        case .geminiCLI: return "\(home)/.gemini/settings.json"
        case .opencode:
            // It reads both.
            let plain = "\(settings)/opencode/opencode.json"
            return !exists(plain) && exists(plain + "c") ? plain + "c" : plain
        case .goose: return "\(settings)/goose/config.yaml"
        case .zed: return "\(settings)/zed/settings.json"
        }
    }

    /// The member of its file that has the servers.
    private var servers: String {
        switch self {
        case .vscode: "servers"
        case .opencode: "mcp"
        case .zed: "context_servers"
        default: "mcpServers"
        }
    }

    /// Those whose files people write, with comments.
    private var takesComments: Bool { [.vscode, .geminiCLI, .opencode, .zed].contains(self) }

    /// What the client is told of one server.
    struct Entry: Equatable {
        /// In the client's file, where a full stop is not allowed.
        var key: String
        var url: String
        private let client: MCPClient
        private let way: Way
        let program: String
        private let name: String

        /// - Parameter program: the whole path: a client may have another search path.
        init(_ client: MCPClient, _ way: Way = .headers, name: String, url: String, program: String) {
            key = name.mapping { $0 == "." ? "-" : String($0) }
            (self.url, self.client, self.way, self.program, self.name) = (url, client, way, program, name)
        }

        /// A command of a shell.
        var helper: String {
            // Claude Code says itself which server asks, in its own spelling.
            let words = [program, "helper", "mcp-headers", name] + (client == .codex ? ["--url", url] : [])
            return words.map(ShellWord.quoted).joined(separator: " ")
        }

        /// The words that start the bridge, without the program.
        var bridge: [String] { ["mcp", "run"] + (name.begins(with: "-") ? ["--"] : []) + [name] }

        var object: JSONObject {
            if way == .headers { return ["type": "http", "url": .string(url), "headersHelper": .string(helper)] }
            let words = JSON.array(bridge.map { .string($0) })
            switch client {
            case .claudeCode, .vscode: return ["type": "stdio", "command": .string(program), "args": words]
            case .opencode: return ["type": "local", "command": .array(([program] + bridge).map { .string($0) })]
            default: return ["command": .string(program), "args": words]
            }
        }

        /// Keys and values of a table in TOML.
        var table: [(key: String, value: String)] {
            switch way {
            case .headers: [("url", TOMLText.quoted(url)), ("http_headers_helper", TOMLText.quoted(helper))]
            case .bridge:
                [("command", TOMLText.quoted(program)), ("args", "[\(bridge.map(TOMLText.quoted).joined(separator: ", "))]")]
            }
        }

        /// What the other way, or an earlier one, has said of the server.
        static let ownKeys = ["type", "url", "headersHelper", "http_headers_helper", "command", "args"]

        static func isOurs(helper: String?) -> Bool {
            guard let helper, let end = helper.range(ofText: " helper mcp-headers ")?.lowerBound else { return false }
            return isPostern(String(helper[..<end]).mapping { $0 == "'" ? "" : String($0) })
        }

        /// - Parameter words: a command with its arguments.
        static func isOurs(bridge words: [String]) -> Bool {
            guard let program = words.first else { return false }
            return isPostern(program) && words.dropFirst().starts(with: ["mcp", "run"])
        }

        static func isOurs(_ object: JSONObject?) -> Bool {
            guard let object else { return false }
            let command = object["command"]?.stringValue.map { [$0] } ?? strings(object["command"])
            return isOurs(helper: object["headersHelper"]?.stringValue) || isOurs(bridge: command + strings(object["args"]))
        }

        private static func strings(_ json: JSON?) -> [String] { json?.arrayValue?.compactMap(\.stringValue) ?? [] }

        private static func isPostern(_ program: String) -> Bool { program == "postern" || program.ends(with: "/postern") }
    }

    /// To paste.
    func block(_ entries: [Entry]) -> String {
        switch self {
        case .codex: return entries.map(Self.section).joined(separator: "\n")
        case .goose: return GooseText.block(entries)
        default:
            var servers: JSONObject = [:]
            for entry in entries { servers[entry.key] = .object(entry.object) }
            return JSON.object([self.servers: .object(servers)]).indentedText + "\n"
        }
    }

    private static func section(_ entry: Entry) -> String {
        "[mcp_servers.\(TOMLText.key(entry.key))]\n" + entry.table.map { "\($0.key) = \($0.value)\n" }.joined()
    }

    // MARK: The client's own file

    /// - Parameter text: of the file; empty if there is none.
    /// - Throws: why it cannot be done, as the end of a sentence that begins with the file.
    func adding(_ entries: [Entry], to text: [UInt8]) throws(JSONText.Obstacle) -> [UInt8] {
        switch self {
        case .codex: try Self.addingToTOML(entries, text)
        case .goose: try GooseText.adding(entries, to: text)
        default: try addingToJSON(entries, text)
        }
    }

    private func addingToJSON(_ entries: [Entry], _ bytes: [UInt8]) throws(JSONText.Obstacle) -> [UInt8] {
        var text = try JSONText(bytes.isEmpty ? Array("{}\n".utf8) : bytes, takesComments: takesComments)
        for entry in entries {
            if let present = text.value[servers]?.objectValue?[entry.key] {
                guard Entry.isOurs(present.objectValue) else { throw Self.taken(entry.key) }
                // What else the user has said of it stays.
                var object = present.objectValue ?? [:]
                for key in Entry.ownKeys where entry.object[key] == nil { object[key] = nil }
                for member in entry.object.members { object[member.key] = member.value }
                if JSON.object(object) == present { continue }
                try text.set(entry.key, in: servers, to: object)
            } else {
                try text.set(entry.key, in: servers, to: entry.object)
            }
        }
        return text.bytes
    }

    private static func addingToTOML(_ entries: [Entry], _ bytes: [UInt8]) throws(JSONText.Obstacle) -> [UInt8] {
        do {
            var text = try TOMLText(bytes)
            let table = try TOMLTable(parsing: bytes)
            for entry in entries {
                let path = ["mcp_servers", entry.key]
                if let present = member(path[...], of: table) {
                    guard case .table(let section) = present.content, isOurs(section) else { throw taken(entry.key) }
                    for key in Entry.ownKeys where section[key] != nil && !entry.table.contains(where: { $0.key == key }) {
                        _ = try text.unset(path + [key])
                    }
                }
                for (key, value) in entry.table { try text.set(path + [key], to: value) }
            }
            return text.bytes
        } catch let obstacle as JSONText.Obstacle {
            throw obstacle
        } catch {
            throw JSONText.Obstacle("cannot be edited: \(error)")
        }
    }

    private static func isOurs(_ section: TOMLTable) -> Bool {
        if case .string(let helper)? = section["http_headers_helper"]?.content { return Entry.isOurs(helper: helper) }
        guard case .string(let command)? = section["command"]?.content, case .array(let words)? = section["args"]?.content else {
            return false
        }
        return Entry.isOurs(
            bridge: [command]
                + words.compactMap { word -> String? in
                    guard case .string(let text) = word.content else { return nil }
                    return text
                })
    }

    private static func member(_ path: ArraySlice<String>, of table: TOMLTable) -> TOMLValue? {
        guard let first = path.first, let value = table[first] else { return nil }
        guard path.count > 1 else { return value }
        guard case .table(let inner) = value.content else { return value }
        return member(path.dropFirst(), of: inner)
    }

    static func taken(_ key: String) -> JSONText.Obstacle {
        JSONText.Obstacle("has a server \(key) that is not Postern's, and it stays as it is")
    }

    /// The difference for a person who is asked: `+ key = value`.
    func difference(_ before: [UInt8], _ after: [UInt8], file: String) -> [String] {
        if self == .codex { return ConfigurationText.Change(file: file, before: before, after: after, isNew: before.isEmpty).lines }
        if self == .goose { return GooseText.difference(before, after) }
        func entries(_ bytes: [UInt8]) -> JSONObject {
            (try? JSONText(bytes, takesComments: takesComments))?.value[servers]?.objectValue ?? [:]
        }
        let (old, new) = (entries(before), entries(after))
        func lines(_ sign: String, _ object: JSONObject, insteadOf other: JSONObject) -> [String] {
            object.members.filter { other[$0.key] != $0.value }.map { "\(sign) \(servers).\($0.key) = \($0.value.text)" }
        }
        return lines("-", old, insteadOf: new) + lines("+", new, insteadOf: old)
    }
}
