import Glibc

/// What changes when a file is written or replaced. Equal stamps mean equal content, as far as the file system's clock can tell.
public struct FileStamp: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    private let mode: UInt32
    private let times: [Int]

    /// Nil if there is no such file, or if `stat` fails.
    public init?(path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        device = UInt64(information.st_dev)
        number = UInt64(information.st_ino)
        size = Int64(information.st_size)
        mode = information.st_mode
        // The second also changes with the permissions and the owner, which may have prevented the file from being read.
        times = [
            information.st_mtim.tv_sec, information.st_mtim.tv_nsec, information.st_ctim.tv_sec, information.st_ctim.tv_nsec,
        ]
    }
}
