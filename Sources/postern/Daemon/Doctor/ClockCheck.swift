/// ID tokens contain times, and a clock that is wrong by more than a minute makes them too old or too new.
enum ClockCheck {
    static let title = "clock"
    /// 2026-11-01: before that, this release did not exist.
    static let earliest: Int64 = 1_793_491_200

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - isSynchronised: according to systemd-timesyncd; nil if it does not run.
    static func findings(now: Int64, isSynchronised: Bool?, remedies: Remedies) -> [Finding] {
        if now < earliest {
            return [
                .fail(
                    title, "it is set to before this release was made: certificates and ID tokens cannot be checked",
                    fix: remedies.setClock)
            ]
        }
        if isSynchronised == false {
            return [.warn(title, "it is not synchronized by the network yet", fix: remedies.setClock)]
        }
        return [.ok(title, "plausible")]
    }
}
