/// What a desktop provides when a button is pressed: a program that presents it may come to the front (XDG_ACTIVATION_TOKEN; on X11 the
/// startup notification's ID).
///
/// It becomes a variable in another program's environment, so it consists of a limited number of letters, digits and signs.
public struct ActivationToken: Sendable, Hashable {
    /// In bytes. Desktops use some dozens.
    private static let longest = 256

    public let text: String

    /// - Returns: nil for a text that no desktop would provide.
    public init?(_ text: String) {
        guard 1...Self.longest ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        self.text = text
    }
}
