/// Paths as text.
enum FilePath {
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// `~` becomes the home directory, a relative path starts at the given directory; nil for `~` without a home, and for `~user`.
    static func expanded(_ path: String, home: String?, relativeTo directory: String) -> String? {
        if path == "~" || path.hasPrefix("~/") { return home.map { $0 + path.dropFirst(1) } }
        if path.hasPrefix("~") { return nil }
        return path.hasPrefix("/") ? path : "\(directory)/\(path)"
    }
}
