import PosternCore
import TOML

/// All `[mcp.…]` sections: servers of the Model Context Protocol, each a provider of its own with one account.
struct MCPList {
    static let limit = 64
    static let keys = [
        "url", "login", "scopes", "issuer", "endpoint-hosts", "client-id", "client-secret", "resource", "registration", "ca-file",
        "keep-fresh",
    ]

    let paths: PathRules

    /// Adds the servers to the providers, whose names they must not have.
    func read(_ layers: inout SettingLayers, into providers: inout [ConfiguredProvider]) throws(ConfigurationError) {
        for member in try layers.members("mcp") {
            let path = ["mcp", member.key]
            do throws(ConfigurationError) {
                try layers.requireNoReadableSecret(at: path)
                guard providers.count(where: { $0.provider.server != nil }) < Self.limit else {
                    throw member.keyPosition.error("more than \(Self.limit) MCP servers")
                }
                providers.append(try read(member, beside: providers))
            } catch {
                try layers.leaveOut(path, error) { part in (try? read(member.with(part), beside: providers)) != nil }
                layers.remove(path)
                guard let blocked = blocked(member, beside: providers) else { continue }
                providers.append(blocked.blocked(because: error))
            }
        }
    }

    private func read(
        _ member: SettingTable.Member, beside providers: [ConfiguredProvider]
    ) throws(ConfigurationError) -> ConfiguredProvider {
        guard case .table(let section) = member.setting.content else {
            throw member.keyPosition.error("\(TOMLKey.shown(member.key)) in [mcp] must be a table; a server begins with [mcp.NAME]")
        }
        try section.allowOnly(Self.keys)
        if let mistake = mistake(in: member.key, beside: providers) { throw section.position.error("\(section.name): \(mistake)") }
        guard let text = try section.string("url") else {
            throw section.position.error("\(section.name) needs url, the address that an MCP client is given")
        }
        var server = try server(text, section)
        server.login = try section.line("login", upTo: 320, "must be an address or a user name, at most 320 bytes")
        server.sendsResource = try section.boolean("resource") ?? true
        if let registration = try section.string("registration") {
            guard registration == "dynamic" else {
                throw section.error("registration", "must be \"dynamic\", or left out, not \(SettingTable.shown(registration))")
            }
            server.prefersRegistration = true
        }
        server.keepsFresh = try section.boolean("keep-fresh") ?? false
        let issuer = try section.url("issuer")
        if let issuer, issuer.query != nil { throw section.error("issuer", "must not have a query") }
        server.issuer = issuer?.text

        server.endpointHosts = try endpointHosts(section)

        var provider = Provider(id: member.key, of: server)
        provider.clientID = try section.string("client-id")
        if provider.clientID != nil, server.prefersRegistration {
            throw section.error("registration", "must be left out while there is a client-id")
        }
        let secret = try SecretSource("client-secret", in: section, paths: paths)
        if secret != nil, provider.clientID == nil { throw section.error("client-secret", "needs client-id") }
        if provider.clientID != nil {
            // The server could name any issuer tomorrow, which would then get the code and the secret.
            guard server.issuer != nil else { throw section.error("client-id", "needs issuer, where the client is registered") }
            provider.extensions.registersClient = false
            provider.clientAuthentication = secret == nil ? ClientAuthentication.none : nil
        }
        if let scopes = try section.scopes("scopes") {
            provider.scopes = scopes
            provider.hasChosenScopes = true
        }
        provider.caFile = try paths.path("ca-file", in: section)
        return ConfiguredProvider(provider: provider, secret: secret)
    }

    private func server(_ text: String, _ section: SettingTable) throws(ConfigurationError) -> MCPServer {
        do throws(EndpointURLError) {
            let url = try EndpointURL(text)
            _ = try URLPrefix(server: url)
            return MCPServer(url: url)
        } catch {
            throw section.error("url", "\(error)")
        }
    }

    private func endpointHosts(_ section: SettingTable) throws(ConfigurationError) -> Set<EndpointHost> {
        var hosts: Set<EndpointHost> = []
        for text in try section.strings("endpoint-hosts") ?? [] {
            guard let host = EndpointHost(written: text) else {
                throw section.error("endpoint-hosts", "must be host names, such as login.example.com, not \(SettingTable.shown(text))")
            }
            hosts.insert(host)
        }
        return hosts
    }

    private func mistake(in name: String, beside providers: [ConfiguredProvider]) -> String? {
        if let mistake = ProviderNaming.mistake(inAccount: name) { return mistake }
        guard providers.contains(where: { $0.provider.id == name }) else { return nil }
        return "\(name) is the name of a provider; a server needs its own name"
    }

    /// The server whose section has a mistake, as far as it can be read: its name and what was stored under it remain.
    private func blocked(_ member: SettingTable.Member, beside providers: [ConfiguredProvider]) -> ConfiguredProvider? {
        guard mistake(in: member.key, beside: providers) == nil, case .table(let section) = member.setting.content,
            case .string(let text)? = section["url"]?.content, let url = try? EndpointURL(text)
        else { return nil }
        return ConfiguredProvider(provider: Provider(id: member.key, of: MCPServer(url: url)))
    }
}
