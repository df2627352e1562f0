import Glibc

/// Accepting a connection failed because the process or the machine has run out of something, not because of the client.
package struct AcceptShortage: CustomStringConvertible {
    private let code: CInt

    /// Nil for any other reason.
    ///
    /// - Parameter code: the `errno` of accept(2).
    package init?(_ code: CInt) {
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else { return nil }
        self.code = code
    }

    /// Whether a connection waits there. accept(2) looks for a free descriptor first, so it fails even if no connection waits.
    package static func keepsSomebodyWaiting(at listener: CInt) -> Bool {
        var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    package var description: String {
        let reason = String(cString: strerror(code))
        if code == EMFILE {
            return "the process has no file descriptor left for a new connection (\(reason)), so those that are idle longest are closed; "
                + "end programs that keep connections open, or raise LimitNOFILE= of the service (ulimit -n)"
        }
        return "the system has no room for a new connection (\(reason)), so those that are idle longest are closed; "
            + "end programs that are not needed"
    }
}
