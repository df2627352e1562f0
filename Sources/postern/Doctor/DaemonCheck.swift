import PosternClient

/// What the daemon says of itself.
enum DaemonCheck {
    static let title = "daemon"

    /// - Parameter hasConfiguration: false of a daemon that was started with one that it refuses: it opens no store and listens for nothing
    ///   until that is fixed, so neither is to be fixed by itself.
    static func findings(
        status: Interface.GetStatus.Reply, ownVersion: String, installed: InstalledDaemon? = nil, times: TimeText = .exact,
        hasConfiguration: Bool = true, remedies: Remedies
    ) -> [Finding] {
        var findings: [Finding] = []
        if status.version == ownVersion {
            findings.append(.ok("daemon", "version \(status.version), running since \(times.date(status.startedAt))"))
        } else {
            findings.append(
                .warn(
                    "daemon", "it is version \(status.version), and this command \(ownVersion)",
                    fix: remedies.restart))
        }
        if let warning = installed?.warning(startedAt: status.startedAt, times: times) {
            findings.append(
                .warn(
                    "daemon", "\(warning); it exits by itself when it is idle",
                    fix: remedies.restart))
        }
        let problems = status.problems ?? []
        if !hasConfiguration {
            // What is wrong with it is among the problems.
        } else if let reason = status.storeProblem {
            // Unlocking would not help.
            findings.append(.fail("store", "it cannot be opened: \(reason)", fix: "postern reload, once that is fixed"))
        } else if status.locked {
            findings.append(.fail("store", "it is locked: no user or credential can be read", fix: "postern unlock"))
        } else {
            findings.append(.ok("store", "open; users: \(status.users ?? 0), credentials: \(status.credentials ?? 0)"))
        }
        for problem in problems { findings.append(.fail("daemon", problem, fix: fix(of: problem))) }
        if hasConfiguration, status.callbackURLs.isEmpty, problems.isEmpty, status.storeProblem == nil {
            findings.append(
                .fail(
                    "callback", "the daemon does not listen for redirects",
                    fix: "give [callback] an address and a port in config.toml, then: postern reload"))
        }
        return findings
    }

    /// Of an address that another process has: which process, as far as the kernel tells.
    private static func fix(of problem: String) -> String {
        guard problem.contains(" is in use by "), let authority = problem.split(separator: " ").first,
            let address = WebAddress("http://\(authority)/")
        else { return "postern reload, once that is fixed" }
        return CallbackCheck.fix(taken: address)
    }

    static func findings(providers: [Provider]) -> [Finding] {
        guard providers.contains(where: \.configured) else {
            return [
                .warn(
                    "providers", "none is ready to sign in with",
                    fix: "postern setup leads through it; postern provider show github.com says what to register there")
            ]
        }
        let ready = providers.filter(\.configured).map(\.providerID).joined(separator: ", ")
        return [.ok("providers", "ready: \(ready)")]
    }
}
