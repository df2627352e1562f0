import PosternCore

/// What a provider of OAuth 1.0a has instead of OAuth 2.0's endpoints and keys.
extension ProviderSection {
    static let signedEndpoints: [(key: String, path: WritableKeyPath<ProviderEndpoints, String?> & Sendable)] = [
        ("request-token-endpoint", \.requestToken), ("authorization-endpoint", \.authorization), ("access-token-endpoint", \.token),
        ("profile-endpoint", \.userinfo), ("revocation-endpoint", \.revocation),
    ]

    static func endpoints(of kind: ProviderKind) -> [(key: String, path: WritableKeyPath<ProviderEndpoints, String?> & Sendable)] {
        kind == .oauth1 ? signedEndpoints : endpoints
    }

    static func keys(of kind: ProviderKind) -> [String] {
        guard kind == .oauth1 else { return keys }
        let others: Set = [
            "issuer", "client-id", "client-secret", "client-authentication", "scopes", "step-up-scopes", "response-mode",
        ]
        return keys.filter { !others.contains($0) && !endpoints.map(\.key).contains($0) }
            + ["api-key", "api-secret", "callback-state"] + signedEndpoints.map(\.key)
    }

    /// The other protocol's names for the same things.
    static func otherNames(for kind: ProviderKind) -> [String: String] {
        let names = [
            ("client-id", "api-key"), ("client-secret", "api-secret"), ("token-endpoint", "access-token-endpoint"),
            ("userinfo-endpoint", "profile-endpoint"),
        ]
        return Dictionary(uniqueKeysWithValues: kind == .oauth1 ? names : names.map { ($1, $0) })
    }
}

extension ProviderKind {
    /// The configuration file's keys; those of OAuth 1.0a are the names that X shows when an application is registered.
    var clientIDKey: String { self == .oauth1 ? "api-key" : "client-id" }
    var clientSecretKey: String { self == .oauth1 ? "api-secret" : "client-secret" }
}

/// `flow`: how people sign in if the program does not say.
extension ProviderSection {
    /// - Parameter provider: with its endpoints and its issuer.
    func flow(of provider: Provider) throws(ConfigurationError) -> ProviderFlow? {
        guard let flow: ProviderFlow = try table.word("flow") else { return nil }
        // The content of its metadata is not known yet.
        if flow == .device, provider.hasDeviceFlow() == false {
            throw table.error("flow", "must not be \"device\" without a device-authorization-endpoint")
        }
        return flow
    }

    /// Without a secret the only way to sign in to such a provider is by a code.
    func isForDevicesAlone(_ template: Provider, hasSecret: Bool, flow: ProviderFlow?) -> Bool {
        flow == .device && !hasSecret && template.dialect.needsClientSecret && table["client-authentication"] == nil
    }
}
