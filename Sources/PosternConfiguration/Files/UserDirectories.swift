import Glibc

/// The directories of the user's files (XDG Base Directory Specification).
public enum UserDirectories {
    /// `$HOME`, else the entry in the user database; nil if neither is an absolute path.
    public static func home(environment: [String: String]) -> String? {
        if let home = environment["HOME"], home.begins(with: "/") { return home }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, getpwuid_r(geteuid(), &entry, start, buffer.count, &found) == 0, found != nil,
                let directory = entry.pw_dir
            else { return nil }
            let home = String(cString: directory)
            return home.begins(with: "/") ? home : nil
        }
    }

    /// `$XDG_CONFIG_HOME/postern/config.toml`; a relative `$XDG_CONFIG_HOME` is ignored.
    public static func configurationFile(environment: [String: String]) -> String? {
        if let directory = environment["XDG_CONFIG_HOME"], directory.begins(with: "/") { return "\(directory)/postern/config.toml" }
        return home(environment: environment).map { "\($0)/.config/postern/config.toml" }
    }
}

/// Paths as text.
enum FilePath {
    static func directory(of path: String) -> String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// `~` becomes the home directory, and a relative path starts at the given directory; nil for `~` without a home, and for `~user`.
    static func expanded(_ path: String, home: String?, relativeTo directory: String) -> String? {
        if let rest = path.rest(after: "~") {
            return rest.isEmpty || rest.begins(with: "/") ? home.map { $0 + rest } : nil
        }
        return path.begins(with: "/") ? path : "\(directory)/\(path)"
    }
}
