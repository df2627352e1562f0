/// Addresses that the terminal opens when clicked: OSC 8 (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
enum Hyperlink {
    /// Terminals known to support the sequence or to ignore it, by the beginnings of `TERM`. Others might print it: the Linux console,
    /// Emacs' `eterm`, old terminals.
    private static let terminals = [
        "xterm", "tmux", "screen", "alacritty", "foot", "contour", "wezterm", "ghostty", "kitty", "konsole", "gnome", "vte", "mintty",
        "iterm",
    ]
    /// VTE, which most GNOME terminals use, supports it since 0.50.
    private static let firstVTE = 5000
    /// In bytes; VTE accepts no longer address.
    static let limit = 2083

    static func isSupported(variable: (String) -> String?) -> Bool {
        let name = variable("TERM") ?? ""
        guard terminals.contains(where: { name == $0 || name.begins(with: $0 + "-") }) else { return false }
        return variable("VTE_VERSION").flatMap { Int($0) }.map { $0 >= firstVTE } ?? true
    }

    /// The address as a link to itself, so that the link cannot lead elsewhere than shown; nil if it is not the address of a page.
    static func text(_ address: String) -> String? {
        // An escape or control character would end the sequence, and the rest would act on the terminal.
        guard address.utf8.count <= limit, address.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        guard address.begins(with: "https://") || address.begins(with: "http://") else { return nil }
        return "\u{1B}]8;;\(address)\u{1B}\\\(address)\u{1B}]8;;\u{1B}\\"
    }
}
