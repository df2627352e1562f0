/// The names that the configuration permits for a provider. A copy of the daemon's rule: this program does not have its modules.
enum ProviderIdentifier {
    static let rule =
        "a provider's name consists of a to z, 0 to 9, full stop, - and _, at most 64 of them, and may not begin with a full stop"

    /// In replies they denote something that is not a provider.
    private static let reserved: Set = ["password", "anonymous", "phone", "custom", "firebase"]

    static func isFit(_ name: String) -> Bool {
        1...64 ~= name.utf8.count && name.utf8.first != UInt8(ascii: ".") && !reserved.contains(name)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: ".-_".utf8.contains(byte)
                }
            }
    }
}
