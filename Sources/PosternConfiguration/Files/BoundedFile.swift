import Glibc

/// A small regular file, read whole, with the permissions of exactly what was read.
struct BoundedFile {
    enum Failure: Error, Hashable {
        case missing
        case notRegular
        case tooLarge(limit: Int)
        /// An errno.
        case system(Int32)

        /// Completes a sentence that began with the file's name.
        var sentence: String {
            switch self {
            case .missing: "does not exist"
            case .notRegular: "is not a regular file"
            case .tooLarge(let limit): "is larger than \(limit) bytes"
            case .system(let code): "cannot be read: \(SystemError.text(code))"
            }
        }
    }

    var bytes: [UInt8]
    var access: FileAccess

    init(path: String, limit: Int) throws(Failure) {
        // O_NONBLOCK: a FIFO in the file's place would keep the daemon waiting for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let code = errno
            throw code == ENOENT || code == ENOTDIR ? .missing : .system(code)
        }
        defer { close(descriptor) }
        // Asked of the open file: asked of the path, it could be another one by now.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        access = FileAccess(ownerIsTrusted: status.st_uid == geteuid() || status.st_uid == 0, mode: status.st_mode & 0o7777)
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

/// The system's words for an errno.
enum SystemError {
    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        // Not `strerror`: it is not safe in threads.
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else { return "error \(code)" }
            return String(cString: start).lowercased()
        }
    }
}

/// Who may do what with a file, as far as it matters here.
public struct FileAccess: Sendable, Hashable {
    /// It belongs to the daemon's user or to root.
    public var ownerIsTrusted: Bool
    /// The permission bits, as in `chmod`.
    public var mode: UInt32

    public init(ownerIsTrusted: Bool = true, mode: UInt32) {
        self.ownerIsTrusted = ownerIsTrusted
        self.mode = mode
    }

    /// The group counts as others: who is in it can change without this file changing.
    public var isWritableByOthers: Bool { !ownerIsTrusted || mode & 0o022 != 0 }
    public var isReadableByOthers: Bool { !ownerIsTrusted || mode & 0o044 != 0 }
}
