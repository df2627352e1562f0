/// The daemon's socket and its directory, checked before anything is sent.
enum SocketCheck {
    static let title = "socket"
    /// `sun_path` holds 108 bytes, one of them the NUL at the end (unix(7)).
    static let longestPath = 107

    /// - Parameters:
    ///   - status: that of the socket; nil if there is nothing.
    ///   - foreignOwner: the other user whose socket or directory denies this user access.
    ///   - directory: the status of the socket's directory.
    static func findings(
        path: String, status: FileStatus?, foreignOwner: UInt32? = nil, directory: FileStatus?, userID: UInt32, remedies: Remedies
    ) -> [Finding] {
        if path.utf8.count > longestPath {
            return [
                .fail(
                    title, "\(path) has \(path.utf8.count) bytes; a Unix socket's path has at most \(longestPath)",
                    fix: "set POSTERN_SOCKET, or posternd --socket, to a shorter path")
            ]
        }
        guard let status else {
            guard let foreignOwner else { return [.fail(title, "there is nothing at \(path)", fix: remedies.start)] }
            return [.fail(title, "\(path) belongs to \(UserName.text(foreignOwner))", fix: remedies.ownDaemon)]
        }
        guard status.kind == .socket else { return [.fail(title, "\(path) is not a socket", fix: "remove it; then: \(remedies.start)")] }
        guard status.owner == userID else {
            // That user decides who else may open it.
            return [.fail(title, "\(path) belongs to \(UserName.text(status.owner))", fix: remedies.ownDaemon)]
        }
        var findings: [Finding] = []
        if status.permissions & 0o077 != 0 {
            findings.append(
                .warn(
                    title, "others may open \(path) (mode \(status.permissionText)); the daemon still refuses them",
                    fix: "chmod 600 \(ShellWord.quoted(path))"))
        }
        let parent = path.parts(separator: "/").dropLast().joined(separator: "/")
        if let directory, directory.owner != userID {
            findings.append(
                .fail(
                    title, "another user can replace the socket: /\(parent) belongs to user \(directory.owner)",
                    fix: "POSTERN_SOCKET or XDG_RUNTIME_DIR names somebody else's directory"))
        }
        if let directory, directory.owner == userID, directory.permissions & 0o022 != 0 {
            findings.append(
                .fail(
                    title, "others can replace the socket: they can write to /\(parent) (mode \(directory.permissionText))",
                    fix: "chmod 700 \(ShellWord.quoted("/\(parent)"))"))
        }
        return findings.isEmpty ? [.ok(title, path)] : findings
    }
}
