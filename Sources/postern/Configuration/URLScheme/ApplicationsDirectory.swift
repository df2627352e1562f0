import Glibc

/// The directory of a user's own desktop files (Desktop Menu Specification, XDG Base Directory Specification).
struct ApplicationsDirectory {
    let path: String

    init(environment: [String: String]) throws {
        if let data = environment["XDG_DATA_HOME"], data.begins(with: "/") {
            path = data + "/applications"
        } else if let home = environment["HOME"], home.begins(with: "/") {
            path = home + "/.local/share/applications"
        } else {
            throw CommandFailure("cannot tell where desktop files are: neither XDG_DATA_HOME nor HOME is set")
        }
    }

    func file(of scheme: URLScheme) -> String { "\(path)/\(DesktopEntry.fileName(of: scheme))" }

    /// Schemes that were registered here, in alphabetical order.
    var schemes: [URLScheme] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var schemes: [URLScheme] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if let scheme = DesktopEntry.scheme(ofFileName: name) { schemes.append(scheme) }
        }
        return schemes.sorted { $0.name < $1.name }
    }

    /// Nil if there is none. Our desktop files have a few hundred bytes.
    func read(_ scheme: URLScheme) -> String? {
        let descriptor = open(file(of: scheme), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// Written whole or not at all: a handler that starts meanwhile finds the previous file.
    func write(_ entry: DesktopEntry) throws {
        try makeDirectories()
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

    private func makeDirectories() throws {
        var made = ""
        for part in path.parts(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o755) == 0 || errno == EEXIST || access(made, X_OK) == 0 else {
                throw failure("cannot make the directory \(made)")
            }
        }
    }

    private func failure(_ what: String) -> CommandFailure {
        CommandFailure("\(what.plain): \(String(cString: strerror(errno)))")
    }
}
