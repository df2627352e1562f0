import Glibc

/// Descriptors 0 to 2, as the program was given them.
enum StandardDescriptors {
    /// Opens those that the caller closed: else the first socket or file would take a number there, and what is meant for standard output
    /// would go into it.
    ///
    /// Each is opened the wrong way round, so that reading and writing fail as they do with a closed one.
    static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is this one, since those below it are open.
            _ = Glibc.open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
