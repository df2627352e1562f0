import Glibc

/// The same look-up in /proc/net/tcp and /proc/net/tcp6 (proc(5)), for systems that forbid netlink.
enum ProcNetTCP {
    private static let tables = ["/proc/net/tcp", "/proc/net/tcp6"]
    /// Some 25,000 connections. The event loop must not be blocked for longer.
    private static let maximumBytes = 4 << 20

    static var isReadable: Bool { tables.contains { access($0, R_OK) == 0 } }

    /// The user that owns the socket with the local end `peer` and the remote end `local`.
    static func owner(of peer: NetworkEndpoint, connectedTo local: NetworkEndpoint) -> SocketOwner {
        look { owner(of: peer, connectedTo: local, in: $0) }
    }

    /// The user that listens where a connection to this endpoint would arrive.
    static func owner(listeningAt endpoint: NetworkEndpoint) -> SocketOwner {
        let nowhere = endpoint.nowhere
        let anyAddress = NetworkEndpoint(address: nowhere.address, port: endpoint.port)
        return look { owner(of: endpoint, connectedTo: nowhere, in: $0) ?? owner(of: anyAddress, connectedTo: nowhere, in: $0) }
    }

    private static func look(_ owner: (_ table: [UInt8]) -> UInt32?) -> SocketOwner {
        var result = SocketOwner.unavailable
        for table in tables {
            guard let content = read(table) else { continue }
            if let user = owner(content) { return .user(user) }
            result = .nobody
        }
        return result
    }

    /// Searches the text of a table: after a header line, one line for each socket, with its local and remote ends in columns 1 and 2, the
    /// user in column 7 and the inode in column 9.
    ///
    /// - Returns: nil if it is not there, or has no owner now.
    static func owner(of peer: NetworkEndpoint, connectedTo local: NetworkEndpoint, in table: [UInt8]) -> UInt32? {
        let long = "\(hexadecimal(peer.address)):\(port(peer)) \(hexadecimal(local.address)):\(port(local)) "
        var wanted = [long]
        if let peer4 = peer.ipv4, let local4 = local.ipv4 {
            wanted.append(" \(hexadecimal(peer4)):\(port(peer)) \(hexadecimal(local4)):\(port(local)) ")
        }
        let text = table + [0]  // strstr needs a terminating NUL.
        for ends in wanted {
            var searchStart = 0
            while let found = index(of: ends, in: text, from: searchStart) {
                searchStart = found + 1
                let line = text[found...].prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
                // Inode 0: it has no owner now, and its user is reported as 0.
                guard line.count > 8, !line[8].elementsEqual("0".utf8) else { continue }
                return UInt32(String(decoding: line[6], as: UTF8.self))
            }
        }
        return nil
    }

    /// `0100007F`: words of four bytes, each in this machine's byte order.
    private static func hexadecimal(_ address: [UInt8]) -> String {
        address.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { offset in
                padded(String(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self), radix: 16, uppercase: true), to: 8)
            }.joined()
        }
    }

    private static func port(_ endpoint: NetworkEndpoint) -> String { padded(String(endpoint.port, radix: 16, uppercase: true), to: 4) }

    private static func padded(_ digits: String, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func index(of wanted: String, in text: [UInt8], from start: Int) -> Int? {
        text.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self), let found = strstr(base + start, wanted) else {
                return nil
            }
            return UnsafePointer(found) - base
        }
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while content.count < maximumBytes {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return count == 0 ? content : nil }
            content.append(contentsOf: chunk.prefix(count))
        }
        return content
    }
}
