import Glibc
import PosternCore

/// Owns one file descriptor, and closes it when it goes out of scope.
struct FileDescriptor: ~Copyable {
    let number: Int32
    let path: String

    /// Not inherited by children. Whether to use `O_NOFOLLOW` is up to the caller: a directory in the path may well be a link.
    init(opening path: String, flags: Int32, mode: mode_t = 0) throws(StoreError) {
        self.path = path
        while true {
            let descriptor = open(path, flags | O_CLOEXEC, mode)
            if descriptor >= 0 {
                number = descriptor
                return
            }
            guard errno == EINTR else { throw .system(errno, file: path, action: "cannot be opened") }
        }
    }

    deinit { close(number) }

    func status() throws(StoreError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .system(errno, file: path, action: "cannot be examined") }
        return status
    }

    /// Removes bits that the umask left, and restores those that it removed.
    func setMode(_ mode: mode_t) throws(StoreError) {
        guard fchmod(number, mode) == 0 else { throw .system(errno, file: path, action: "its permissions cannot be set") }
    }

    func write(_ bytes: [UInt8]) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress?.advanced(by: written), $0.count - written) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(count < 0 ? errno : EIO, file: path, action: "cannot be written") }
            written += count
        }
    }

    /// - Parameter limit: no more bytes than this are read, however long the file is.
    func read(atMost limit: Int) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = bytes.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress?.advanced(by: filled), limit - filled) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno, file: path, action: "cannot be read") }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }

    func synchronize() throws(StoreError) {
        while fsync(number) != 0 {
            guard errno == EINTR else { throw .system(errno, file: path, action: "cannot be made durable") }
        }
    }
}

extension StoreError {
    /// An error of the system about a file.
    ///
    /// - Parameters:
    ///   - code: `errno`, read right after the call.
    ///   - action: what was tried, as in "cannot be made".
    static func system(_ code: Int32, file: String, action: String) -> StoreError {
        let kind: Kind =
            switch code {
            // EFBIG means a limit on the size of files, which has the same effect as a full disk.
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS: .readOnly
            case EIO: .io
            case ENOMEM: .outOfMemory
            default: .cannotOpen
            }
        return StoreError(kind, file: file, reason: "\(action): \(String(cString: strerror(code)))")
    }
}
