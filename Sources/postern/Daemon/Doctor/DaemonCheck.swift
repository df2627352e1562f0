import PosternClient

import struct PosternCore.OAuthRefusal

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
                findings.append(.fail(title, problem, fix: remedies.fix(of: problem)))
                continue
            }
            let isNeeded = status.callbackURLs.isEmpty || providers.contains { $0.problem?.holds(address.authority) == true }
            let level = isNeeded || !isForeign(address) ? Finding.Level.fail : .warn
            findings.append(Finding(level: level, title: title, detail: problem, fix: CallbackCheck.fix(taken: address, remedies)))
        }
        if hasConfiguration, status.callbackURLs.isEmpty, problems.isEmpty, status.storeProblem == nil {
            findings.append(
                .fail(
                    "callback", "the daemon does not listen for browsers",
                    fix: "give [callback] an address and a port in config.toml, then: postern reload"))
        }
        return findings
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

    /// What providers refused last, and the accounts that must sign in again because of a refusal.
    static func findings(refusalsOf providers: [Provider], credentials: [StoredCredential], times: TimeText) -> [Finding] {
        let ended = credentials.filter { $0.state == .signInNeeded }
        let accounts = ended.map { credential in
            Finding.warn(
                "providers",
                "\(credential.calling) at \(credential.providerID) has to sign in again"
                    + (credential.reason.map { ": \($0)" } ?? ""),
                fix: CredentialText.signIn(to: credential, among: credentials))
        }
        let short = credentials.compactMap { credential -> Finding? in
            guard credential.isKeptByPerson, let end = credential.endOfUse else { return nil }
            let advice = credential.renewalAdvice.map { "; no refresh token: \($0)" } ?? ""
            return .ok(
                "providers", "\(credential.calling) at \(credential.providerID): until \(CredentialText.thenAgain(end, times))\(advice)")
        }
        return accounts + short
            + providers.compactMap { provider in
                guard let refusal = provider.lastRefusal else { return nil }
                // Of a credential, which is among the accounts.
                if refusal.error == "invalid_grant", ended.contains(where: { $0.providerID == provider.providerID }) { return nil }
                let code = refusal.error.map { refusal.message.holds($0) ? "" : " (\($0))" } ?? ""
                return .warn(
                    "providers", "\(provider.providerID) refused a request on \(times.date(refusal.refusedAt)): \(refusal.message)\(code)",
                    fix: fix(of: refusal, at: ShellWord.quoted(provider.providerID)))
            }
    }

    private static func fix(of refusal: ProviderRefusal, at providerID: String) -> String {
        switch refusal.error {
        case _ where refusal.isOfClient:
            "compare client-id and client-secret with what the provider shows; postern setup \(providerID) asks for them again"
        case "invalid_grant", "bad_verification_code", "expired_token", "bad_refresh_token": "sign in again: postern sign-in \(providerID)"
        case "invalid_scope":
            "check the scopes that the program asks for, and change those of the configuration: "
                + "postern config set provider.\(providerID).scopes '[\"SCOPE\"]'"
        case "redirect_uri_mismatch": "postern provider show \(providerID) says what to register there"
        case "temporarily_unavailable", "server_error": "try again later; postern provider check \(providerID) says whether it answers"
        default: "postern provider check \(providerID) says more"
        }
    }
}

extension ProviderRefusal {
    var isOfClient: Bool { error.map(OAuthRefusal.clientErrors.contains) ?? false }
}
