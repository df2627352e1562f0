/// The directories of files for all users of the machine.
public struct SystemDirectories: Sendable {
    /// Contains `providers.d`.
    public var packages: String
    /// Contains `config.toml` and `config.d`.
    public var administrator: String

    /// - Parameter environment: `POSTERN_SYSTEM_ROOT` is prefixed to both, for tests and for uninstalled trees. Whoever can set it can also
    ///   set `XDG_CONFIG_HOME`, and the files below it must have the same owners and permissions.
    public init(environment: [String: String]) {
        let root = environment["POSTERN_SYSTEM_ROOT"].flatMap { $0.begins(with: "/") && $0 != "/" ? $0 : nil } ?? ""
        packages = root + "/usr/share/postern"
        administrator = root + "/etc/postern"
    }
}
