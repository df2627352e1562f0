/// Where files for all users of the machine are.
public struct SystemDirectories: Sendable {
    /// Holds `providers.d`.
    public var packages: String
    /// Holds `config.toml` and `config.d`.
    public var administrator: String

    /// - Parameter environment: `POSTERN_SYSTEM_ROOT` stands before both, for tests and for trees that are not installed. Who can set it can set
    ///   `XDG_CONFIG_HOME` as well, and what it leads to is held to the same owners and permissions.
    public init(environment: [String: String]) {
        let root = environment["POSTERN_SYSTEM_ROOT"].flatMap { $0.hasPrefix("/") && $0 != "/" ? $0 : nil } ?? ""
        packages = root + "/usr/share/postern"
        administrator = root + "/etc/postern"
    }
}
