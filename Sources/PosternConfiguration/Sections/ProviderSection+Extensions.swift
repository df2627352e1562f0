import PosternCore

/// Keys for protocol extensions beyond OAuth and OpenID.
extension ProviderSection {
    static let extensionKeys = [
        "pushed-authorization-requests", "resource", "narrow-scopes", "dpop", "register", "end-session", "end-session-redirect",
    ]

    func extensions(of template: Provider) throws(ConfigurationError) -> ProviderExtensions {
        if template.kind == .oauth1, let key = Self.extensionKeys.first(where: { table[$0] != nil }) {
            throw table.error(key, "must be left out: OAuth 1.0a does not have it")
        }
        var extensions = template.extensions
        extensions.pushesAuthorization = try table.boolean("pushed-authorization-requests") ?? extensions.pushesAuthorization
        if extensions.pushesAuthorization == false, table["pushed-authorization-request-endpoint"] != nil {
            throw table.error("pushed-authorization-requests", "must not be false while there is a pushed-authorization-request-endpoint")
        }
        extensions.resources = try resources() ?? extensions.resources
        extensions.narrowsScopes = try narrowsScopes(of: template) ?? extensions.narrowsScopes
        extensions.usesDPoP = try table.boolean("dpop") ?? extensions.usesDPoP
        extensions.registersClient = try table.boolean("register") ?? extensions.registersClient
        extensions.endsSession = try table.boolean("end-session") ?? extensions.endsSession
        extensions.returnsFromEndSession = try table.boolean("end-session-redirect") ?? extensions.returnsFromEndSession
        if extensions.registersClient { try checkRegistration(of: template) }
        if extensions.endsSession || extensions.returnsFromEndSession, template.kind != .oidc {
            let key = extensions.endsSession ? "end-session" : "end-session-redirect"
            throw table.error(key, "must be left out: only OpenID providers have such a page")
        }
        return extensions
    }

    private func narrowsScopes(of template: Provider) throws(ConfigurationError) -> Bool? {
        guard let setting = try table.boolean("narrow-scopes") else { return nil }
        guard template.dialect is StandardDialect else {
            throw table.error("narrow-scopes", "must be left out: for a built-in provider this is known")
        }
        return setting
    }

    /// One URI, or a list of them.
    private func resources() throws(ConfigurationError) -> [String]? {
        guard let setting = table["resource"] else { return nil }
        let resources: [String]
        switch setting.content {
        case .string: resources = [try table.text(of: setting, "resource")]
        case .list(let elements): resources = try table.strings(of: elements, "resource", limit: 8)
        default: throw table.wrongType("resource", setting, "a string or a list of strings")
        }
        for resource in resources where !ProviderExtensions.isResource(resource) {
            throw table.error("resource", "must be absolute URIs without a fragment, such as \"https://api.example.com/\" (RFC 8707)")
        }
        guard Set(resources).count == resources.count else { throw table.error("resource", "names a service twice") }
        return resources
    }

    private func checkRegistration(of template: Provider) throws(ConfigurationError) {
        for key in ["client-id", "client-secret"] where table[key] != nil {
            throw table.error(key, "must be left out: with register = true the provider assigns it")
        }
        guard try table.string("issuer") ?? template.issuer == nil, table["registration-endpoint"] == nil else { return }
        throw table.error("register", "needs issuer, whose metadata name the address, or registration-endpoint")
    }
}
