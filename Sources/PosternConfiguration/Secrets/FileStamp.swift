import Glibc

/// What changes when a file is written or replaced. Equal stamps mean equal content, as far as the file system's clock can tell.
public struct FileStamp: Hashable, Sendable {
    private let facts: [Int]

    /// Nil if there is no such file, or if `stat` fails.
    public init?(path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        // The second time also changes with the permissions and the owner, which may have prevented the file from being read.
        facts = [
            Int(truncatingIfNeeded: information.st_dev), Int(truncatingIfNeeded: information.st_ino), Int(information.st_size),
            Int(information.st_mode), information.st_mtim.tv_sec, information.st_mtim.tv_nsec, information.st_ctim.tv_sec,
            information.st_ctim.tv_nsec,
        ]
    }
}
