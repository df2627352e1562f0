/// A URL that another program names whole: a first look at it, before the daemon is asked whose it is.
///
/// The daemon alone decides what a URL matches. This keeps from it what no honest program writes, and what two readers read in two ways.
extension HelperURL {
    /// In bytes; the daemon takes no longer one.
    static let longest = 8192

    /// `https` or `http`, printable ASCII, nobody's name before the host. Other hosts come as punycode.
    static func isAcceptable(_ text: String) -> Bool {
        guard text.utf8.count <= longest, isPrintable(text), let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) })
        else { return false }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // A backslash is a slash to browsers, and part of the host to others.
        return isHost(String(authority)) && !text.contains("\\")
    }

    /// Neither a control nor a blank nor anything outside ASCII.
    static func isPrintable(_ text: String) -> Bool { text.utf8.allSatisfy { 0x21...0x7E ~= $0 } }
}
