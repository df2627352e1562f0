import Glibc

/// Identifies the file that has a name: another file with the same name has another identity.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil if there is none.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }
}
