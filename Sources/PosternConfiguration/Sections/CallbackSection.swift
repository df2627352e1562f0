extension Configuration {
    /// `[callback]`: where the browser returns to.
    public struct Callback: Sendable, Hashable {
        /// IP literals, each a loopback address.
        public var addresses = ["127.0.0.1"]
        /// 0: the kernel chooses one.
        public var port = 7678
        /// Only sockets of this user or of root are answered.
        public var sameUser = true
        /// PEM files for https; both or neither.
        public var certificate: String?
        public var key: String?

        public init() {}
    }
}

extension Configuration.Callback {
    static let keys = ["addresses", "port", "same-user", "certificate", "key"]

    init(_ table: SettingTable, paths: PathRules) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        addresses = try Self.addresses(table) ?? addresses
        port = try table.integer("port", in: 0...65_535) ?? port
        sameUser = try table.boolean("same-user") ?? sameUser
        certificate = try paths.path("certificate", in: table)
        key = try paths.path("key", in: table)
        if certificate != nil, key == nil { throw table.error("certificate", "needs key beside it, the file of its private key") }
        if key != nil, certificate == nil { throw table.error("key", "needs certificate beside it, the file of its certificate") }
    }

    private static func addresses(_ table: SettingTable) throws(ConfigurationError) -> [String]? {
        guard let texts = try table.strings("addresses") else { return nil }
        guard !texts.isEmpty else { throw table.error("addresses", "must name at least one address") }
        var addresses: [String] = []
        for text in texts {
            guard let address = LoopbackAddress(text) else {
                throw table.error("addresses", "must be loopback addresses, such as \"127.0.0.1\" and \"::1\"; \"\(text)\" is none")
            }
            guard !addresses.contains(address.text) else { throw table.error("addresses", "has \(address.text) twice") }
            addresses.append(address.text)
        }
        return addresses
    }
}

/// An address that never leaves the machine.
struct LoopbackAddress: Hashable {
    /// In its canonical spelling.
    let text: String

    /// Nil for all but 127.0.0.0/8 and ::1. A name is not an address: another file decides what `localhost` resolves to.
    init?(_ text: String) {
        if Self.isIPv4Loopback(text) {
            self.text = text
        } else if ["::1", "0:0:0:0:0:0:0:1"].contains(text) {
            self.text = "::1"
        } else {
            return nil
        }
    }

    /// Four decimal numbers without leading zeros, which some programs would read as octal; the first is 127.
    static func isIPv4Loopback(_ text: String) -> Bool {
        let parts = text.parts(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "127" else { return false }
        return parts.allSatisfy { part in
            1...3 ~= part.utf8.count && part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                && (part == "0" || !part.begins(with: "0")) && UInt8(part) != nil
        }
    }
}
