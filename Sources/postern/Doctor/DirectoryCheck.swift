/// Whether others can put files where the configuration is read from, or take some away.
///
/// The daemon refuses a file that others own or can write. Who can write to the directory can still rename one of the user's own files into
/// its place, or have the configuration be gone.
enum DirectoryCheck {
    /// - Parameter status: nil where there is none, which is fine.
    static func findings(_ path: String, _ status: FileStatus?, userID: UInt32) -> [Finding] {
        guard let status, status.kind == .directory else { return [] }
        if status.owner != userID, status.owner != 0 {
            return [
                .fail(
                    ConfigurationCheck.title, "\(path) belongs to \(UserName.text(status.owner)), who can change what the daemon does",
                    fix: "make it yours, with all that is in it: chown -R \"$USER\" \(path)")
            ]
        }
        guard status.permissions & 0o022 != 0 else { return [] }
        return [
            .fail(
                ConfigurationCheck.title,
                "others can write to \(path) (mode \(status.permissionText)), and change what the daemon does",
                fix: "chmod go-w \(path)")
        ]
    }
}
