import Glibc

/// Keeps other commands from changing a configuration, with its secrets' files, between the reading and the writing of this one.
///
/// The lock is on the directory of the main file, so that no file is left behind. The daemon only reads, and editors know no lock: what
/// they change in the meantime is noticed by its content.
enum ConfigurationLock {
    /// - Parameter patience: in milliseconds. The other command may wait for the daemon or the keyring.
    static func held<Result>(for mainFile: String, patience: Int64 = 15_000, _ body: () throws -> Result) throws -> Result {
        let directory = ReplacedFile.directory(of: ReplacedFile(mainFile).path)
        try ReplacedFile.makeDirectories(directory)
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure("\(directory) cannot be opened: \(String(cString: strerror(errno)))".plain) }
        // This also ends the lock.
        defer { close(descriptor) }
        let deadline = Deadline(milliseconds: patience)
        // Some network file systems cannot lock a directory; there the content alone has to do.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
            guard deadline.remaining > 0 else {
                throw CommandFailure(
                    "another command has been changing the configuration in \(directory) for \(patience / 1000) s".plain,
                    advice: "let it end, and run this command again")
            }
            poll(nil, 0, 10)
        }
        return try body()
    }
}
