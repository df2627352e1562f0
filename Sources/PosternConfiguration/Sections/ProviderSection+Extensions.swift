import PosternCore

/// A key for a protocol extension beyond OAuth and OpenID. A new one has its row here and its value in ``ProviderExtensions``.
struct ExtensionKey: Sendable {
    typealias Read = @Sendable (ProviderSection, Provider, inout ProviderExtensions) throws(ConfigurationError) -> Void

    let name: String
    /// Whether a package's file may have it: it runs no program, reads no file, opens no listener and does not decide whom to trust.
    let mayBePackaged: Bool
    /// Gets the built-in provider, or one that is empty except for its kind. Leaves the value as it is if the section does not have the key.
    let read: Read

    init(_ name: String, mayBePackaged: Bool, read: @escaping Read) {
        self.name = name
        self.mayBePackaged = mayBePackaged
        self.read = read
    }

    init(_ name: String, mayBePackaged: Bool, flag: WritableKeyPath<ProviderExtensions, Bool> & Sendable) {
        self.init(name, mayBePackaged: mayBePackaged) { section, _, extensions throws(ConfigurationError) in
            extensions[keyPath: flag] = try section.table.boolean(name) ?? extensions[keyPath: flag]
        }
    }
}

extension ProviderSection {
    static let extensionKeys = [
        ExtensionKey("pushed-authorization-requests", mayBePackaged: true) { section, _, extensions throws(ConfigurationError) in
            extensions.pushesAuthorization = try section.pushesAuthorization() ?? extensions.pushesAuthorization
        },
        ExtensionKey("resource", mayBePackaged: true) { section, _, extensions throws(ConfigurationError) in
            extensions.resources = try section.resources() ?? extensions.resources
        },
        ExtensionKey("narrow-scopes", mayBePackaged: true) { section, template, extensions throws(ConfigurationError) in
            extensions.narrowsScopes = try section.narrowsScopes(of: template) ?? extensions.narrowsScopes
        },
        ExtensionKey("dpop", mayBePackaged: true, flag: \.usesDPoP),
        ExtensionKey("register", mayBePackaged: true, flag: \.registersClient),
        ExtensionKey("end-session", mayBePackaged: true, flag: \.endsSession),
        ExtensionKey("end-session-redirect", mayBePackaged: true, flag: \.returnsFromEndSession),
    ]

    func extensions(of template: Provider) throws(ConfigurationError) -> ProviderExtensions {
        if template.kind == .oauth1, let key = Self.extensionKeys.first(where: { table[$0.name] != nil }) {
            throw table.error(key.name, "must be left out: OAuth 1.0a does not have it")
        }
        var extensions = template.extensions
        for key in Self.extensionKeys { try key.read(self, template, &extensions) }
        if extensions.registersClient { try checkRegistration(of: template) }
        if extensions.endsSession || extensions.returnsFromEndSession, template.kind != .oidc {
            let key = extensions.endsSession ? "end-session" : "end-session-redirect"
            throw table.error(key, "must be left out: only OpenID providers have such a page")
        }
        return extensions
    }

    private func pushesAuthorization() throws(ConfigurationError) -> Bool? {
        let pushes = try table.boolean("pushed-authorization-requests")
        if pushes == false, table["pushed-authorization-request-endpoint"] != nil {
            throw table.error("pushed-authorization-requests", "must not be false while there is a pushed-authorization-request-endpoint")
        }
        return pushes
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
