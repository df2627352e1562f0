import PosternValues

/// The client's initial response of a SASL exchange in which an access token replaces the password.
struct SASLResponse: Equatable {
    /// The response before Base64.
    let bytes: [UInt8]

    /// Google's and Microsoft's XOAUTH2.
    ///
    /// - Parameter user: the mailbox that the token belongs to.
    static func xoauth2(user: String, token: String) throws(CommandFailure) -> SASLResponse {
        try check(user, "the user name")
        return SASLResponse(bytes: Array("user=\(user)\u{1}auth=Bearer \(token)\u{1}\u{1}".utf8))
    }

    /// RFC 7628 section 3.1.
    ///
    /// - Parameters:
    ///   - host: the mail server's name; omitted if nil, as is the port.
    static func oauthbearer(user: String, host: String?, port: Int?, token: String) throws(CommandFailure) -> SASLResponse {
        try check(user, "the user name")
        // RFC 5801 section 4: a comma would end the name.
        let name = user.mapping { $0 == "," ? "=2C" : $0 == "=" ? "=3D" : String($0) }
        var text = "n,a=\(name),\u{1}"
        if let host {
            try check(host, "the host")
            text += "host=\(host)\u{1}"
        }
        if let port { text += "port=\(port)\u{1}" }
        return SASLResponse(bytes: Array((text + "auth=Bearer \(token)\u{1}\u{1}").utf8))
    }

    /// A 0x01 would begin the next field, and no field may contain control characters.
    private static func check(_ text: String, _ what: String) throws(CommandFailure) {
        guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw CommandFailure("\(what) is empty or has control characters", status: .wrongUsage)
        }
    }

    /// RFC 4648 section 4, on one line.
    var base64: String { Base64.encode(bytes) }
}
