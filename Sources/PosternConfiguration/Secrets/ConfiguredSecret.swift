import PosternCore

/// One secret of a provider: where it comes from, and where it goes.
public struct ConfiguredSecret: Sendable {
    /// The configuration's.
    public var key: String
    public var source: SecretSource
    public var extent: SecretExtent

    /// For a sentence that begins with "its".
    public var name: String { key == ProviderKind.oauth2.clientSecretKey ? "client secret" : key }

    public func put(_ secret: Secret, into provider: inout Provider) {
        if key == provider.kind.clientSecretKey { provider.clientSecret = secret } else { provider.secrets[key] = secret }
    }
}

extension ConfiguredProvider {
    /// All of its secrets, in the order of their keys.
    public var secrets: [ConfiguredSecret] {
        let whole = Set(provider.dialect.settings.filter { $0.kind == .key }.map(\.key))
        let further = furtherSecrets.map { key, source in
            ConfiguredSecret(key: key, source: source, extent: whole.contains(key) ? .whole : .firstLine)
        }
        let key = provider.kind.clientSecretKey
        let all = further + (secret.map { [ConfiguredSecret(key: key, source: $0, extent: .firstLine)] } ?? [])
        return all.sorted { $0.key < $1.key }
    }
}
