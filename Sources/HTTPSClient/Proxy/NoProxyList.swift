import Glibc

/// The hosts of `NO_PROXY`, separated by commas or spaces.
///
/// An entry is `*`, a name (which also means all names below it, with or without `.` or `*.` in front), an IP address, or a network such as
/// `10.0.0.0/8`. A name or address may be followed by `:PORT`. Anything else matches nothing.
struct NoProxyList: Sendable {
    private enum Entry {
        case everything
        case name(String, port: Int?)
        case network([UInt8], bits: Int, port: Int?)
    }

    private let entries: [Entry]

    init(_ text: String) {
        entries = text.parts { $0 == "," || $0 == " " || $0 == "\t" }.compactMap { Self.entry($0.lowercased()) }
    }

    /// - Parameter host: in lower case, an IPv6 address without brackets.
    func contains(host: String, port: Int) -> Bool {
        let address = IPAddress.bytes(host)
        let name = host.ends(with: ".") ? String(host.dropLast()) : host
        return entries.contains { entry in
            switch entry {
            case .everything: true
            case .name(let suffix, let only): (only ?? port) == port && (name == suffix || address == nil && name.ends(with: "." + suffix))
            case .network(let network, let bits, let only):
                (only ?? port) == port && address.map { IPAddress.isEqual($0, network, bits: bits) } == true
            }
        }
    }

    private static func entry(_ text: String) -> Entry? {
        if text == "*" { return .everything }
        if let slash = text.unicodeScalars.firstIndex(of: "/") {
            guard let network = IPAddress.bytes(bare(text[..<slash])), let bits = Int(text.after(slash)),
                (0...network.count * 8).contains(bits)
            else { return nil }
            return .network(network, bits: bits, port: nil)
        }
        if let address = IPAddress.bytes(bare(text[...])) { return .network(address, bits: address.count * 8, port: nil) }

        var name = text[...]
        var port: Int?
        if let colon = name.unicodeScalars.lastIndex(of: ":") {
            port = Int(name.after(colon))
            guard port != nil else { return nil }
            name = name[..<colon]
        }
        if let address = IPAddress.bytes(bare(name)) { return .network(address, bits: address.count * 8, port: port) }
        name = name.rest(after: "*") ?? name
        name = name.rest(after: ".") ?? name
        if name.ends(with: ".") { name = name.dropLast() }
        return name.isEmpty ? nil : .name(String(name), port: port)
    }

    private static func bare(_ text: Substring) -> String {
        String(text.begins(with: "[") && text.ends(with: "]") ? Substring(text.utf8.dropFirst().dropLast()) : text)
    }
}

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
