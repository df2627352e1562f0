import PosternValues

/// Text of a message as the value of a header field (`Mcp-Name`, `Mcp-Param-*`).
public enum HeaderText {
    /// As it is, if it is printable ASCII without a blank at an end and does not look encoded; else in Base64, marked as such.
    public static func encoded(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && text.utf8.first != 0x20 && text.utf8.last != 0x20
        if isPlain, !(text.begins(with: prefix) && text.ends(with: suffix)) { return text }
        return prefix + Base64.encode(Array(text.utf8)) + suffix
    }

    private static let prefix = "=?base64?"
    private static let suffix = "?="
}
