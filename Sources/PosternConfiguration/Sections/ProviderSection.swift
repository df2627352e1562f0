import PosternCore
import TOML

/// One `[provider.NAME]`.
struct ProviderSection {
    let id: String
    let table: SettingTable
    let paths: PathRules

    static let endpoints: [(key: String, path: WritableKeyPath<ProviderEndpoints, String?> & Sendable)] = [
        ("authorization-endpoint", \.authorization), ("token-endpoint", \.token), ("userinfo-endpoint", \.userinfo),
        ("revocation-endpoint", \.revocation), ("introspection-endpoint", \.introspection),
        ("device-authorization-endpoint", \.deviceAuthorization), ("jwks-uri", \.jwks),
        ("pushed-authorization-request-endpoint", \.pushedAuthorization), ("registration-endpoint", \.registration),
        ("end-session-endpoint", \.endSession),
    ]

    static let keys =
        [
            "kind", "display-name", "issuer", "client-id", "client-secret", "client-authentication", "scopes", "step-up-scopes",
            "parameters", "profile", "trust-email", "ca-file", "own-callback-path", "any-port", "redirect-uri", "response-mode", "browser",
            "browser-of", "flow", "serves", "account", "app",
        ] + endpoints.map(\.key) + extensionKeys.map(\.name)

    /// The keys whose values are or may be tables.
    static let tables = ["client-secret", "api-secret", "parameters", "profile", "browser-of"]

    /// - Parameter template: the built-in provider of this name, or one that is empty except for its kind.
    func read(template: Provider) throws(ConfigurationError) -> ConfiguredProvider {
        try table.allowOnly(
            Self.keys(of: template.kind) + template.dialect.settings.map(\.key), others: Self.otherNames(for: template.kind))
        let template = try ownSettings(over: template)
        var provider = template
        provider.displayName = try table.string("display-name") ?? template.displayName
        provider.clientID = try table.string(template.kind.clientIDKey)
        provider.issuer = try issuer() ?? template.issuer
        for (key, path) in Self.endpoints(of: template.kind) {
            if let endpoint = try table.url(key) { provider.endpoints[keyPath: path] = endpoint.text }
        }
        provider.scopes = try table.scopes("scopes") ?? template.scopes
        provider.stepUpScopes = try table.scopes("step-up-scopes") ?? template.stepUpScopes
        provider.hasChosenScopes = try table.strings("scopes") != nil
        provider.parameters = template.parameters.merging(try parameters(of: template) ?? [:]) { _, given in given }
        provider.profileMapping = try profileMapping(template.profileMapping)
        provider.emailTrust = try emailTrust() ?? template.emailTrust
        provider.caFile = try paths.path("ca-file", in: table) ?? template.caFile
        provider.hasOwnCallbackPath = try table.boolean("own-callback-path") ?? template.hasOwnCallbackPath
        provider.redirectPort = try table.boolean("any-port").map { $0 ? .any : .registered } ?? template.redirectPort
        provider.extensions = try extensions(of: template)
        provider.redirectURI = try redirectURI() ?? template.redirectURI
        provider.hasCallbackState = try table.boolean("callback-state") ?? template.hasCallbackState
        // With its own endpoints it is another server, and the built-in values do not apply to it.
        let isMoved = provider.endpoints.token != template.endpoints.token || provider.issuer != template.issuer
        let builtIn = isMoved ? [] : template.serves
        provider.serves = try table.prefixes("serves")?.map { $0.repeating(builtIn) } ?? builtIn
        provider.responseMode = try table.word("response-mode") ?? template.responseMode
        provider.app = try app().map { AppName($0) }
        try requireEndpoints(of: provider)
        provider.flow = try flow(of: provider)

        let secret = try SecretSource(template.kind.clientSecretKey, in: table, paths: paths)
        provider.clientAuthentication = try clientAuthentication(of: template, hasSecret: secret != nil, flow: provider.flow)
        provider.problem = problem(with: provider)
        return ConfiguredProvider(
            provider: provider, secret: secret, furtherSecrets: try furtherSecrets(of: template), browser: try BrowserChoice(table))
    }

    /// The settings of the provider's own keys, before the common ones are applied.
    private func ownSettings(over template: Provider) throws(ConfigurationError) -> Provider {
        var settings = ProviderSettings()
        for setting in template.dialect.settings {
            switch setting.kind {
            case .text: settings.texts[setting.key] = try table.string(setting.key)
            case .flag: settings.flags[setting.key] = try table.boolean(setting.key)
            case .secret, .key: if table[setting.key] != nil { settings.secrets.insert(setting.key) }
            }
        }
        do throws(ProviderSettingError) {
            return try template.dialect.configured(template, with: settings)
        } catch {
            throw table.error(error.key, error.problem)
        }
    }

