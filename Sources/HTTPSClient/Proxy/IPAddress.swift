import Glibc

/// IP addresses as bytes.
enum IPAddress {
    /// 4 or 16 bytes in network order; nil for a name. Zones (`fe80::1%eth0`) are not taken.
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
