import Glibc

/// The directory of a user's own desktop files (Desktop Menu Specification, XDG Base Directory Specification).
struct ApplicationsDirectory {
    let path: String

    init(environment: [String: String]) throws {
        guard let data = environment.directory("XDG_DATA_HOME", orHome: ".local/share") else {
            throw CommandFailure("cannot tell where desktop files are: neither XDG_DATA_HOME nor HOME is set")
        }
        path = data + "/applications"
    }

    func file(of scheme: URLScheme) -> String { "\(path)/\(DesktopEntry.fileName(of: scheme))" }

    /// Schemes that were registered here, in alphabetical order.
    var schemes: [URLScheme] {
        TextFile.names(in: path).compactMap { DesktopEntry.scheme(ofFileName: $0) }.sorted { $0.name < $1.name }
    }

    /// Nil if there is none. Our desktop files have a few hundred bytes.
    func read(_ scheme: URLScheme) -> String? { TextFile.read(file(of: scheme), limit: 16 * 1024, flags: O_NOFOLLOW) }

    /// Written whole or not at all: a handler that starts meanwhile finds the previous file.
    func write(_ entry: DesktopEntry) throws {
        try ReplacedFile.makeDirectories(path)
        let target = file(of: entry.scheme)
        // A name of its own: two commands at once would write into each other's file.
        var temporary = Array("\(path)/.\(DesktopEntry.fileName(of: entry.scheme)).XXXXXX".utf8CString)
        let descriptor = mkstemp(&temporary)
        guard descriptor >= 0 else { throw failure("cannot write \(target)") }
        let isWritten = fchmod(descriptor, 0o644) == 0 && FileDescriptorWriter.writeAll(Array(entry.text.utf8), to: descriptor)
        guard close(descriptor) == 0, isWritten, rename(temporary, target) == 0 else {
            let error = failure("cannot write \(target)")
            unlink(temporary)
            throw error
        }
    }

    /// - Returns: false if there was none.
    func remove(_ scheme: URLScheme) throws -> Bool {
        if unlink(file(of: scheme)) == 0 { return true }
        guard errno == ENOENT else { throw failure("cannot remove \(file(of: scheme))") }
        return false
    }

    private func failure(_ what: String) -> CommandFailure {
        CommandFailure("\(what.plain): \(String(cString: strerror(errno)))")
    }
}
