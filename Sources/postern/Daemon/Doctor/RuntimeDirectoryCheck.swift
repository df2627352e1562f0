/// The directory of sockets, created by the login manager (XDG Base Directory Specification).
enum RuntimeDirectoryCheck {
    static let title = "runtime directory"

    static func findings(path: String?, status: FileStatus?, userID: UInt32, remedies: Remedies) -> [Finding] {
        let usual = "/run/user/\(userID)"
        let other = remedies.runtimeDirectory(userID: userID)
        guard let path, !path.isEmpty else {
            return [
                .warn(
                    title, "XDG_RUNTIME_DIR is not set; using \(usual)",
                    fix: remedies.hasLoginctl ? "log in through the login manager or sshd, or: \(other)" : other)
            ]
        }
        guard path.begins(with: "/") else {
            return [.fail(title, "XDG_RUNTIME_DIR is '\(path)', which is not an absolute path", fix: other)]
        }
        guard let status, status.kind == .directory else {
            let isMade = remedies.hasLoginctl && path == usual
            return [
                .fail(
                    title, "\(path) is not a directory",
                    fix: isMade ? "loginctl enable-linger makes it, and keeps it after you log out" : other)
            ]
        }
        guard status.owner == userID else {
            return [.fail(title, "\(path) belongs to user \(status.owner)", fix: other)]
        }
        guard status.permissions & 0o077 == 0 else {
            return [.fail(title, "others can enter \(path) (mode \(status.permissionText))", fix: "chmod 700 \(ShellWord.quoted(path))")]
        }
        return [.ok(title, path)]
    }
}
