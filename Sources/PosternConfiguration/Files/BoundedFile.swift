import Glibc

/// A small regular file, read whole, with the permissions of the very file that was read.
struct BoundedFile {
    enum Failure: Error, Hashable {
        case missing
        /// There is something, but it leads nowhere; see ``PathObstacle``.
        case leadsNowhere(String)
        case notRegular
        case tooLarge(limit: Int)
        /// An errno.
        case system(Int32)

        /// Completes a sentence that begins with the file's name.
        var sentence: String {
            switch self {
            case .missing: "does not exist"
            case .leadsNowhere(let sentence): sentence
            case .notRegular: "is not a regular file"
            case .tooLarge(let limit): "is larger than \(limit) bytes"
            case .system(let code): "cannot be read: \(SystemError.text(code))"
            }
        }
    }

    var bytes: [UInt8]
    var access: FileAccess

    init(path: String, limit: Int) throws(Failure) {
        // O_NONBLOCK: if the path were a FIFO, the daemon would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let code = errno
            guard code == ENOENT || code == ENOTDIR else { throw .system(code) }
            throw PathObstacle.sentence(at: path).map(Failure.leadsNowhere) ?? .missing
        }
        defer { close(descriptor) }
        // Queries the open file: the path could lead to another one by now.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        access = FileAccess(
            ownerIsTrusted: status.st_uid == geteuid() || status.st_uid == 0, isOwn: status.st_uid == geteuid(),
            mode: status.st_mode & 0o7777)
        bytes = try Self.contents(of: descriptor, limit: limit)
    }

    private static func contents(of descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .system(errno)
            }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        }
    }
}

/// The system's text for an errno.
enum SystemError {
    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        // Not `strerror`: it is not thread-safe.
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else { return "error \(code)" }
            return String(cString: start).lowercased()
        }
    }
}

/// The ownership and permissions of a file, as far as they matter here.
public struct FileAccess: Sendable, Hashable {
    /// It belongs to the daemon's user or to root.
    public var ownerIsTrusted = true
    /// It belongs to the daemon's user, who can change its permissions.
    public var isOwn = true
    /// The permission bits, as in `chmod`.
    public var mode: UInt32

    /// The group counts as others: its members can change without a change to this file.
    public var isWritableByOthers: Bool { !ownerIsTrusted || mode & 0o022 != 0 }
    public var isReadableByOthers: Bool { !ownerIsTrusted || mode & 0o044 != 0 }
}