    private func furtherSecrets(of template: Provider) throws(ConfigurationError) -> [String: SecretSource] {
        var sources: [String: SecretSource] = [:]
        for setting in template.dialect.settings where [.secret, .key].contains(setting.kind) {
            sources[setting.key] = try SecretSource(setting.key, in: table, paths: paths)
        }
        return sources
    }

    /// Says which key is missing and where to put it.
    static func missing(_ key: String, of id: String, file: String) -> String {
        "\(key) is missing; put it under [provider.\(TOMLKey.shown(id))] in \(file)"
    }

    /// Like ``missing(_:of:file:)``, for what the dialogue asks the user.
    static func missing(ofClient key: String, of id: String, file: String) -> String {
        missing(key, of: id, file: file) + ", or run: postern setup \(id)"
    }

    /// A client for one app, under a name that everybody uses, would deprive all other apps of that provider.
    private func app() throws(ConfigurationError) -> String? {
        guard table["app"] != nil else { return nil }
        guard Catalogue.provider(id) == nil else {
            throw table.error("app", "would take \(id) from every other app; give an app's own client its own name")
        }
        return try table.line("app", upTo: 128, "must be the name that the program gives, 1 to 128 bytes on one line")
    }

    private func problem(with provider: Provider) -> String? {
        if provider.extensions.registersClient { return nil }
        let kind = provider.kind
        if provider.clientID == nil { return Self.missing(ofClient: kind.clientIDKey, of: id, file: table.position.file) }
        var given = Set(provider.dialect.settings.map(\.key).filter { table[$0] != nil })
        // Dialects use one name for it, whatever the protocol calls it.
        if table[kind.clientSecretKey] != nil { given.insert("client-secret") }
        let missing = provider.dialect.requiredKeys(of: provider, given: given).first { !given.contains($0) }
        if let missing {
            return Self.missing(ofClient: missing == "client-secret" ? kind.clientSecretKey : missing, of: id, file: table.position.file)
        }
        guard provider.lacksWebsite else { return nil }
        return Self.missing("redirect-uri", of: id, file: table.position.file)
            + ": \(provider.displayName) accepts only https pages, so a page of yours must forward the answer to this machine"
    }

    private func clientAuthentication(
        of template: Provider, hasSecret: Bool, flow: ProviderFlow?
    ) throws(ConfigurationError) -> ClientAuthentication? {
        if isForDevicesAlone(template, hasSecret: hasSecret, flow: flow) { return ClientAuthentication.none }
        let given: ClientAuthentication? = try table.word("client-authentication")
        if given == ClientAuthentication.none, hasSecret {
            throw table.error("client-authentication", "must not be \"none\" while there is a client-secret")
        }
        if let method = given ?? template.clientAuthentication { return method }
        // With a secret, the provider's metadata says how it is sent; without one there is nothing to send. A client that registers itself
        // learns at registration whether it has one.
        let registers = try table.boolean("register") ?? template.extensions.registersClient
        return hasSecret || registers || template.dialect.needsClientSecret ? nil : ClientAuthentication.none
    }

    /// OpenID Connect Discovery section 3: without a query, as the path of the discovery document is appended.
    private func issuer() throws(ConfigurationError) -> String? {
        guard let url = try table.url("issuer") else { return nil }
        guard url.query == nil else { throw table.error("issuer", "must not have a query") }
        return url.text
    }

    private func requireEndpoints(of provider: Provider) throws(ConfigurationError) {
        switch provider.kind {
        case .oidc:
            guard provider.issuer == nil else { return }
            throw table.position.error("\(table.name) needs issuer, the URL that its discovery document names")
        case .oauth1:
            try require(
                Self.signedEndpoints.filter { provider.endpoints[keyPath: $0.path] == nil && $0.key != "revocation-endpoint" }.map(\.key))
        case .oauth2:
            // RFC 8414's metadata, found by an issuer, contain these.
            var missing: [String] = []
            if provider.issuer == nil, provider.endpoints.authorization == nil { missing.append("authorization-endpoint") }
            if provider.issuer == nil, provider.endpoints.token == nil { missing.append("token-endpoint") }
            try require(missing)
            // Without a profile an account is its name. Who wrote how the profile is read did not mean that.
            guard !provider.namesPeople, let key = ["profile", "trust-email"].first(where: { table[$0] != nil }) else { return }
            throw table.error(key, "needs userinfo-endpoint, where the profile is")
        }
    }

    private func require(_ missing: [String]) throws(ConfigurationError) {
        guard let last = missing.last else { return }
        let list = missing.count == 1 ? last : "\(missing.dropLast().joined(separator: ", ")) and \(last)"
        throw table.position.error("\(table.name) needs \(list)")
    }
}
