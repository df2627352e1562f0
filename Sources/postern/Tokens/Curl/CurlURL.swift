import PosternValues

/// A URL that curl and the daemon interpret alike.
///
/// curl guesses schemes, expands brackets, and accepts backslashes and user names; whatever could be read in two ways is refused before the
/// daemon is called.
struct CurlURL: Equatable {
    private(set) var text: String

    init(_ text: String) throws(CommandFailure) {
        guard let address = WebAddress(text), let rest = text.rest(after: "\(address.scheme)://"),
            let authority = URIParts(text).authority
        else {
            // A name alone is what `postern token` takes.
            let hint = text.unicodeScalars.contains("/") ? "" : "; an account is given with --account"
            throw CurlCommandLine.refusal("\(text.plain) is not a URL for a token: use https:// and no user name\(hint)")
        }
        let isIPv6 = authority.begins(with: "[")
        let target = rest[authority.endIndex...]
        guard authority.utf8.allSatisfy({ Self.isPlain($0) || isIPv6 && ($0 == 0x5B || $0 == 0x5D) }), target.utf8.allSatisfy(Self.isPlain)
        else {
            throw CurlCommandLine.refusal(
                "\(text.plain) has characters that must be encoded in a URL, or that curl expands: encode them, and leave out a fragment"
            )
        }
        self.text = text
    }

    var isEncrypted: Bool { text.begins(with: "https:") }

    var endsInSlash: Bool {
        let path = URIParts(text).path
        return path.isEmpty || path.ends(with: "/")
    }

    /// As curl does with `--get`.
    mutating func add(query: String) {
        text += (text.unicodeScalars.contains("?") ? "&" : "?") + query
    }

    /// Visible ASCII, except what RFC 3986 forbids in a URL or allows only between brackets, and without a fragment.
    static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !Array("\"#<>[\\]^`{|}".utf8).contains(byte)
    }
}
