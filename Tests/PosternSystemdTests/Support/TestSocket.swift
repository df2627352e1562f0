import Glibc

/// A socket of a test, closed with it.
final class TestSocket {
    let descriptor: Int32

    /// A Unix socket at the path, or at a name in the abstract namespace if it begins with a zero; a stream socket listens.
    init(path: String, type: __socket_type) throws {
        descriptor = socket(AF_UNIX, Int32(type.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let size = socklen_t(path.hasPrefix("\0") ? 2 + path.utf8.count : MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0 else { throw Failure(description: "\(path): \(String(cString: strerror(errno)))") }
        if type == SOCK_STREAM { listen(descriptor, 1) }
    }

    /// A TCP socket on a free port of 127.0.0.1.
    init(listening: Bool) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0 else { throw Failure(description: "127.0.0.1: \(String(cString: strerror(errno)))") }
        if listening { listen(descriptor, 1) }
    }

    deinit { close(descriptor) }

    /// The datagrams that are there.
    func received() -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
            messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
        return messages
    }
}
