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
