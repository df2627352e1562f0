/// Whether an AppArmor profile of the daemon, if there is one, can be used.
enum ProfileCheck {
    static let path = "/etc/apparmor.d/usr.bin.posternd"

    /// - Parameters:
    ///   - status: the exit status of `apparmor_parser`; nil if it was not run.
    ///   - output: what it printed.
    static func findings(status: Int32?, output: String?) -> [Finding] {
        guard let status, status != 0 else { return [] }
        let said = output?.parts(separator: "\n").first.map(String.init) ?? "apparmor_parser ended with \(status)"
        return [.warn("AppArmor", "the profile \(path) cannot be loaded: \(said)".plain, fix: "reinstall the package, or remove that file")]
    }
}
