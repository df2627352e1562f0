import Glibc
import PosternCore

/// The directory with the store and, if there is one, its key file: 0700, and owned by the daemon's user.
struct StateDirectory: Sendable {
    /// Absolute, without symbolic links, so that a later `chdir` changes nothing.
    let path: String

    /// Creates the directory if it is missing, and refuses one that others can enter.
    init(preparing path: String) throws(StoreError) {
        try Self.make(path)
        guard let resolved = realpath(path, nil) else { throw .system(errno, file: path, action: "cannot be found") }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        let status = try FileDescriptor(opening: self.path, flags: O_RDONLY | O_DIRECTORY).status()
        guard status.st_uid == geteuid() else {
            throw StoreError(
                .refused, file: self.path, reason: "the state directory belongs to user \(status.st_uid), not to user \(geteuid())",
                advice: "start the daemon as its owner, or with another state directory")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw StoreError(
                .refused, file: self.path, reason: "others can enter the state directory", advice: "run: chmod 700 '\(self.path)'")
        }
    }

    func file(_ name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

    /// Makes added or renamed names in a directory durable.
    static func synchronize(_ path: String) throws(StoreError) {
        try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// Creates missing parents too, each 0700 as the XDG base directory specification requires.
    private static func make(_ path: String) throws(StoreError) {
        var code = create(path)
        if code == ENOENT, parent(of: path) != path, !path.isEmpty {
            try make(parent(of: path))
            code = create(path)
        }
        switch code {
        case EEXIST: return
        case 0:
            // A umask may have removed some of the owner's bits, too.
            try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY).setMode(0o700)
            try synchronize(parent(of: path))
        default: throw .system(code, file: path, action: "the state directory cannot be made")
        }
    }

    /// Zero, or the error.
    private static func create(_ path: String) -> Int32 { mkdir(path, 0o700) == 0 ? 0 : errno }

    static func parent(of path: String) -> String {
        var rest = path[...]
        while rest.count > 1, rest.unicodeScalars.last == "/" { rest.removeLast() }
        guard let slash = rest.unicodeScalars.lastIndex(of: "/") else { return "." }
        return slash == rest.startIndex ? "/" : String(rest[..<slash])
    }
}
