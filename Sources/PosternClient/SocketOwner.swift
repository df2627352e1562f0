import Glibc

/// Whose a socket is that this user may not reach.
package enum SocketOwner {
    /// The other user whose socket it is, or whose directory keeps this one from looking; nil if there is none.
    package static func foreign(of path: String) -> UInt32? {
        var path = path
        var status = stat()
        while lstat(path, &status) != 0 {
            guard errno == EACCES, let end = path.unicodeScalars.lastIndex(of: "/"), end != path.startIndex else { return nil }
            path = String(path[..<end])
        }
        return status.st_uid == geteuid() ? nil : status.st_uid
    }
}
