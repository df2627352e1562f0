import Glibc

/// Checks every step of the path to a directory, including links: whoever can replace one of them leads clients to another directory.
struct PathWalk {
    /// As many as the kernel follows (path_resolution(7)).
    private static let mostLinks = 40

    /// We, and the user who controls the whole machine. That is the owner of `/`, even if a user namespace shows root as another user.
    private let trusted: Set<uid_t>
    private var links = 0

    init() {
        var status = stat()
        trusted = lstat("/", &status) == 0 ? [geteuid(), 0, status.st_uid] : [geteuid(), 0]
    }

    /// - Throws: if a step belongs to a user other than us or root, or if others can write to it and rename what is ours.
    mutating func check(_ path: String) throws(VarlinkListenerError) {
        guard path.utf8.first != UInt8(ascii: "/") else {
            _ = try end(of: path, from: "")
            return
        }
        guard let directory = getcwd(nil, 0) else { throw .system(call: "find the way to", path: path, errno: errno) }
        defer { free(directory) }
        _ = try end(of: String(cString: directory) + "/" + path, from: "")
    }

    /// - Parameter directory: where a relative path begins; empty for the root.
    /// - Returns: where the path leads, without links.
    private mutating func end(of path: String, from directory: String) throws(VarlinkListenerError) -> String {
        var place = path.utf8.first == UInt8(ascii: "/") ? "" : directory
        for name in path.unicodeScalars.split(separator: "/").map(Substring.init) where name != "." {
            if name == ".." {
                place = place.unicodeScalars.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
                continue
            }
            let step = place + "/" + name
            var status = stat()
            guard lstat(step, &status) == 0 else { throw .system(call: "examine", path: step, errno: errno) }
            guard trusted.contains(status.st_uid) else { throw .foreignDirectory(path: step, uid: status.st_uid) }
            if status.st_mode & S_IFMT == S_IFLNK {
                place = try end(of: try target(of: step), from: place)
            } else {
                // In a directory like /tmp users can rename and remove only their own entries.
                guard status.st_mode & S_IWOTH == 0 || status.st_mode & S_ISVTX != 0 else {
                    throw .writableDirectory(path: step, mode: status.st_mode & 0o7777)
                }
                place = step
            }
        }
        return place
    }

    private mutating func target(of link: String) throws(VarlinkListenerError) -> String {
        links += 1
        guard links <= Self.mostLinks else { throw .system(call: "follow", path: link, errno: ELOOP) }
        return try withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer throws(VarlinkListenerError) in
            guard let start = buffer.baseAddress, case let count = readlink(link, start, buffer.count), count >= 0 else {
                throw .system(call: "read the link", path: link, errno: errno)
            }
            return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
        }
    }
}
