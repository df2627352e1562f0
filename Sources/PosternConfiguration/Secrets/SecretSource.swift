import PosternCore

/// Where a secret comes from. Only ``SecretResolver`` looks there.
public enum SecretSource: Sendable, Equatable {
    /// It is in the configuration file itself.
    case literal(Secret)
    /// The first line of a file; an absolute path.
    case file(String)
    /// A systemd credential, a file of that name in `$CREDENTIALS_DIRECTORY`.
    case credential(String)
    /// The first line that a program writes; started without a shell.
    case command([String])
    /// An environment variable of the daemon.
    case environment(String)
}

extension SecretSource: Hashable {
    /// A literal adds nothing but that it is one: nothing that is derived of a secret is left behind.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .literal: hasher.combine(0)
        case .file(let path): hasher.combine(path)
        case .credential(let name): hasher.combine(name)
        case .command(let arguments): hasher.combine(arguments)
        case .environment(let name): hasher.combine(name)
        }
    }
}

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
