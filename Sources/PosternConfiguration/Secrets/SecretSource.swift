import PosternCore

/// Where a secret comes from. Only ``SecretResolver`` looks there.
public enum SecretSource: Sendable, Equatable {
    /// It stands in the configuration file itself.
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
