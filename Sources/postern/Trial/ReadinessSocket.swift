import Glibc

/// The receiving side of sd_notify(3): here the daemon reports that it is ready, as it would to systemd. Nothing is guessed.
final class ReadinessSocket {
    let path: String
    let descriptor: Int32

    init(path: String) throws {
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw CommandFailure("\(path) is too long for a socket", advice: "set TMPDIR to a shorter directory")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw CommandFailure("no socket could be opened: \(String(cString: strerror(errno)))") }
        let status = withUnsafeBytes(of: &address) {
            bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        guard status == 0 else {
            close(descriptor)
            throw CommandFailure("\(path) could not be bound: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// True if a received message contains `READY=1`.
    func isReady() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return false }
            let lines = String(decoding: bytes[..<count], as: UTF8.self).parts(separator: "\n")
            if lines.contains("READY=1") { return true }
        }
    }
}
