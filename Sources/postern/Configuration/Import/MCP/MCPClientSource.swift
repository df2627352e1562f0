import Glibc
import PosternClient
import StrictJSON

/// Reads an MCP client's files, without changing them.
struct MCPClientSource {
    var program: ImportedMCPClient
    /// Nil for the program's default place.
    var file: String?
    /// The servers' URLs, of which mcp-remote keeps only hashes.
    var urls: [String] = []
    var environment: [String: String]

    /// - Returns: what was found, and where.
    func grants() throws(CommandFailure) -> (found: MCPGrants, place: String) {
        if program == .mcpRemote { return try mcpRemote() }
        let path: String
        if let file { path = file } else { path = try usualPlace() }
        guard file != nil || access(path, F_OK) == 0 || errno != ENOENT else { throw missing(path) }
        let bytes = try read(path, isNamed: file != nil)
        do throws(ForeignFileError) { return (try Self.grants(of: program, in: bytes), path) } catch {
            throw CommandFailure("\(path == "-" ? "standard input" : path): \(error)".plain)
        }
    }

    static func grants(of program: ImportedMCPClient, in bytes: [UInt8]) throws(ForeignFileError) -> MCPGrants {
        guard program == .geminiCLI else {
            let document = try JSONObject.foreign(bytes)
            switch program {
            case .claudeCode: return try .claudeCode(document)
            case .codex: return try .codex(document)
            case .opencode: return try .opencode(document)
            case .mcpRemote, .geminiCLI: return MCPGrants()
            }
        }
        guard let document = try? JSON(parsing: bytes) else { throw ForeignFileError("it is not JSON") }
        return try .geminiCLI(document)
    }

    // MARK: Places

    private func usualPlace() throws(CommandFailure) -> String {
        let (variable, directory, file) =
            switch program {
            case .claudeCode: ("CLAUDE_CONFIG_DIR", ".claude", "/.credentials.json")
            case .codex: ("CODEX_HOME", ".codex", "/.credentials.json")
            case .geminiCLI: (nil, ".gemini", "/mcp-oauth-tokens.json")
            case .opencode: ("XDG_DATA_HOME", ".local/share", "/opencode/mcp-auth.json")
            case .mcpRemote: ("MCP_REMOTE_CONFIG_DIR", ".mcp-auth", "")
            } as (String?, String, String)
        if let own = variable.flatMap(environment.path) { return own + file }
        return try "\(home())/\(directory)\(file)"
    }

    /// Where a program keeps its tokens in a keyring, or encrypts them with a key of its own, nothing is taken from there.
    private func missing(_ path: String) -> CommandFailure {
        let elsewhere =
            switch program {
            case .codex: "Codex keeps them in a keyring where there is one, and gives them to no other program"
            case .geminiCLI: "Gemini CLI may keep them in a keyring or encrypted, and gives them to no other program"
            case .opencode: "opencode may keep them in a keyring, and gives them to no other program"
            case .claudeCode, .mcpRemote: "\(program.rawValue) has no tokens for this user"
            }
        return CommandFailure("\(path) does not exist: \(elsewhere)".plain, advice: "sign in again with: postern mcp add URL")
    }

    private func home() throws(CommandFailure) -> String {
        guard let home = environment.path("HOME") else { throw CommandFailure("HOME is not a directory; give the file") }
        return home
    }

    // MARK: Reading

    private static let mostBytes = 1 << 20
    /// Claude Code's own settings hold its history, too.
    private static let mostSettingsBytes = 16 << 20

    /// - Parameter isNamed: by the user. Otherwise a link that leads out of the user's directories is not followed, and neither is a file of
    ///   somebody else's read.
    /// - Parameter isFound: in a directory that the user named, which somebody else may write to as well.
    private func read(
        _ path: String, isNamed: Bool, isFound: Bool = false, most: Int = mostBytes
    ) throws(CommandFailure) -> [UInt8] {
        if isNamed, path == "-" { return try ForeignFile.read(path) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw CommandFailure("\(path) cannot be read: \(String(cString: strerror(errno)))".plain) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure("\(path) is not a regular file".plain)
        }
        if !isNamed || isFound {
            guard information.st_uid == geteuid() else {
                throw CommandFailure("\(path) belongs to \(UserName.text(information.st_uid)) and was not read".plain, advice: Self.nameIt)
            }
        }
        if !isNamed {
            guard isWithinOwnDirectories(path) else {
                throw CommandFailure("\(path) leads out of your directories and was not read".plain, advice: Self.nameIt)
            }
        }
        guard information.st_mode & S_IWOTH == 0 else {
            throw CommandFailure(
                "\(path) can be changed by everybody on this machine and was not read".plain, advice: "chmod 600 \(path)".plain)
        }
        guard let bytes = DescriptorReader.all(from: descriptor, limit: most) else {
            throw CommandFailure("\(path) cannot be read: \(String(cString: strerror(errno)))".plain)
        }
        guard bytes.count <= most else { throw CommandFailure("\(path) has more than \(most) bytes, which is too many".plain) }
        return bytes
    }

    private static let nameIt = "if it is the right one, name it in the command"

