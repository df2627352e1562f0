/// A complete URL from another program: a first check, before the daemon is called.
///
/// The daemon alone decides what a URL matches. This check keeps out what no well-behaved program writes, and what can be read in two ways.
extension HelperURL {
    /// In bytes; the daemon's limit.
    static let longest = 8192

    /// `https` or `http`, printable ASCII, no user name before the host. International host names are in punycode.
    static func isAcceptable(_ text: String) -> Bool {
        guard text.utf8.count <= longest, isPrintable(text), let rest = text.rest(after: "https://") ?? text.rest(after: "http://")
        else { return false }
        let authority = rest.before { $0 == "/" || $0 == "?" || $0 == "#" }
        // A backslash is a slash to browsers, but part of the host to others.
        return isHost(String(authority)) && !text.unicodeScalars.contains("\\")
    }

    /// No control characters, no blanks and nothing outside ASCII.
    static func isPrintable(_ text: String) -> Bool { text.utf8.allSatisfy { 0x21...0x7E ~= $0 } }
}
