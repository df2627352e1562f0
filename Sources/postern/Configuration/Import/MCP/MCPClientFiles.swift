import PosternClient
import StrictJSON

/// The files of MCP clients, as they write them. One broken entry is named and left out.
extension MCPGrants {
    /// `.credentials.json` of Claude Code 2: `mcpOAuth` has an entry for each server, under its name and a hash; the secret of a client that
    /// was given by hand is in `mcpOAuthClientConfig`, under the same key.
    static func claudeCode(_ document: JSONObject) throws(ForeignFileError) -> MCPGrants {
        guard let servers = document["mcpOAuth"] else { return MCPGrants() }
        let secrets = document["mcpOAuthClientConfig"]?.objectValue
        return try ofEntries(servers, called: "mcpOAuth") { key, entry throws(ForeignFileError) in
            let name = try entry.text("serverName")
            var grant = MCPGrant(name: name ?? String(key.parts(separator: "|").first ?? ""))
            grant.url = try entry.text("serverUrl")
            grant.clientID = try entry.text("clientId")
            var secret = try entry.text("clientSecret")
            if secret == nil { secret = try secrets?[key]?.objectValue?.text("clientSecret") }
            grant.clientSecret = secret.map { Secret($0) }
            grant.issuer = try entry["discoveryState"]?.objectValue?.text("authorizationServerUrl")
            try grant.takeTokens(of: entry, millisecondsPerUnit: 1)
            return grant
        }
    }

    /// `.credentials.json` of Codex 0.40 and later; only where it has no keyring, or is told to use the file.
    static func codex(_ document: JSONObject) throws(ForeignFileError) -> MCPGrants {
        try ofEntries(.object(document), called: "the file") { key, entry throws(ForeignFileError) in
            let name = try entry.text("server_name")
            var grant = MCPGrant(name: name ?? key)
            grant.url = try entry.text("server_url")
            grant.clientID = try entry.text("client_id")
            grant.issuer = try entry.text("issuer")
            grant.scopes = try scopes(in: entry["scopes"])
            grant.refreshToken = try entry.text("refresh_token").map { Secret($0) }
            grant.accessToken = try entry.text("access_token").map { Secret($0) }
            grant.expiresAt = entry["expires_at"]?.integerValue.map { $0 / 1000 }
            return grant
        }
    }

    /// `mcp-oauth-tokens.json` of Gemini CLI 0.1.17 and later: a list.
    static func geminiCLI(_ document: JSON) throws(ForeignFileError) -> MCPGrants {
        guard case .array(let entries) = document else { throw ForeignFileError("it is not a list: it is not Gemini CLI's file of tokens") }
        guard entries.count <= most else { throw ForeignFileError("it has more than \(most) servers") }
        var found = MCPGrants()
        for (place, entry) in entries.enumerated() {
            found.add("entry \(place + 1)") { () throws(ForeignFileError) in
                guard let entry = entry.objectValue, let name = try entry.text("serverName"), let token = entry["token"]?.objectValue else {
                    throw ForeignFileError("it has no serverName or no token")
                }
                var grant = MCPGrant(name: name)
                grant.url = try entry.text("mcpServerUrl")
                grant.clientID = try entry.text("clientId")
                grant.tokenEndpoint = try entry.text("tokenUrl")
                try grant.takeTokens(of: token, millisecondsPerUnit: 1)
                return grant
            }
        }
        return found
    }

    /// `mcp-auth.json` of opencode 1.
    static func opencode(_ document: JSONObject) throws(ForeignFileError) -> MCPGrants {
        try ofEntries(.object(document), called: "the file") { key, entry throws(ForeignFileError) in
            var grant = MCPGrant(name: key)
            grant.url = try entry.text("serverUrl")
            let client = entry["clientInfo"]?.objectValue
            grant.clientID = try client?.text("clientId")
            grant.clientSecret = try client?.text("clientSecret").map { Secret($0) }
            if let tokens = entry["tokens"]?.objectValue { try grant.takeTokens(of: tokens, millisecondsPerUnit: 1000) }
            return grant
        }
    }

    /// `HASH_tokens.json` and `HASH_client_info.json` of mcp-remote 0.0.5 and later, which are an OAuth server's answers.
    ///
    /// - Parameter writtenAt: when the tokens were, in seconds since 1970: they say only how long they last.
    static func mcpRemote(
        _ tokens: JSONObject, client: JSONObject?, hash: String, writtenAt: Int64
    ) throws(ForeignFileError) -> MCPGrant {
        var grant = MCPGrant(name: hash)
        grant.clientID = try client?.text("client_id")
        // A public client may have been given a secret all the same; it is registered not to use it.
        if try client?.text("token_endpoint_auth_method") != "none" {
            grant.clientSecret = try client?.text("client_secret").map { Secret($0) }
        }
        let scope = try tokens.text("scope")
        grant.scopes = OIDCAgentFile.scopes(scope ?? "")
        grant.refreshToken = try tokens.text("refresh_token").map { Secret($0) }
        grant.accessToken = try tokens.text("access_token").map { Secret($0) }
        if let seconds = tokens["expires_in"]?.integerValue { grant.expiresAt = writtenAt.addingReportingOverflow(seconds).partialValue }
        return grant
    }

    // MARK: Entries

    private static func ofEntries(
        _ value: JSON, called name: String, _ read: (String, JSONObject) throws(ForeignFileError) -> MCPGrant
    ) throws(ForeignFileError) -> MCPGrants {
        guard case .object(let entries) = value else { throw ForeignFileError("\(name) must be an object") }
        guard entries.members.count <= most else { throw ForeignFileError("it has more than \(most) servers") }
        var found = MCPGrants()
        for member in entries.members {
            found.add(member.key) { () throws(ForeignFileError) in
                guard let entry = member.value.objectValue else { throw ForeignFileError("it must be an object") }
                return try read(member.key, entry)
            }
        }
        return found
    }

    mutating func add(_ name: String, _ read: () throws(ForeignFileError) -> MCPGrant) {
        do throws(ForeignFileError) { grants.append(try read()) } catch { problems.append("\(name) is left out: \(error)") }
    }

    private static func scopes(in value: JSON?) throws(ForeignFileError) -> [String] {
        switch value {
        case nil, .null: return []
        case .array(let elements):
            let texts = elements.compactMap(\.stringValue)
            guard texts.count == elements.count else { throw ForeignFileError("its scopes must be strings") }
            return OIDCAgentFile.scopes(texts.joined(separator: " "))
        default: throw ForeignFileError("its scopes must be a list")
        }
    }
}

extension MCPGrant {
    /// `accessToken`, `refreshToken`, `expiresAt` and `scope`.
    fileprivate mutating func takeTokens(of object: JSONObject, millisecondsPerUnit: Int64) throws(ForeignFileError) {
        let scope = try object.text("scope")
        scopes = OIDCAgentFile.scopes(scope ?? "")
        refreshToken = try object.text("refreshToken").map { Secret($0) }
        accessToken = try object.text("accessToken").map { Secret($0) }
        guard let number = object["expiresAt"]?.doubleValue, number > 0, number < 1e15 else { return }
        expiresAt = Int64(number) / (1000 / millisecondsPerUnit)
    }
}
