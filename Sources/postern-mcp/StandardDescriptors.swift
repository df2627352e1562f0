import Glibc

/// Descriptors 0 to 2, as the program inherited them.
enum StandardDescriptors {
    /// Opens those that the caller has closed: otherwise the connection to a server would get one of these numbers, and be taken for the client.
    ///
    /// Each is opened in the wrong direction, so that reading and writing fail as with a closed one.
    static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // This is the lowest free number, since those below it are open.
            _ = Glibc.open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
