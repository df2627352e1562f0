import PosternConfiguration

/// Whether a page can be opened for the user.
enum DesktopCheck {
    /// - Parameters:
    ///   - browser: from the configuration.
    ///   - find: looks up a program as the daemon would; nil if there is none.
    static func findings(place: TerminalLocation, browser: Configuration.Browser, find: (String) -> String?) -> [Finding] {
        var findings: [Finding] = []
        if place.remoteLogin != nil {
            findings.append(
                .warn("display", "this is a login over SSH: sign-in prints the address and the ssh -L line for your own machine"))
        } else if place.hasDisplay {
            findings.append(.ok("display", "there is one"))
        } else {
            findings.append(
                .warn(
                    "display",
                    "neither WAYLAND_DISPLAY nor DISPLAY is set: sign-in prints the page's address, and you paste that of the last page"))
        }
        return findings + finding(browser, find)
    }

    private static func finding(_ browser: Configuration.Browser, _ find: (String) -> String?) -> [Finding] {
        switch browser {
        case .none: return [.ok("browser", "none is opened, as the configuration says; postern sign-in shows the address")]
        case .portal: return [.ok("browser", "the desktop portal opens it, as the configuration says")]
        case .command(let words):
            let name = words.first ?? ""
            if let program = find(name) { return [.ok("browser", program)] }
            // A missing program that the configuration names is a mistake in the configuration, and reported there.
            guard name == "xdg-open" else { return [] }
            return [.warn("browser", "xdg-open is not there", fix: "install xdg-utils, or: postern config set sign-in.browser PROGRAM")]
        }
    }
}
