import PosternValues

/// The fields of a message that are about one connection, so they are never passed on (RFC 9110 section 7.6.1).
public enum HopByHopFields {
    /// In lower case.
    private static let names: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info", "te", "trailer",
        "transfer-encoding", "upgrade", "http2-settings",
    ]

    /// The other fields: neither these nor what `Connection` names.
    public static func drop(from fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        let named = fields.filter { $0.name.isEqualIgnoringCase("connection") }.flatMap { items(of: $0.value) }
        return fields.filter { field in
            let name = field.name.lowercased()
            return !names.contains(name) && !named.contains(name)
        }
    }

    /// Of a list with commas, in lower case.
    static func items(of list: String) -> [String] {
        list.lowercased().parts { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    }
}
