import Glibc

/// Why nothing can be written in a directory, or to a file.
enum WriteObstacle: Equatable {
    case readOnlyFileSystem
    /// `chattr +i` or `+a`: not even root can change it.
    case immutable
    case permissions

    /// Nil if there is none, or nothing at the path.
    init?(at path: String) {
        guard access(path, W_OK) != 0 else { return nil }
        switch errno {
        case EROFS: self = .readOnlyFileSystem
        // The kernel has this answer for an immutable file alone (inode_permission).
        case EPERM: self = .immutable
        case EACCES: self = .permissions
        default: return nil
        }
    }

    /// To follow the path.
    var sentence: String {
        switch self {
        case .readOnlyFileSystem: "is on a read-only file system"
        case .immutable: "is immutable (chattr +i)"
        case .permissions: "may not be written by this user"
        }
    }

    func fix(_ path: String) -> String {
        let path = ShellWord.quoted(path)
        return switch self {
        case .readOnlyFileSystem: "findmnt -T \(path) shows the file system; mount it writable"
        case .immutable: "as root: chattr -i \(path)"
        case .permissions: "ls -ld \(path) shows its owner and mode; as its owner: chmod u+w \(path)"
        }
    }
}
