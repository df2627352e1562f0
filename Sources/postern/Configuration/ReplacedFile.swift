import Glibc

/// A file that a person keeps, written whole or not at all. Mode and owner stay, and a link goes on leading to the file.
struct ReplacedFile {
    /// Where a link at the path leads, or the path.
    let path: String

    init(_ path: String) {
        guard let real = realpath(path, nil) else {
            self.path = path
            return
        }
        defer { free(real) }
        self.path = String(cString: real)
    }

    var exists: Bool { access(path, F_OK) == 0 }

    /// - Parameter mode: of a file that is new.
    func write(_ bytes: [UInt8], mode: mode_t = 0o600) throws {
        try Self.makeDirectories(above: path)
        var information = stat()
        let isThere = lstat(path, &information) == 0
        if isThere, information.st_mode & S_IFMT != S_IFREG { throw CommandFailure("\(path) is not a regular file".plain) }
        var template = Array(path.utf8CString.dropLast()) + Array(".XXXXXX".utf8CString)
        // 0600, under a name that nobody has yet.
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure() }
        do {
            defer { close(descriptor) }
            if isThere, information.st_uid != geteuid() || information.st_gid != getegid(),
                fchown(descriptor, information.st_uid, information.st_gid) != 0
            {
                throw CommandFailure(
                    "\(path) belongs to \(UserName.text(information.st_uid)), and would become yours".plain,
                    advice: "change it as its owner")
            }
            guard fchmod(descriptor, isThere ? information.st_mode & 0o7777 : mode) == 0,
                FileDescriptorWriter.writeAll(bytes, to: descriptor),
                fsync(descriptor) == 0
            else { throw failure() }
            guard rename(template, path) == 0 else { throw failure() }
        } catch {
            unlink(template)
            throw error
        }
        Self.sync(directory: Self.directory(of: path))
    }

    /// Those that are missing, for their owner alone.
    private static func makeDirectories(above path: String) throws {
        let directory = directory(of: path)
        guard access(directory, F_OK) != 0, directory != "/" else { return }
        try makeDirectories(above: directory)
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure("\(directory) cannot be made: \(String(cString: strerror(errno)))".plain)
        }
    }

    /// So that the name is still there after a power cut.
    private static func sync(directory: String) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func failure() -> CommandFailure { CommandFailure("\(path) cannot be written: \(String(cString: strerror(errno)))".plain) }
}
