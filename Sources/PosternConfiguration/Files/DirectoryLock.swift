import Glibc

/// Keeps other commands from changing what is in a directory, until it is released. The daemon only reads, and editors know no lock.
///
/// Whoever can open a file can hold its lock for ever. So in a directory that others can read, as `/etc/postern`, a file of its own is
/// locked; elsewhere the directory itself, so that nothing is left behind.
public struct DirectoryLock {
    public enum Failure: Error {
        case held
        case system(errno: Int32)
    }

    private static let fileName = ".lock"

    /// -1 if nothing was locked.
    private let descriptor: Int32

    /// - Parameter patience: how long to wait for another command, in milliseconds.
    public init(_ directory: String, patience: Int64 = 15_000) throws(Failure) {
        var status = stat()
        guard stat(directory, &status) == 0 else { throw .system(errno: errno) }
        descriptor =
            status.st_mode & 0o044 == 0
            ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            : open("\(directory)/\(Self.fileName)", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            // Then nothing can be changed there either, and the change says why.
            if [EACCES, EPERM, EROFS].contains(errno) { return }
            throw .system(errno: errno)
        }
        let end = ContinuousClock.now + .milliseconds(patience)
        // Some network file systems have no locks; there the comparison of contents has to do.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
            guard ContinuousClock.now < end else {
                close(descriptor)
                throw .held
            }
            poll(nil, 0, 10)
        }
    }

    /// To be called once.
    public func release() { if descriptor >= 0 { close(descriptor) } }
}
