import PosternClient

/// The daemon's report on itself.
enum DaemonCheck {
    static let title = "daemon"

    /// - Parameter hasConfiguration: false if the daemon was started with a configuration that it refuses: it opens no store and no
    ///   listener until that is fixed, so neither needs its own fix.
    /// - Parameter providers: an address that another user has is a failure only if one of these needs it.
    /// - Parameter isForeign: whether another user's program has the address.
    static func findings(
        status: Interface.GetStatus.Reply, ownVersion: String, times: TimeText = .exact,
        hasConfiguration: Bool = true, providers: [Provider] = [], remedies: Remedies,
        isForeign: (WebAddress) -> Bool = CallbackCheck.isForeign
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
        if status.replaced == true {
            findings.append(.warn("daemon", "\(OlderDaemon.sentence); \(OlderDaemon.whatFollows)", fix: remedies.restart))
        }
        let problems = status.problems ?? []
        if !hasConfiguration {
            // The reason is among the problems.
        } else if let reason = status.storeProblem {
            // Unlocking would not help.
            findings.append(.fail("store", "it cannot be opened: \(reason)", fix: "postern reload, once that is fixed"))
        } else if status.locked {
            findings.append(.fail("store", "it is locked: no user or credential can be read", fix: "postern unlock"))
        } else {
            findings.append(.ok("store", "open; users: \(status.users ?? 0), credentials: \(status.credentials ?? 0)"))
        }
        for problem in problems {
            guard let address = takenAddress(problem) else {
                findings.append(.fail(title, problem, fix: fix(of: problem)))
                continue
            }
            let isNeeded = status.callbackURLs.isEmpty || providers.contains { $0.problem?.holds(address.authority) == true }
            let level = isNeeded || !isForeign(address) ? Finding.Level.fail : .warn
            findings.append(Finding(level: level, title: title, detail: problem, fix: CallbackCheck.fix(taken: address, remedies)))
        }
        if hasConfiguration, status.callbackURLs.isEmpty, problems.isEmpty, status.storeProblem == nil {
            findings.append(
                .fail(
                    "callback", "the daemon does not listen for redirects",
                    fix: "give [callback] an address and a port in config.toml, then: postern reload"))
        }
        return findings
    }

    private static func fix(of problem: String) -> String {
        if problem.holds(" could not be saved yet;") { return "make room on the disk of the state directory; it is tried again soon" }
        return "postern reload, once that is fixed"
    }

    /// The address that another process has, if that is the problem.
    private static func takenAddress(_ problem: String) -> WebAddress? {
        guard problem.holds(" is in use by "), let authority = problem.parts(separator: " ").first else { return nil }
        return WebAddress("http://\(authority)/")
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
