import Glibc

/// Standard input or output, and how it can be waited for.
enum StdioDescriptor: Equatable {
    /// A pipe, a socket or a terminal. It is ours to close, and does not block.
    case waited(Int32)
    /// A regular file, /dev/null and the like, which epoll(7) refuses: they are always ready.
    case ready(Int32)

    init(_ number: Int32, flags: Int32) {
        var information = stat()
        guard fstat(number, &information) == 0 else {
            self = .ready(number)
            return
        }
        switch information.st_mode & S_IFMT {
        case S_IFSOCK: self = .waited(Self.copied(number))
        case S_IFIFO: self = .waited(Self.opened(number, flags) ?? Self.copied(number))
        case S_IFCHR where isatty(number) == 1: self = .waited(Self.opened(number, flags) ?? Self.copied(number))
        default: self = .ready(number)
        }
    }

    /// O_NONBLOCK belongs to what was opened, not to the descriptor, and the shell on the same terminal has that, too. So it is opened anew.
    ///
    /// - Returns: nil if that is not allowed, as for a pipe of another user, or there is no `/proc`.
    private static func opened(_ number: Int32, _ flags: Int32) -> Int32? {
        let descriptor = open("/proc/self/fd/\(number)", flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        return descriptor >= 0 ? descriptor : nil
    }

    /// The number stays taken: nothing else is ever standard output.
    private static func copied(_ number: Int32) -> Int32 {
        let descriptor = fcntl(number, F_DUPFD_CLOEXEC, 3)
        return descriptor >= 0 ? descriptor : number
    }
}
