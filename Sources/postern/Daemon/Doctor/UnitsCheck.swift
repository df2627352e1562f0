import PosternClient

/// Whether systemd starts the daemon when needed, and the right one for this command.
enum UnitsCheck {
    static let title = "units"
    static let socket = "postern.socket"
    static let service = "postern.service"
    static let callback = "postern-callback.socket"
    /// For MCP clients that speak HTTP over a Unix socket: not everybody has one, and an older package does not bring it.
    static let bridge = "postern-mcp.socket"
    static let bridgeService = "postern-mcp.service"
    static let units = [socket, callback, service, bridge, bridgeService]
    static let properties = "Id,LoadState,ActiveState,UnitFileState,FragmentPath,ExecStart,Listen"

    /// The properties of a unit from `systemctl show`.
    struct Unit: Equatable {
        var id = ""
        var load = ""
        var active = ""
        var file = ""
        var fragment = ""
        /// The program that the service starts.
        var program: String?
        /// The ports of the socket.
        var ports: [Int] = []
    }

    /// - Parameters:
    ///   - answer: what `systemctl --user show` printed for the units; nil if it could not be reached.
    ///   - hasSystemd: false where systemd does not run, so that there are no units to be judged.
    ///   - own: the program of each service that was installed with this command.
    ///   - daemonAnswers: then it reports its addresses itself, including one whose socket unit has failed, once that address is free.
    ///   - isThere: whether there is a file at the path.
    static func findings(
        answer: String?, hasSystemd: Bool, own: [String: String], daemonAnswers: Bool, isThere: (String) -> Bool
    ) -> [Finding] {
        let units = answer.map(read) ?? []
        guard !units.isEmpty else {
            guard hasSystemd else { return [] }
            return [.warn(title, "this user's systemd does not answer; start the daemon in the background: \(DaemonStart.inBackground)")]
        }
        var findings: [Finding] = []
        for var unit in units {
            if daemonAnswers, unit.id == callback, unit.active == "failed" { unit.active = "inactive" }
            findings += Self.findings(unit, own: own[unit.id], isThere: isThere)
        }
        if findings.allSatisfy({ $0.level == .ok }) { return [.ok(title, "\(socket) starts the daemon when it is needed")] }
        return findings
    }

    private static func findings(_ unit: Unit, own: String?, isThere: (String) -> Bool) -> [Finding] {
        switch unit.load {
        case "masked":
            return [.fail(title, "\(unit.id) is masked, so systemd does not start it", fix: "systemctl --user unmask \(unit.id)")]
        case "not-found" where unit.active == "active":
            return [
                .warn(
                    title, "\(unit.id) runs, but its file was removed in the meantime", fix: "systemctl --user stop \(unit.id)")
            ]
        case "not-found" where unit.id == bridge || unit.id == bridgeService: return []
        case "not-found":
            return [
                .warn(
                    title, "\(unit.id) is not installed",
                    fix: "install the package, or run packaging/install.sh; then: systemctl --user daemon-reload")
            ]
        case "loaded": break
        default:
            return [.fail(title, "systemd cannot use \(unit.id) (\(unit.load))".plain, fix: "systemctl --user status \(unit.id) says why")]
        }
        var findings: [Finding] = []
        if unit.id == socket, !["enabled", "enabled-runtime", "static", "alias", "linked", "linked-runtime"].contains(unit.file) {
            findings.append(.warn(title, "\(unit.id) is \(unit.file)".plain, fix: "systemctl --user enable --now \(unit.id)"))
        }
        if unit.active == "failed" {
            findings.append(
                .fail(
                    title, "\(unit.id) has failed",
                    fix: "systemctl --user status \(unit.id) says why; then: systemctl --user restart \(unit.id)"))
        }
        let packaged = "/usr/lib/systemd/user/\(unit.id)"
        if !unit.fragment.isEmpty, unit.fragment != packaged, !unit.fragment.begins(with: "/lib/systemd/"), isThere(packaged) {
            findings.append(
                .warn(
                    title, "\(unit.fragment) is used in place of the package's \(packaged)".plain,
                    fix:
                        "if you installed it by hand before: packaging/install.sh --uninstall, or remove it; then: systemctl --user daemon-reload"
                ))
        }
        if let program = unit.program {
            if !isThere(program) {
                findings.append(
                    .fail(
                        title, "\(unit.id) starts \(program), which is not there".plain,
                        fix: "install the package again, or run packaging/install.sh; then: systemctl --user daemon-reload"))
            } else if let own, own != program {
                findings.append(
                    .warn(
                        title, "\(unit.id) starts \(program), and this command belongs to \(own)".plain,
                        fix: "remove one of the two installations"))
            }
        }
        return findings
    }

    /// Blocks of `Key=value`, with an empty line between two units.
    static func read(_ answer: String) -> [Unit] {
        var units: [Unit] = []
        for block in answer.parts(separator: "\n", omittingEmptySubsequences: false).split(separator: "") {
            var unit = Unit()
            for line in block {
                let parts = line.parts(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2 else { continue }
                switch parts[0] {
                case "Id": unit.id = parts[1]
                case "LoadState": unit.load = parts[1]
                case "ActiveState": unit.active = parts[1]
                case "UnitFileState": unit.file = parts[1]
                case "FragmentPath": unit.fragment = parts[1]
                // { path=/usr/bin/posternd ; argv[]=… }
                case "ExecStart":
                    unit.program = parts[1].parts(separator: " ").lazy.compactMap { $0.rest(after: "path=") }.first.map(String.init)
                // [::1]:7678 (Stream), a line for each; a path has no port.
                case "Listen":
                    let address = parts[1].before { $0 == " " }
                    if let port = address.parts(separator: ":").last.flatMap({ Int($0) }) { unit.ports.append(port) }
                default: break
                }
            }
            if !unit.id.isEmpty { units.append(unit) }
        }
        return units
    }
}
