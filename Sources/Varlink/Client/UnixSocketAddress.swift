import Glibc

/// The address of a Unix stream socket that has a path.
package struct UnixSocketAddress {
    /// Bytes of a path: `sun_path` holds 108, one of them the NUL at the end (unix(7)).
    package static let longestPath = 107

    private var address = sockaddr_un()

    /// Nil where the path is empty, too long, or holds a NUL.
    package init?(path: String) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.longestPath, !bytes.contains(0) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    package func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
