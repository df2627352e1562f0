import PosternCore

/// The source of a secret. Only ``SecretResolver`` reads it.
public enum SecretSource: Sendable, Equatable {
    /// The configuration file itself.
    case literal(Secret)
    /// The first line of a file; an absolute path.
    case file(String)
    /// A systemd credential: a file of that name in `$CREDENTIALS_DIRECTORY`.
    case credential(String)
    /// The first line of a program's output; the program is started without a shell.
    case command([String])
    /// An environment variable of the daemon.
    case environment(String)

    /// Whether only the daemon can obtain it: a program gets the daemon's environment, and a credential's directory is named there.
    public var dependsOnEnvironment: Bool {
        switch self {
        case .literal, .file: false
        case .credential, .command, .environment: true
        }
    }
}

extension SecretSource: Hashable {
    /// For a literal, only the fact that it is one is hashed: no value derived from a secret may remain in memory.
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

/// One secret of a provider: its source and its use.
public struct ConfiguredSecret: Sendable {
    /// The key in the configuration.
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
