/// The directory of sockets, created by the login manager (XDG Base Directory Specification).
enum RuntimeDirectoryCheck {
    static let title = "runtime directory"

    static func findings(path: String?, status: FileStatus?, userID: UInt32) -> [Finding] {
        guard let path, !path.isEmpty else {
            return [
                .warn(
                    title, "XDG_RUNTIME_DIR is not set; using /run/user/\(userID)",
                    fix: "log in through the login manager or sshd, or: export XDG_RUNTIME_DIR=/run/user/\(userID)")
            ]
        }
        guard path.hasPrefix("/") else {
            return [.fail(title, "XDG_RUNTIME_DIR is not an absolute path", fix: "export XDG_RUNTIME_DIR=/run/user/\(userID)")]
        }
        guard let status, status.kind == .directory else {
            return [.fail(title, "\(path) is not a directory", fix: "loginctl enable-linger makes it, and keeps it after you log out")]
        }
        guard status.owner == userID else {
            return [.fail(title, "\(path) belongs to user \(status.owner)", fix: "export XDG_RUNTIME_DIR=/run/user/\(userID)")]
        }
        guard status.permissions & 0o077 == 0 else {
            return [.fail(title, "others can enter \(path) (mode \(status.permissionText))", fix: "chmod 700 \(path)")]
        }
        return [.ok(title, path)]
    }
}
