import Glibc

/// The user's configuration on disk, to which a file is added. Existing files are not changed.
struct ConfigurationDirectory {
    /// `config.toml`; the files are in `config.d` beside it.
    let main: String

    init(file: String?, environment: [String: String]) throws(CommandFailure) {
        if let file {
            main = TextFile.absolute(file)
        } else if let directory = environment.directory("XDG_CONFIG_HOME", orHome: ".config") {
            main = "\(directory)/postern/config.toml"
        } else {
            throw CommandFailure("HOME is not a directory; give the configuration with --config")
        }
    }

    private var parent: String { main.unicodeScalars.lastIndex(of: "/").map { String(main[..<$0]) } ?? "." }
    var directory: String { parent + "/config.d" }

    func file(of name: String) -> String { "\(directory)/\(name).toml" }
    /// Not read as configuration: its suffix differs.
    func secretFile(of name: String) -> String { "\(directory)/\(name).secret" }

    /// Removes the file that ``write(_:to:)`` created. What somebody else has written since then stays.
    func remove(_ text: String, at path: String) throws {
        try ConfigurationLock.held(for: main) {
            guard try ForeignFile.read(path).elementsEqual(text.utf8) else { return }
            unlink(path)
        }
    }

    /// Creates the file, readable by this user alone, as a whole: the daemon may read the directory at any time. Only while the
    /// ``ConfigurationLock`` is held.
    ///
    /// - Returns: false if a file with the same content already exists.
    func write(_ text: String, to path: String) throws -> Bool {
        try ReplacedFile.makeDirectories(directory)
        if access(path, F_OK) == 0 {
            if let there = try? ForeignFile.read(path), there.elementsEqual(text.utf8) { return false }
            throw CommandFailure("\(path) already exists and was not changed".plain, advice: "choose another name with --as")
        }
        try ReplacedFile(path).write(Array(text.utf8))
        return true
    }
}
