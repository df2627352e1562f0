// Its headers have the socket's constants as well: which module they belong to depends on the one that the compiler reads first.
import CSystemd
import Glibc

/// A socket of our own for datagrams to another process, which never waits: that process reads when it likes, or not at all, and its queue is
/// short (`net.unix.max_dgram_qlen`) and everybody's.
final class DatagramSocket: Sendable {
    enum Outcome: Sendable {
        case sent
        /// The reader has no room for it now.
        case full
        /// There is no reader, or it takes nothing so long.
        case failed
    }

    private let descriptor: Int32
    private let address: [UInt8]

    /// - Parameter address: a path, or a name in the abstract namespace after `@`, as in `$NOTIFY_SOCKET` (sd_notify(3)). Nil if it is neither, or
    ///   if the system provides no socket.
    init?(to address: String) {
        guard let name = UnixAddress.encoded(address) else { return nil }
        self.address = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Resolves the address each time: the reader may have been restarted.
    func send(_ bytes: [UInt8]) -> Outcome {
        var count: Int
        repeat {
            count = address.withUnsafeBytes { address in
                sendto(
                    descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL),
                    address.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count))
            }
        } while count < 0 && errno == EINTR
        if count >= 0 { return .sent }
        return errno == EAGAIN || errno == ENOBUFS ? .full : .failed
    }
}

/// The address of a Unix socket as the system takes it (unix(7)).
enum UnixAddress {
    /// - Parameter address: a path, or a name in the abstract namespace after `@`. That has no terminating zero, and a path has one.
    static func encoded(_ address: String) -> [UInt8]? {
        var name = Array(address.utf8)
        switch name.first {
        case UInt8(ascii: "/"): name.append(0)
        case UInt8(ascii: "@") where name.count > 1: name[0] = 0
        default: return nil
        }
        var encoded = sockaddr_un()
        encoded.sun_family = sa_family_t(AF_UNIX)
        guard let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path), name.count <= MemoryLayout.size(ofValue: encoded.sun_path)
        else {
            return nil
        }
        return withUnsafeBytes(of: &encoded) { Array($0.prefix(start)) } + name
    }
}
