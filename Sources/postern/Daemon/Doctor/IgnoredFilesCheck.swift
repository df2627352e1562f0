/// Files that look like a part of the configuration, and that nothing reads.
enum IgnoredFilesCheck {
    /// Endings of configuration files, of other programs' too. Backups and drafts have others.
    private static let endings: Set = ["cfg", "conf", "ini", "json", "toml", "yaml", "yml"]

    /// - Parameters:
    ///   - names: what is in the directory.
    ///   - read: the name of the file that is read there; nil in `config.d`, where every `NAME.toml` is.
    ///   - isNamed: whether the configuration names a file, as for a secret.
    static func findings(
        _ directory: String, _ names: [String], read: String?, isNamed: (String) -> Bool = { _ in false }
    ) -> [Finding] {
        names.sorted().compactMap { name in
            guard !name.begins(with: "."), let dot = name.unicodeScalars.lastIndex(of: "."), endings.contains(name.after(dot).lowercased()),
                read == nil ? !name.ends(with: ".toml") : name != read, !isNamed(name)
            else { return nil }
            let parts = read == nil ? directory : "\(directory)/config.d"
            let path = "\(directory)/\(name)"
            let target = "\(parts)/\(name[..<dot]).toml"
            let isPerhapsTOML = ["toml", "conf"].contains(name.after(dot).lowercased())
            return .warn(
                ConfigurationCheck.title,
                "nothing reads \(path): only config.toml, and files in config.d whose names end in .toml, are read",
                // Never over a file that is there.
                fix: isPerhapsTOML
                    ? "if it is meant to be read: mkdir -p \(ShellWord.quoted(parts)) && mv -n \(ShellWord.quoted(path)) "
                        + "\(ShellWord.quoted(target)); then: postern reload"
                    : "if it is meant to be read, write it as TOML to \(target); then: postern reload")
        }
    }
}
