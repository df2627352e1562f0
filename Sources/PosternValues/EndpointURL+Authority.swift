extension EndpointURL {
    /// The part between `//` and the path: a host and optionally a port (RFC 3986 section 3.2), never a user name.
    struct Authority {
        var host: String
        var port: UInt16?

        init(parsing text: Substring) throws(EndpointURLError) {
            guard !text.utf8.contains(UInt8(ascii: "@")) else { throw .userInformation }
            guard let parts = HostAndPort(text), parts.isBracketed ? IPv6.isAddress(parts.host) : Self.isHostName(parts.host) else {
                throw .invalidHost
            }
            host = parts.host.lowercased()
            port = try parts.port.map(Self.port)
        }

        private static func port(_ text: Substring) throws(EndpointURLError) -> UInt16 {
            guard text.utf8.allSatisfy(\.isDecimalDigit), !text.begins(with: "0"), let port = UInt16(text) else { throw .invalidPort }
            return port
        }

        /// Labels of letters, digits, hyphens and underscores. A last label of digits means an IPv4 address, which must then be written in
        /// full: programs interpret `127.1` and `0x7f.1` differently.
        private static func isHostName(_ text: Substring) -> Bool {
            let bytes = text.utf8
            guard bytes.count <= 253 else { return false }
            let last = bytes.lastIndex(of: UInt8(ascii: ".")).map(bytes.index(after:)) ?? bytes.startIndex
            if bytes[last...].first?.isDecimalDigit == true { return IPv4.octets(text) != nil }
            var labelCount = 0
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "."):
                    guard labelCount > 0 else { return false }
                    labelCount = 0
                    continue
                case UInt8(ascii: "-"): guard labelCount > 0 else { return false }
                default: guard byte.isASCIILetter || byte.isDecimalDigit || byte == UInt8(ascii: "_") else { return false }
                }
                labelCount += 1
                guard labelCount <= 63 else { return false }
            }
            return labelCount > 0
        }
    }

    enum IPv4 {
        /// Four decimal numbers without leading zeros; nil for anything else.
        static func octets(_ text: some StringProtocol) -> [UInt8]? {
            var octets: [UInt8] = []
            // The number being read; nil before its first digit.
            var value: Int?
            for byte in text.utf8 {
                if byte == UInt8(ascii: ".") {
                    guard let octet = value, octets.count < 3 else { return nil }
                    octets.append(UInt8(octet))
                    value = nil
                } else {
                    guard byte.isDecimalDigit, value != 0 else { return nil }
                    let next = (value ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                    guard next <= 255 else { return nil }
                    value = next
                }
            }
            guard let octet = value, octets.count == 3 else { return nil }
            return octets + [UInt8(octet)]
        }
    }

    enum IPv6 {
        private static let colon = UInt8(ascii: ":")

        /// RFC 4291 section 2.2: eight groups, or fewer and one `::`; the form that ends in an IPv4 address is rejected.
        static func isAddress(_ text: Substring) -> Bool { groups(text) != nil }

        /// The eight groups; nil if it is no address.
        static func groups(_ text: some StringProtocol) -> [UInt16]? {
            let bytes = Array(text.utf8)
            guard let gap = bytes.indices.dropLast().first(where: { bytes[$0] == colon && bytes[$0 + 1] == colon }) else {
                return written(bytes[...]).flatMap { $0.count == 8 ? $0 : nil }
            }
            // A second `::`, or a third colon, leaves an empty group after the first.
            guard let before = written(bytes[..<gap]), let after = written(bytes[(gap + 2)...]), before.count + after.count < 8 else {
                return nil
            }
            return before + Array(repeating: 0, count: 8 - before.count - after.count) + after
        }

        /// Empty for an empty text; nil if a part between two colons is not one to four hexadecimal digits.
        private static func written(_ bytes: ArraySlice<UInt8>) -> [UInt16]? {
            guard !bytes.isEmpty else { return [] }
            let groups = bytes.split(separator: colon, omittingEmptySubsequences: false)
            guard groups.allSatisfy({ 1...4 ~= $0.count && $0.allSatisfy(\.isHexadecimalDigit) }) else { return nil }
            return groups.compactMap { UInt16(String(decoding: $0, as: UTF8.self), radix: 16) }
        }
    }
}

/// The host names and addresses of this machine, to which plain `http` is allowed.
package enum LoopbackHost {
    package static func contains(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || EndpointURL.IPv4.octets(host)?.first == 127
    }

    /// Names that distributions give it in `/etc/hosts`.
    private static let hostNames: Set<String> = [
        "ip6-localhost", "ip6-loopback", "localhost4", "localhost6", "localhost.localdomain", "localhost4.localdomain4",
        "localhost6.localdomain6",
    ]

    /// Every usual way to write this machine, also those that are not allowed with plain `http`: the unspecified address, which connects to it;
    /// IPv4 in IPv6; names below `localhost` (RFC 6761 section 6.3). A name of the domain name system may still lead here.
    package static func isMeant(by host: String) -> Bool {
        if contains(host) || host.ends(with: ".localhost") || hostNames.contains(host) { return true }
        if let octets = EndpointURL.IPv4.octets(host) { return octets.allSatisfy { $0 == 0 } }
        guard let groups = EndpointURL.IPv6.groups(host), groups[..<5].allSatisfy({ $0 == 0 }) else { return false }
        let last = UInt32(groups[6]) << 16 | UInt32(groups[7])
        return [0, 0xFFFF].contains(groups[5]) && (last >> 24 == 127 || last <= 1)
    }
}
