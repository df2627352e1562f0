import Glibc

/// Descriptors 0 to 2, as the program inherited them.
enum StandardDescriptors {
    /// Opens those that the caller has closed: otherwise the first socket or file would get one of these numbers, and standard output would
    /// be written into it.
    ///
    /// Each is opened in the wrong direction, so that reading and writing fail as with a closed one.
    static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // This is the lowest free number, since those below it are open.
            _ = Glibc.open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
