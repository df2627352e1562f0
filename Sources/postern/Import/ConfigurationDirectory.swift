import Glibc

/// The user's configuration on disk, to which a file is added. Existing files are not changed.
struct ConfigurationDirectory {
    /// `config.toml`; the files are in `config.d` beside it.
    let main: String

    init(file: String?, environment: [String: String]) throws(CommandFailure) {
        if let file {
            main = file.begins(with: "/") ? file : Self.workingDirectory + "/" + file
        } else if let directory = environment["XDG_CONFIG_HOME"], directory.begins(with: "/") {
            main = "\(directory)/postern/config.toml"
        } else if let home = environment["HOME"], home.begins(with: "/") {
            main = "\(home)/.config/postern/config.toml"
        } else {
            throw CommandFailure("HOME is not a directory; give the configuration with --config")
        }
    }

    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    private var parent: String { main.unicodeScalars.lastIndex(of: "/").map { String(main[..<$0]) } ?? "." }
    var directory: String { parent + "/config.d" }

    func file(of name: String) -> String { "\(directory)/\(name).toml" }
    /// Not read as configuration: its suffix differs.
    func secretFile(of name: String) -> String { "\(directory)/\(name).secret" }

    static func remove(_ path: String) { unlink(path) }

    /// Creates the file, readable by this user alone.
    ///
    /// - Returns: false if a file with the same content already exists.
    func write(_ text: String, to path: String) throws(CommandFailure) -> Bool {
        for directory in [parent, directory] where mkdir(directory, 0o700) != 0 && errno != EEXIST {
            throw CommandFailure("\(directory) cannot be made: \(String(cString: strerror(errno)))".plain)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            if code == EEXIST, let there = try? ForeignFile.read(path), there.elementsEqual(text.utf8) { return false }
            throw code == EEXIST
                ? CommandFailure("\(path) already exists and was not changed".plain, advice: "choose another name with --as")
                : CommandFailure("\(path) cannot be written: \(String(cString: strerror(code)))".plain)
        }
        defer { close(descriptor) }
        guard FileDescriptorWriter.writeAll(Array(text.utf8), to: descriptor), fsync(descriptor) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(path)
            throw CommandFailure("\(path) cannot be written: \(reason)".plain)
        }
        return true
    }
}
