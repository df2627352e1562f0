import Glibc

/// Finds programs.
public enum ProgramSearch {
    /// The directories if `PATH` is not set.
    public static let standard = "/usr/local/bin:/usr/bin:/bin"

    /// The program of that name in the directories of the search path.
    public static func find(_ name: String, path: String) -> String? {
        for directory in path.parts(separator: ":") where directory.begins(with: "/") {
            let candidate = "\(directory)/\(name)"
            if isProgram(candidate) { return candidate }
        }
        return nil
    }

    /// Whether this user may run the file. A directory has the same permission, which there means something else.
    public static func isProgram(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// Why nothing can be run at a path; nil if it is a program.
    static func obstacle(at path: String) -> String? {
        if isProgram(path) { return nil }
        var information = stat()
        guard stat(path, &information) == 0 else { return "there is no program \(path)" }
        return information.st_mode & S_IFMT == S_IFDIR ? "\(path) is a directory, not a program" : "\(path) is not executable for this user"
    }
}
