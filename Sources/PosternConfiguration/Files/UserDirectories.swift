import Glibc

/// The directories of the user's files (XDG Base Directory Specification).
public enum UserDirectories {
    /// `$HOME`, else the entry in the user database; nil if neither is an absolute path.
    public static func home(environment: [String: String]) -> String? {
        if let home = environment["HOME"], home.begins(with: "/") { return home }
        let home = UserDatabase.value(of: geteuid()) { $0.pw_dir.map { String(cString: $0) } }
        return home.flatMap { $0.begins(with: "/") ? $0 : nil }
    }

    /// `$XDG_CONFIG_HOME/postern/config.toml`; a relative `$XDG_CONFIG_HOME` is ignored.
    public static func configurationFile(environment: [String: String]) -> String? {
        if let directory = environment["XDG_CONFIG_HOME"], directory.begins(with: "/") { return "\(directory)/postern/config.toml" }
        return home(environment: environment).map { "\($0)/.config/postern/config.toml" }
    }

    /// `$XDG_STATE_HOME/postern`; a relative `$XDG_STATE_HOME` is ignored.
    public static func state(environment: [String: String]) -> String? {
        if let directory = environment["XDG_STATE_HOME"], directory.begins(with: "/") { return "\(directory)/postern" }
        return home(environment: environment).map { "\($0)/.local/state/postern" }
    }
}

/// The user database, which may be on the network: it blocks.
public enum UserDatabase {
    /// - Parameter read: takes a part of the user's entry.
    /// - Returns: nil if there is no such user.
    public static func value<Value>(of user: UInt32, _ read: (passwd) -> Value?) -> Value? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // The entry points into it.
        var buffer = [CChar](repeating: 0, count: 16_384)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, getpwuid_r(user, &entry, start, buffer.count, &found) == 0, found != nil else {
                return nil
            }
            return read(entry)
        }
    }
}

/// Paths as text.
enum FilePath {
    static func directory(of path: String) -> String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String {
        path.unicodeScalars.lastIndex(of: "/").map { String(path.unicodeScalars[path.unicodeScalars.index(after: $0)...]) } ?? path
    }

    /// `~` becomes the home directory, and a relative path starts at the given directory; nil for `~` without a home, and for `~user`.
    static func expanded(_ path: String, home: String?, relativeTo directory: String) -> String? {
        if let rest = path.rest(after: "~") {
            return rest.isEmpty || rest.begins(with: "/") ? home.map { $0 + rest } : nil
        }
        return path.begins(with: "/") ? path : "\(directory)/\(path)"
    }
}
