import Glibc

/// Where the daemon listens.
public enum SocketPath {
    /// `$POSTERN_SOCKET`, else `$XDG_RUNTIME_DIR/postern/io.postern`, else the same below `/run/user/UID`.
    ///
    /// - Parameter variable: looks up a variable of the environment; an empty value counts as none.
    public static func find(userID: UInt32, variable: (String) -> String?) -> String {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let path = value("POSTERN_SOCKET") { return path }
        // The XDG Base Directory Specification has a relative path ignored.
        let runtime = value("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(userID)"
        return runtime + "/postern/io.postern"
    }

    /// For this process.
    public static var current: String {
        find(userID: getuid()) { name in getenv(name).map { String(cString: $0) } }
    }
}
