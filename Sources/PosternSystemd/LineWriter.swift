// Its headers have the socket's constants as well: which module they belong to depends on the one that the compiler reads first.
import CSystemd
import Glibc

/// Writes lines without ever waiting for their reader.
final class LineWriter: Sendable {
    private enum Way {
        /// Sends without waiting, whatever the mode of the socket.
        case socket
        /// A separate open file description of the same pipe or terminal. The inherited one's mode is shared with other processes, so that
        /// O_NONBLOCK there would make their writes fail.
        case own(Int32)
        /// Written after checking whether it would block.
        case asking
    }

    private let descriptor: Int32
    private let way: Way

    /// - Parameter descriptor: remains the caller's.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        way = Self.way(to: descriptor)
    }

    deinit { if case .own(let own) = way { close(own) } }

    private static func way(to descriptor: Int32) -> Way {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .asking }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: return .socket
        case S_IFIFO, S_IFCHR:
            let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            // Another user's cannot be opened.
            return own >= 0 ? .own(own) : .asking
        default: return .asking
        }
    }

    /// - Parameter line: no longer than ``PlainLine/limit``, so that it is written whole or not at all.
    /// - Returns: false if there is no room for it.
    func write(_ line: [UInt8]) -> Bool {
        line.withUnsafeBytes { bytes in
            var count: Int
            repeat {
                switch way {
                case .socket: count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
                case .own(let own): count = Glibc.write(own, bytes.baseAddress, bytes.count)
                case .asking: count = hasRoom ? Glibc.write(descriptor, bytes.baseAddress, bytes.count) : 0
                }
            } while count < 0 && errno == EINTR
            return count > 0
        }
    }

    private var hasRoom: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLOUT) != 0
    }
}
