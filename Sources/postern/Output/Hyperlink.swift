/// Addresses that a terminal opens on a click: OSC 8 (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
enum Hyperlink {
    /// What is known to make a link of the sequence or to pass it over, by the beginnings of `TERM`. Others might show it: the Linux
    /// console, Emacs' `eterm`, the terminals of old.
    private static let terminals = [
        "xterm", "tmux", "screen", "alacritty", "foot", "contour", "wezterm", "ghostty", "kitty", "konsole", "gnome", "vte", "mintty",
        "iterm",
    ]
    /// VTE, and with it most terminals of GNOME, has it since 0.50.
    private static let firstVTE = 5000
    /// Bytes of an address; VTE takes no longer ones.
    static let limit = 2083

    static func isSupported(environment: [String: String]) -> Bool {
        let name = environment["TERM"] ?? ""
        guard terminals.contains(where: { name == $0 || name.hasPrefix($0 + "-") }) else { return false }
        return environment["VTE_VERSION"].flatMap { Int($0) }.map { $0 >= firstVTE } ?? true
    }

    /// The address as a link to itself, so that nobody is led elsewhere than they read; nil for what is not an address of a page.
    static func text(_ address: String) -> String? {
        // An escape or a control would end the sequence, and what follows it would act on the terminal.
        guard address.utf8.count <= limit, address.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return nil }
        return "\u{1B}]8;;\(address)\u{1B}\\\(address)\u{1B}]8;;\u{1B}\\"
    }
}
