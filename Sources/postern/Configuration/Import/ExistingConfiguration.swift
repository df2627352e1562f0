import PosternConfiguration
import PosternValues

/// The settings in all configuration files, including `/etc`, that an import would write as well.
struct ExistingConfiguration {
    private let text: ConfigurationText
    private let configuration: Configuration

    /// - Throws: if the daemon would also refuse it.
    init(path: String, environment: [String: String]) throws {
        text = try ConfigurationText(path: path, environment: environment)
        configuration = try text.configuration()
    }

    /// The server that a provider's refresh token is sent to, and its client.
    struct Server: Equatable {
        var clientID: String?
        var issuer: String?
        var tokenEndpoint: String?

        /// For people.
        var address: String { tokenEndpoint ?? issuer ?? "nowhere" }
    }

    /// Nil if no file names the provider.
    func server(of providerID: String) -> Server? {
        guard let configured = configuration.provider(providerID), configured.isMentioned else { return nil }
        let provider = configured.provider
        return Server(clientID: provider.clientID, issuer: provider.issuer, tokenEndpoint: provider.endpoints.token)
    }

    /// The names of the MCP servers with that URL.
    func servers(at url: String) -> [String] { configuration.providers.filter { $0.provider.server?.url.text == url }.map(\.provider.id) }

    /// Providers, accounts and MCP servers share their names.
    func isTaken(_ name: String) -> Bool { configuration.provider(name) != nil || configuration.namedAccounts[name] != nil }

    /// As `postern mcp add` names it.
    func freeName(forServerAt host: String, besides given: Set<String>) throws -> String {
        try AccountSettings(text).freeName(forServerAt: host, besides: given)
    }

    /// The providers, whatever their names, that are this one and have this client; any client if it is nil. The user's own are first. One
    /// that is for a single app is not for the person's accounts.
    func providers(for foreign: ForeignProvider, clientID: String?) throws -> [String] {
        var found: [(id: String, isUsers: Bool)] = []
        for configured in configuration.providers where configured.provider.app == nil {
            let id = configured.provider.id
            guard let server = server(of: id), let client = server.clientID, client == clientID ?? client, foreign.isServed(by: server),
                try mayGetTokens(id)
            else { continue }
            found.append((id, try text.origin(ofProvider: id) == .user))
        }
        return (found.filter(\.isUsers) + found.filter { !$0.isUsers }).map(\.id)
    }

    /// Whether a token may go to it that was not obtained for it by its name. A package's file could give the right token endpoint, and
    /// send the tokens elsewhere by another one; of a built-in provider it gives only the client.
    func mayGetTokens(_ providerID: String) throws -> Bool {
        try ConfigurationText.isBuiltIn(providerID) || text.origin(ofProvider: providerID) != .package
    }

    /// An existing `[account.NAME]`.
    struct Account: Equatable {
        var providerID: String
        var login: String?
        /// The files that have a key of it.
        var files: [String]
    }

    /// Nil if it is in no file.
    func account(_ name: String) throws -> Account? {
        guard let account = configuration.namedAccounts[name] else { return nil }
        let files = Set(try text.entries(at: ["account", name]).map(\.file))
        return Account(providerID: account.providerID, login: account.login?.text, files: files.sorted())
    }
}

extension ForeignProvider {
    /// The server that the refresh token is sent to: the issuer, or the token endpoint.
    var address: String {
        switch self {
        case .issuer(let url), .endpoints(_, let url): url
        case .builtIn("google.com", _): "https://accounts.google.com"
        case .builtIn("microsoft.com", let tenant):
            "https://login.microsoftonline.com/\(tenant?.lowercased() ?? "common")/oauth2/v2.0/token"
        case .builtIn(let id, _): id
        }
    }

    /// Whether a configured provider is this one. One host can have many, such as the realms of a Keycloak, and a name proves nothing: the
    /// refresh token could be sent to another server.
    func isServed(by server: ExistingConfiguration.Server) -> Bool {
        switch self {
        case .issuer, .builtIn("google.com", _): address.isSameURL(as: server.issuer) && sendsTokensItself(server)
        case .endpoints, .builtIn: address.isSameURL(as: server.tokenEndpoint)
        }
    }

    /// Whether the refresh token goes where the issuer would have it, and not to an endpoint that the configuration puts elsewhere.
    private func sendsTokensItself(_ server: ExistingConfiguration.Server) -> Bool {
        guard let endpoint = server.tokenEndpoint else { return true }
        return Self.host(of: endpoint) == Self.host(of: address) || endpoint == ConfigurationText.tokenEndpoint(ofBuiltInIssuer: address)
    }

    /// With the port.
    private static func host(of url: String) -> Substring? {
        let parts = url.parts(separator: "/")
        return parts.count > 1 ? Substring(parts[1]) : nil
    }

    /// Whether the configuration may give it that name. Under the name of a built-in provider people would trust pages of another server,
    /// which only the other program's file names.
    func mayBeCalled(_ providerID: String) -> Bool {
        guard ConfigurationText.isBuiltIn(providerID) else { return true }
        return switch self {
        case .builtIn(let id, _): id == providerID
        case .issuer(let issuer): issuer.isSameURL(as: ConfigurationText.issuer(ofBuiltIn: providerID))
        case .endpoints: false
        }
    }
}
