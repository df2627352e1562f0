/// Whether others can add or remove files in the directories of the configuration.
///
/// The daemon refuses a file that others own or can write. But whoever can write to the directory can rename one of the user's own files
/// into its place, or remove the configuration.
enum DirectoryCheck {
    /// - Parameter status: nil if there is no such directory, which is fine.
    static func findings(_ path: String, _ status: FileStatus?, userID: UInt32) -> [Finding] {
        guard let status, status.kind == .directory else { return [] }
        if status.owner != userID, status.owner != 0 {
            return [
                .fail(
                    ConfigurationCheck.title, "\(path) belongs to \(UserName.text(status.owner)), who can change what the daemon does",
                    fix: "make it yours, with all that is in it: chown -R \"$USER\" \(ShellWord.quoted(path))")
            ]
        }
        guard status.permissions & 0o022 != 0 else { return [] }
        return [
            .fail(
                ConfigurationCheck.title,
                "others can write to \(path) (mode \(status.permissionText)), and change what the daemon does",
                fix: "chmod go-w \(ShellWord.quoted(path))")
        ]
    }
}
