import Glibc

/// Why a path leads nowhere although somebody has put something there to be read.
enum PathObstacle {
    /// - Parameter path: a path that could not be opened because it was not found.
    /// - Returns: the end of a sentence that begins with the path; nil if there simply is nothing.
    static func sentence(at path: String) -> String? {
        if let target = target(ofLink: path) { return isThere(path) ? nil : dangling(target) }
        var parent = FilePath.directory(of: path)
        while parent != "/", parent != "." {
            if let target = target(ofLink: parent), !isThere(parent) { return "does not exist: \(parent) \(dangling(target))" }
            if isThere(parent) { return isDirectory(parent) ? nil : "does not exist: \(parent) is not a directory" }
            parent = FilePath.directory(of: parent)
        }
        return nil
    }

    /// Like ``sentence(at:)``, for a directory whose parent is known to be good.
    static func sentence(atDirectory path: String) -> String? {
        guard isThere(path) else { return target(ofLink: path).map(dangling) }
        return isDirectory(path) ? nil : "is not a directory"
    }

    private static func dangling(_ target: String) -> String { "is a link to \(target), which does not exist" }

    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Nil if it is not a link.
    private static func target(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
