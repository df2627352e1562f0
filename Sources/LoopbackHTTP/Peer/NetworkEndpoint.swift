import Glibc
import NIOCore

/// An address and a port in a form common to both families: IPv4 as `::ffff:a.b.c.d`, so that a mapped address and the plain one are equal.
struct NetworkEndpoint: Hashable, Sendable {
    /// 16 bytes, in network order.
    let address: [UInt8]
    let port: UInt16

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    /// - Parameter address: 4 or 16 bytes, in network order.
    init(address: [UInt8], port: UInt16) {
        self.address = address.count == 4 ? Self.mappedPrefix + address : address
        self.port = port
    }

    /// Nil for a socket other than TCP.
    init?(_ address: SocketAddress) {
        switch address {
        case .v4(let v4):
            self.init(
                address: withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }, port: UInt16(bigEndian: v4.address.sin_port))
        case .v6(let v6):
            self.init(
                address: withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }, port: UInt16(bigEndian: v6.address.sin6_port))
        case .unixDomainSocket: return nil
        }
    }

    /// The four bytes of an IPv4 address, mapped or not.
    var ipv4: [UInt8]? { address.starts(with: Self.mappedPrefix) ? Array(address.suffix(4)) : nil }

    /// No address and no port of the same family: the remote end of a listening socket.
    var nowhere: NetworkEndpoint { NetworkEndpoint(address: [UInt8](repeating: 0, count: ipv4 == nil ? 16 : 4), port: 0) }

    /// 127.0.0.0/8, its mapped form, or `::1`.
    var isLoopback: Bool {
        if let ipv4 { return ipv4.first == 127 }
        return address == [UInt8](repeating: 0, count: 15) + [1]
    }
}

extension NetworkEndpoint: CustomStringConvertible {
    /// `127.0.0.1:7678`, `[::1]:7678`.
    var description: String {
        if let ipv4 { return ipv4.map(String.init).joined(separator: ".") + ":\(port)" }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, address, &text, socklen_t(text.count)) != nil else { return "[?]:\(port)" }
        return "[\(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))]:\(port)"
    }
}
