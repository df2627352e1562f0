import Glibc

/// The process at the other end of a connection, as the kernel names it (`SO_PEERCRED`).
///
/// The user is certain. The process ID is that of the process which connected; it may have ended, or handed the socket on,
/// so what is learnt of it serves for words and logs, never for a decision.
public struct VarlinkPeer: Sendable, Hashable {
    /// Counts the connections of the listener.
    public let id: UInt64
    public let pid: Int32
    public let uid: UInt32
    public let gid: UInt32

    /// The path of its program; nil where that cannot be read.
    public var executable: String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return -1 }
            return readlink("/proc/\(pid)/exe", base.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// The systemd unit that it runs in: the last part of its control group that is a unit; nil where there is none.
    public var unit: String? {
        let descriptor = open("/proc/\(pid)/cgroup", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        let parts = String(decoding: buffer[..<count], as: UTF8.self).split(whereSeparator: { $0 == "/" || $0 == "\n" })
        return parts.last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") || $0.hasSuffix(".slice") }.map(String.init)
    }
}

/// `struct ucred` (unix(7)), which the C library shows to GNU programs only.
struct PeerCredentials {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0

    static let socketOption = SO_PEERCRED
}
