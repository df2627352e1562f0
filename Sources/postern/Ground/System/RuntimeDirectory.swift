import Glibc

/// The user's directory that is in memory, and removed when the user logs out.
enum RuntimeDirectory {
    /// `$XDG_RUNTIME_DIR`; where it is not set, since some programs clear the environment of what they start, its usual place if that is
    /// this user's.
    static func path(
        _ variable: String?, userID: UInt32 = geteuid(), status: (String) -> FileStatus? = { FileStatus(path: $0) }
    ) -> String? {
        if let variable, !variable.isEmpty { return variable }
        let usual = "/run/user/\(userID)"
        guard let found = status(usual), found.kind == .directory, found.owner == userID else { return nil }
        return usual
    }
}
