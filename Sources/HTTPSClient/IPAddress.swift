import Glibc
import NIOCore

/// IP addresses as bytes.
enum IPAddress {
    /// 4 or 16 bytes in network order; nil for a name. Zones (`fe80::1%eth0`) are not accepted.
    static func bytes(_ text: String) -> [UInt8]? {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return withUnsafeBytes(of: v4) { Array($0) } }
        var v6 = in6_addr()
        if inet_pton(AF_INET6, text, &v6) == 1 { return withUnsafeBytes(of: v6) { Array($0) } }
        return nil
    }

    static func isLoopback(_ host: String) -> Bool {
        guard let bytes = bytes(host) else { return host == "localhost" || host == "localhost." }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Whether the first bits are the same; addresses of different families never are.
    static func isEqual(_ left: [UInt8], _ right: [UInt8], bits: Int) -> Bool {
        guard left.count == right.count, bits <= left.count * 8 else { return false }
        let whole = bits / 8
        guard left.prefix(whole) == right.prefix(whole) else { return false }
        let rest = bits % 8
        return rest == 0 || left[whole] >> UInt8(8 - rest) == right[whole] >> UInt8(8 - rest)
    }
}

extension IPAddress {
    /// A range of addresses, and what its addresses are.
    struct Range: Sendable {
        let network: String
        let kind: Kind
    }

    enum Kind: Hashable, Sendable {
        case isPublic
        /// A word for sentences: "private".
        case special(String)
        /// The four bytes at this place are an IPv4 address that the packets go to in the end.
        case holdsIPv4(at: Int)
    }

    /// The first that holds an address decides. IANA's registries of special-purpose addresses (RFC 6890), what they call not globally
    /// reachable. Of their few exceptions below 192.0.0.0/24 and 2001::/23 none is a web server's.
    static let ranges: [Range] = [
        Range("0.0.0.0/8", .special("unspecified")),
        Range("10.0.0.0/8", .special("private")),
        Range("100.64.0.0/10", .special("shared by a carrier's customers")),
        Range("127.0.0.0/8", .special("this machine's own")),
        Range("169.254.0.0/16", .special("link-local")),
        Range("172.16.0.0/12", .special("private")),
        Range("192.0.0.0/24", .special("reserved")),
        Range("192.0.2.0/24", .special("for documentation")),
        Range("192.168.0.0/16", .special("private")),
        Range("198.18.0.0/15", .special("for benchmarks")),
        Range("198.51.100.0/24", .special("for documentation")),
        Range("203.0.113.0/24", .special("for documentation")),
        Range("224.0.0.0/4", .special("multicast")),
        Range("240.0.0.0/4", .special("reserved")),
        Range("0.0.0.0/0", .isPublic),

        Range("::/128", .special("unspecified")),
        Range("::1/128", .special("this machine's own")),
        Range("::ffff:0:0/96", .holdsIPv4(at: 12)),
        // NAT64 (RFC 6052); its networks of one's own (RFC 8215) are private.
        Range("64:ff9b::/96", .holdsIPv4(at: 12)),
        Range("64:ff9b:1::/48", .special("private")),
        // Teredo is in it too, whose IPv4 addresses are those of a relay.
        Range("2001::/23", .special("reserved")),
        Range("2001:db8::/32", .special("for documentation")),
        // 6to4 (RFC 3056).
        Range("2002::/16", .holdsIPv4(at: 2)),
        Range("3fff::/20", .special("for documentation")),
        Range("fc00::/7", .special("private")),
        Range("fe80::/10", .special("link-local")),
        // Site-local, before there was fc00::/7.
        Range("fec0::/10", .special("private")),
        Range("ff00::/8", .special("multicast")),
        // All that IANA ever gave to the Internet's own networks.
        Range("2000::/3", .isPublic),
        Range("::/0", .special("reserved")),
    ]

    /// Why an address is none of the public Internet's, as a word for sentences; nil for a public one.
    ///
    /// - Parameter bytes: 4 or 16.
    static func specialPurpose(_ bytes: [UInt8]) -> String? {
        switch parsedRanges.first(where: { isEqual($0.network, bytes, bits: $0.bits) })?.kind {
        case .isPublic: nil
        case .special(let word): word
        case .holdsIPv4(let place): specialPurpose(Array(bytes[place..<place + 4]))
        case nil: "unknown"
        }
    }

    private static let parsedRanges = ranges.compactMap { range -> (network: [UInt8], bits: Int, kind: Kind)? in
        network(range.network[...]).map { ($0.address, $0.bits, range.kind) }
    }

    /// `10.0.0.0/8`.
    static func network(_ text: Substring) -> (address: [UInt8], bits: Int)? {
        guard let slash = text.unicodeScalars.firstIndex(of: "/"), let address = bytes(String(text[..<slash])),
            let bits = Int(text.after(slash)), (0...address.count * 8).contains(bits)
        else { return nil }
        return (address, bits)
    }
}

extension IPAddress.Range {
    init(_ network: String, _ kind: IPAddress.Kind) {
        self.network = network
        self.kind = kind
    }
}

extension SocketAddress {
    /// 127.0.0.0/8 or ::1.
    var isLoopback: Bool { ipAddress.map(IPAddress.isLoopback) ?? false }

    /// Why the address is none of the public Internet's, as a word for sentences; nil for a public one.
    var specialPurpose: String? {
        guard let bytes = ipAddress.flatMap(IPAddress.bytes) else { return "unknown" }
        return IPAddress.specialPurpose(bytes)
    }
}
