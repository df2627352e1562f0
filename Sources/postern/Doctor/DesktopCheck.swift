/// Whether a page can be opened for the user.
enum DesktopCheck {
    static func findings(place: Place, opener: String?) -> [Finding] {
        var findings: [Finding] = []
        if place.remoteLogin != nil {
            findings.append(
                .warn("display", "this is a login over SSH: sign-in prints the address and the ssh -L line for your own machine"))
        } else if place.hasDisplay {
            findings.append(.ok("display", "there is one"))
        } else {
            findings.append(
                .warn("display", "neither WAYLAND_DISPLAY nor DISPLAY is set: sign-in prints the address, and you paste the redirect"))
        }
        if let opener {
            findings.append(.ok("browser", "\(opener), unless browser in the configuration names another program"))
        } else {
            findings.append(
                .warn("browser", "xdg-open is not there", fix: "install xdg-utils, or set browser under [sign-in] in config.toml"))
        }
        return findings
    }
}
