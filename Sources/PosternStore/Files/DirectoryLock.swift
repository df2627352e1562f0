import Glibc
import PosternCore

/// Keeps a second daemon out of the directory, as long as it exists.
///
/// The system releases the lock when the process dies, however it dies; the file stays, and its existence means nothing.
final class DirectoryLock: Sendable {
    static let fileName = "lock"

    private let descriptor: FileDescriptor

    init(_ directory: StateDirectory) throws(StoreError) {
        descriptor = try FileDescriptor(opening: directory.file(Self.fileName), flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        // Whatever the umask is, the next run can open it.
        try descriptor.setMode(0o600)
        while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                throw StoreError(
                    .locked, file: directory.path, reason: "another daemon\(Self.holder(descriptor)) uses this state directory")
            case let code: throw .system(code, file: descriptor.path, action: "cannot be locked")
            }
        }
        // Only for the message above: on a full disk the lock holds without it. The file is overwritten in place: before truncating a file
        // that was written a moment ago, ext4 waits for the disk, which takes longer than all the rest of a start.
        try? descriptor.write(Array("\(getpid())\n".utf8))
    }

    /// The process whose number is in the lock file, as " (process 123)"; empty if the file has no readable number.
    private static func holder(_ descriptor: borrowing FileDescriptor) -> String {
        // There may be the rest of a longer number.
        guard let bytes = try? descriptor.read(atMost: 16), let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let number = Int32(String(decoding: bytes[..<end], as: UTF8.self))
        else { return "" }
        return " (process \(number))"
    }
}
