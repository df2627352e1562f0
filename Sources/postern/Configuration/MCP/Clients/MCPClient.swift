import PosternConfiguration
import StrictJSON
import TOML

/// A program that connects to MCP servers, and how its own configuration says where a header field comes from.
///
/// Sources: Claude Code, "Use dynamic headers for custom authentication"; Codex, configuration reference, `mcp_servers.<id>`.
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

    /// Whether it asks a program for header fields. The others take them as text alone, where a token would stand in a file.
    var asksForHeaders: Bool { self == .claudeCode || self == .codex }

    /// - Parameter home: the user's.
    func file(home: String, variable: (String) -> String?) -> String {
        func directory(_ name: String) -> String? { variable(name).flatMap { $0.begins(with: "/") ? $0 : nil } }
        return switch self {
        case .codex: (directory("CODEX_HOME") ?? "\(home)/.codex") + "/config.toml"
        default: (directory("CLAUDE_CONFIG_DIR") ?? home) + "/.claude.json"
        }
    }

    /// What the client is told of one server.
    struct Entry: Equatable {
        /// In the client's file, where a full stop is not allowed.
        var key: String
        var url: String
        /// A command of a shell.
        var helper: String

        /// - Parameter program: the whole path: a client may have another search path.
        init(_ client: MCPClient, name: String, url: String, program: String) {
            key = name.mapping { $0 == "." ? "-" : String($0) }
            self.url = url
            // Claude Code says itself which server asks, in its own spelling.
            let words = [program, "helper", "mcp-headers", name] + (client == .codex ? ["--url", url] : [])
            helper = words.map(ShellWord.quoted).joined(separator: " ")
        }

        var object: JSONObject { ["type": "http", "url": .string(url), "headersHelper": .string(helper)] }

        static func isOurs(_ helper: String?) -> Bool {
            guard let helper, let end = helper.range(ofText: " helper mcp-headers ")?.lowerBound else { return false }
            let program = String(helper[..<end]).mapping { $0 == "'" ? "" : String($0) }
            return program == "postern" || program.ends(with: "/postern")
        }
    }

    /// To paste.
    func block(_ entries: [Entry]) -> String {
        if self == .codex { return entries.map(Self.section).joined(separator: "\n") }
        var servers: JSONObject = [:]
        for entry in entries { servers[entry.key] = .object(entry.object) }
        return JSON.object(["mcpServers": .object(servers)]).indentedText + "\n"
    }

    private static func section(_ entry: Entry) -> String {
        """
        [mcp_servers.\(TOMLText.key(entry.key))]
        url = \(TOMLText.quoted(entry.url))
        http_headers_helper = \(TOMLText.quoted(entry.helper))

        """
    }

    // MARK: The client's own file

    /// - Parameter text: of the file; empty if there is none.
    /// - Throws: why it cannot be done, as the end of a sentence that begins with the file.
    func adding(_ entries: [Entry], to text: [UInt8]) throws(JSONText.Obstacle) -> [UInt8] {
        self == .codex ? try Self.addingToTOML(entries, text) : try Self.addingToJSON(entries, text)
    }

    private static func addingToJSON(_ entries: [Entry], _ bytes: [UInt8]) throws(JSONText.Obstacle) -> [UInt8] {
        var text = try JSONText(bytes.isEmpty ? Array("{}\n".utf8) : bytes)
        for entry in entries {
            if let present = text.value["mcpServers"]?.objectValue?[entry.key] {
                guard Entry.isOurs(present.objectValue?["headersHelper"]?.stringValue) else { throw taken(entry.key) }
                // What else the user has said of it stays.
                var object = present.objectValue ?? [:]
                for member in entry.object.members { object[member.key] = member.value }
                if JSON.object(object) == present { continue }
                try text.set(entry.key, in: "mcpServers", to: object)
            } else {
                try text.set(entry.key, in: "mcpServers", to: entry.object)
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
                    guard case .table(let section) = present.content, case .string(let helper)? = section["http_headers_helper"]?.content,
                        Entry.isOurs(helper)
                    else { throw taken(entry.key) }
                }
                try text.set(path + ["url"], to: TOMLText.quoted(entry.url))
                try text.set(path + ["http_headers_helper"], to: TOMLText.quoted(entry.helper))
            }
            return text.bytes
        } catch let obstacle as JSONText.Obstacle {
            throw obstacle
        } catch {
            throw JSONText.Obstacle("cannot be edited: \(error)")
        }
    }

    private static func member(_ path: ArraySlice<String>, of table: TOMLTable) -> TOMLValue? {
        guard let first = path.first, let value = table[first] else { return nil }
        guard path.count > 1 else { return value }
        guard case .table(let inner) = value.content else { return value }
        return member(path.dropFirst(), of: inner)
    }

    private static func taken(_ key: String) -> JSONText.Obstacle {
        JSONText.Obstacle("has a server \(key) that is not Postern's, and it stays as it is")
    }

    /// The difference for a person who is asked: `+ key = value`.
    func difference(_ before: [UInt8], _ after: [UInt8], file: String) -> [String] {
        if self == .codex { return ConfigurationText.Change(file: file, before: before, after: after, isNew: before.isEmpty).lines }
        func servers(_ bytes: [UInt8]) -> JSONObject { (try? JSONText(bytes))?.value["mcpServers"]?.objectValue ?? [:] }
        let (old, new) = (servers(before), servers(after))
        func lines(_ sign: String, _ object: JSONObject, insteadOf other: JSONObject) -> [String] {
            object.members.filter { other[$0.key] != $0.value }.map { "\(sign) mcpServers.\($0.key) = \($0.value.text)" }
        }
        return lines("-", old, insteadOf: new) + lines("+", new, insteadOf: old)
    }
}
