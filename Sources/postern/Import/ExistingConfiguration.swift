import PosternConfiguration

/// What all configuration files, `/etc` included, say already of what an import would write.
struct ExistingConfiguration {
    private let text: ConfigurationText
    private let configuration: Configuration

    /// - Throws: if the daemon would not take it either.
    init(path: String, environment: [String: String]) throws {
        text = try ConfigurationText(path: path, environment: environment)
        configuration = try text.configuration()
    }

    /// Who a refresh token of a provider goes to, and as whose.
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

    /// `[account.NAME]` as it stands.
    struct Account: Equatable {
        var providerID: String
        var login: String?
        /// Those with a key of it.
        var files: [String]
    }

    /// Nil if no file has it.
    func account(_ name: String) throws -> Account? {
        guard let account = configuration.namedAccounts[name] else { return nil }
        let files = Set(try text.entries(at: ["account", name]).map(\.file))
        return Account(providerID: account.providerID, login: account.login, files: files.sorted())
    }
}

extension ForeignProvider {
    /// Who the refresh token goes to: the issuer, or the token endpoint.
    var address: String {
        switch self {
        case .issuer(let url), .endpoints(_, let url): url
        case .builtIn("google.com", _): "https://accounts.google.com"
        case .builtIn("microsoft.com", let tenant):
            "https://login.microsoftonline.com/\(tenant?.lowercased() ?? "common")/oauth2/v2.0/token"
        case .builtIn(let id, _): id
        }
    }

    /// Whether a configured provider is this one. One host can have many, such as the realms of a Keycloak, and a name proves nothing: a refresh
    /// token would go to another server.
    func isServed(by server: ExistingConfiguration.Server) -> Bool {
        switch self {
        case .issuer, .builtIn("google.com", _): Self.isSame(address, server.issuer)
        case .endpoints, .builtIn: Self.isSame(address, server.tokenEndpoint)
        }
    }

    /// A slash at the end aside: oidc-agent writes one behind every issuer.
    private static func isSame(_ one: String, _ other: String?) -> Bool {
        func bare(_ url: String) -> Substring { url.hasSuffix("/") ? url.dropLast() : url[...] }
        return other.map { bare($0) == bare(one) } ?? false
    }
}
