/// Whether systemd starts the daemon when it is needed.
enum UnitsCheck {
    static let title = "units"
    static let units = ["postern.socket", "postern-callback.socket"]

    /// - Parameter answer: what `systemctl --user is-enabled` printed for the units, a word a line; nil where it could not be asked.
    static func findings(answer: String?) -> [Finding] {
        guard let answer, !answer.isEmpty else {
            return [.warn(title, "the systemd of this user does not answer; posternd has to be started by hand")]
        }
        let words = answer.split(separator: "\n").map(String.init)
        return zip(units, words + Array(repeating: "unknown", count: units.count)).map { unit, word in
            switch word {
            case "enabled", "enabled-runtime", "static", "alias", "linked", "linked-runtime": .ok(title, "\(unit) is \(word)")
            // The service brings it along when it first starts; packages enable it for nobody, so that it takes no port before.
            case "disabled" where unit == units[1]: .ok(title, "\(unit) comes with the daemon")
            case "not-found":
                .warn(
                    title, "\(unit) is not installed",
                    mend: "install the package, or run packaging/install.sh, which installs and enables the units")
            default: .warn(title, "\(unit) is \(word)".plain, mend: "systemctl --user enable --now \(unit)")
            }
        }
    }
}