    private func isWithinOwnDirectories(_ path: String) -> Bool {
        let own = ["HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "MCP_REMOTE_CONFIG_DIR", "XDG_CONFIG_HOME"]
        guard let real = Self.real(path) else { return false }
        return own.compactMap { environment.path($0).flatMap(Self.real) }.contains { real.begins(with: $0 == "/" ? "/" : $0 + "/") }
    }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    // MARK: mcp-remote

    /// mcp-remote has one directory for each version, or for each form of its files. Of each server the newest tokens with a refresh token
    /// are taken, else the newest.
    private func mcpRemote() throws(CommandFailure) -> (MCPGrants, String) {
        let base: String
        if let file { base = file } else { base = try usualPlace() }
        guard FileStatus(following: base)?.kind == .directory else {
            if file == nil { throw missing(base) }
            throw CommandFailure("\(base) is not a directory".plain, advice: "name the one that has mcp-remote's files")
        }
        let versions = TextFile.names(in: base).filter { $0.begins(with: "mcp-remote-") }.sorted().map { "\(base)/\($0)" }
        var found = MCPGrants()
        var newest: [String: (grant: MCPGrant, writtenAt: Int64)] = [:]
        for directory in [base] + versions.prefix(MCPGrants.most) {
            for name in TextFile.names(in: directory).sorted().prefix(8 * MCPGrants.most) {
                guard let hash = Self.hash(ofTokens: name) else { continue }
                do throws(CommandFailure) {
                    let (grant, writtenAt) = try grant(hash, in: directory)
                    let known = newest[hash]
                    let isBetter = known.map { (grant.isRenewable, writtenAt) > ($0.grant.isRenewable, $0.writtenAt) } ?? true
                    if isBetter { newest[hash] = (grant, writtenAt) }
                } catch { found.problems.append("\(name) is left out: \(error)") }
            }
        }
        guard newest.count <= MCPGrants.most else { throw CommandFailure("\(base) has more than \(MCPGrants.most) servers".plain) }
        let names = newest.isEmpty ? [:] : knownURLs()
        for (hash, entry) in newest.sorted(by: { $0.key < $1.key }) {
            var grant = entry.grant
            if let known = names[hash] {
                (grant.name, grant.url, grant.resource) = (known.url, known.url, known.resource)
            }
            found.grants.append(grant)
        }
        return (found, base)
    }

    /// 32 hexadecimal digits and `_tokens.json`.
    static func hash(ofTokens name: String) -> String? {
        guard name.ends(with: "_tokens.json") else { return nil }
        let hash = name.utf8.dropLast("_tokens.json".utf8.count)
        guard hash.count == 32, hash.allSatisfy("0123456789abcdef".utf8.contains) else { return nil }
        return String(Substring(hash))
    }

    private func grant(_ hash: String, in directory: String) throws(CommandFailure) -> (MCPGrant, Int64) {
        let (tokens, client) = ("\(directory)/\(hash)_tokens.json", "\(directory)/\(hash)_client_info.json")
        var information = stat()
        let writtenAt = stat(tokens, &information) == 0 ? Int64(information.st_mtim.tv_sec) : 0
        let tokenBytes = try read(tokens, isNamed: file != nil, isFound: true)
        var clientBytes: [UInt8]?
        if access(client, F_OK) == 0 { clientBytes = try read(client, isNamed: file != nil, isFound: true) }
        do throws(ForeignFileError) {
            var registration: JSONObject?
            if let clientBytes { registration = try .foreign(clientBytes) }
            let grant = try MCPGrants.mcpRemote(.foreign(tokenBytes), client: registration, hash: hash, writtenAt: writtenAt)
            return (grant, writtenAt)
        } catch { throw CommandFailure("\(error)".plain) }
    }

    /// The URLs that were given, and those in the settings of programs that start mcp-remote, by their hashes.
    private func knownURLs() -> [String: (url: String, resource: String?)] {
        var texts = urls
        let settings = [
            ".claude.json", ".config/Claude/claude_desktop_config.json", ".cursor/mcp.json", ".codeium/windsurf/mcp_config.json",
            ".gemini/settings.json", ".config/Code/User/mcp.json", ".config/opencode/opencode.json", ".config/zed/settings.json",
            ".codex/config.toml", ".config/goose/config.yaml", ".mcp.json",
        ]
        if let home = try? home() {
            for path in settings {
                guard let bytes = try? read("\(home)/\(path)", isNamed: false, most: Self.mostSettingsBytes) else { continue }
                texts += Self.urls(in: bytes)
            }
        }
        return Self.hashes(of: texts)
    }

    /// What stands between quotes or white space and begins as a URL does: settings are in several languages.
    static func urls(in bytes: [UInt8]) -> [String] {
        var found: [String] = []
        let ends: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ","), UInt8(ascii: "\\")]
        for part in bytes.split(whereSeparator: ends.contains) where part.count <= 2048 {
            guard part.starts(with: "https://".utf8) || part.starts(with: "http://".utf8) else { continue }
            let text = String(decoding: part, as: UTF8.self)
            if found.count < 4096, !found.contains(text) { found.append(text) }
        }
        return found
    }

    /// Newer versions hash `--resource` with it, after a bar. Headers are in it, too; then the URL is not found.
    static func hashes(of urls: [String]) -> [String: (url: String, resource: String?)] {
        var found: [String: (url: String, resource: String?)] = [:]
        for url in urls { found[MD5.hexadecimal(url)] = (url, nil) }
        for url in urls.prefix(64) {
            for resource in urls.prefix(64) where resource != url { found[MD5.hexadecimal("\(url)|\(resource)")] = (url, resource) }
        }
        return found
    }
}

extension MCPGrant {
    /// To be compared.
    fileprivate var isRenewable: Int { refreshToken == nil ? 0 : 1 }
}
