import PosternCore

/// The names that a provider may have. They are part of URLs, file names and messages.
public enum ProviderNaming {
    /// - Returns: why the name is not allowed; nil if it is.
    public static func mistake(in name: String) -> String? {
        if Provider.isReserved(id: name) {
            return "the name \(name) is reserved: in replies it means something other than a provider; choose another name"
        }
        if isFit(name) { return nil }
        return "a provider's name consists of a to z, 0 to 9, full stop, - and _, at most 64 of them, and may not begin with a full stop"
    }

    /// - Returns: why no account may have the name, whatever else there is; nil if one may.
    public static func mistake(inAccount name: String) -> String? {
        if Provider.isReserved(id: name) { return "the name \(name) is reserved; choose another one" }
        if isFit(name) { return nil }
        return "an account's name consists of a to z, 0 to 9, full stop, - and _, at most 64 of them, and may not begin with a full stop"
    }

    static func isFit(_ name: String) -> Bool {
        1...64 ~= name.utf8.count && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: ".-_".utf8.contains(byte)
                }
            }
    }
}
