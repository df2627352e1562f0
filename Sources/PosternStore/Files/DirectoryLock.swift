import Glibc
import PosternCore

/// Keeps a second daemon out of the directory, for as long as it lives.
///
/// The system releases the lock when the process dies, however it dies; the file stays, and says nothing by being there.
final class DirectoryLock: Sendable {
    static let fileName = "lock"

    private let descriptor: FileDescriptor

    init(_ directory: StateDirectory) throws(StoreError) {
        descriptor = try FileDescriptor(opening: directory.file(Self.fileName), flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        // Whatever the umask is, the next life can open it.
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
        // For the message above alone: on a full disk the lock holds without it. Written over what stands there: ext4 waits for the disk
        // before it truncates a file that was written a moment ago, which takes longer than all the rest of a start.
        try? descriptor.write(Array("\(getpid())\n".utf8))
    }

    /// Who wrote its number into the lock file, as " (process 123)"; empty if nothing readable stands there.
    private static func holder(_ descriptor: borrowing FileDescriptor) -> String {
        // A longer number may have stood there before.
        guard let bytes = try? descriptor.read(atMost: 16), let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let number = Int32(String(decoding: bytes[..<end], as: UTF8.self))
        else { return "" }
        return " (process \(number))"
    }
}
