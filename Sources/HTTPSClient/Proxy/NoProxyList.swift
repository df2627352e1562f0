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
