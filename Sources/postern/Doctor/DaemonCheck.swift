import PosternClient

/// What the daemon says of itself.
enum DaemonCheck {
    static func findings(status: Interface.GetStatus.Reply, ownVersion: String, installed: InstalledDaemon? = nil) -> [Finding] {
        var findings: [Finding] = []
        if status.version == ownVersion {
            findings.append(.ok("daemon", "version \(status.version), running since \(status.startedAt)"))
        } else {
            findings.append(
                .warn(
                    "daemon", "it is version \(status.version), and this command \(ownVersion)",
                    mend: "systemctl --user restart postern.service"))
        }
        if let warning = installed?.warning(startedAt: status.startedAt) {
            findings.append(
                .warn(
                    "daemon", "\(warning); it ends by itself when it is idle",
                    mend: "systemctl --user restart postern.service"))
        }
        if status.locked {
            findings.append(
                .fail(
                    "store", "it is locked: no user or credential can be read",
                    mend: "postern unlock; where a key is missing it says which, as the log does: journalctl --user -u postern.service"))
        } else {
            findings.append(.ok("store", "open; users: \(status.users ?? 0), credentials: \(status.credentials ?? 0)"))
        }
        if status.callbackURLs.isEmpty {
            findings.append(
                .fail(
                    "callback", "the daemon listens nowhere for redirects",
                    mend: "give [callback] an address and a port in config.toml, then: postern reload"))
        }
        return findings
    }

    static func findings(providers: [Provider]) -> [Finding] {
        guard providers.contains(where: \.configured) else {
            return [
                .warn(
                    "providers", "none is ready to sign in with",
                    mend: "postern provider show github.com says what to register, and where the ID and the secret go")
            ]
        }
        let ready = providers.filter(\.configured).map(\.providerID).joined(separator: ", ")
        return [.ok("providers", "ready: \(ready)")]
    }
}
