/// What a desktop gives with the press of a button: whoever shows it may come to the front (XDG_ACTIVATION_TOKEN; on X11 the startup
/// notification's ID).
///
/// It becomes a variable in another program's environment, so it is letters, digits and signs, and not many.
public struct ActivationToken: Sendable, Hashable {
    /// In bytes. Desktops make some dozens of it.
    private static let longest = 256

    public let text: String

    /// - Returns: nil for what no desktop would give.
    public init?(_ text: String) {
        guard 1...Self.longest ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        self.text = text
    }
}
