/// When a change takes effect that the daemon has read.
struct ChangeEffect {
    private var later: [String] = []
    private var ofNextStore = false
    private var ofUnits: [String] = []
    private var atOnce = false

    /// - Parameters:
    ///   - keys: the changed keys.
    ///   - unitsListen: whether systemd has the addresses that browsers return to.
    init(keys: Set<String>, unitsListen: () -> Bool) {
        let addresses = keys.filter { ["callback.port", "callback.addresses"].contains($0) }
        let areIgnored = !addresses.isEmpty && unitsListen()
        for key in keys.sorted() {
            if areIgnored, addresses.contains(key) {
                ofUnits.append(key)
            } else if key.begins(with: "callback.") || key == "accounts.authority" {
                later.append(key)
            } else if key.begins(with: "store.") {
                ofNextStore = true
            } else {
                atOnce = true
            }
        }
    }

    /// For the user.
    ///
    /// - Parameter restart: how the daemon is started again, asked only where that is needed.
    func lines(restart: () -> String) -> [String] {
        var lines: [String] = []
        if atOnce || (later.isEmpty && ofUnits.isEmpty && !ofNextStore) { lines.append("the change is in effect") }
        if !later.isEmpty {
            let subject = atOnce ? Self.list(later, "takes", "take") : "the change takes"
            lines.append("\(subject) effect after a restart: \(restart())")
        }
        if ofNextStore { lines.append("store.key takes effect when a store is created; one that is there keeps its key") }
        if !ofUnits.isEmpty {
            let subject = Self.list(ofUnits, "is", "are")
            lines.append("\(subject) ignored: systemd has the sockets, and their units say where to listen. To change that:")
            lines.append("  \(CallbackUnits.edit)")
            lines.append("    [Socket]")
            lines.append("    ListenStream=")
            lines.append("    ListenStream=127.0.0.1:PORT (in the other one [::1]:PORT)")
            lines += CallbackUnits.steps.map { "  \($0)" }
        }
        return lines
    }

    private static func list(_ keys: [String], _ one: String, _ many: String) -> String {
        "\(keys.joined(separator: " and ")) \(keys.count == 1 ? one : many)"
    }
}
