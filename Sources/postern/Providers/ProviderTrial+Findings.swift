import PosternClient

extension ProviderTrial {
    /// What was checked, and what was not.
    func findings(for provider: Provider) -> [Finding] {
        let origin = WebAddress(page)?.origin ?? "an address that is not shown"
        var findings: [Finding] = [
            .ok("configuration", "complete"),
            .ok("endpoints", "known, and discovered where the configuration does not name them; the page is at \(origin)"),
        ]
        // A provider of OAuth 1.0a gives a request token for the page, which it does only where all of this is right.
        if provider.kind == .oauth1 {
            return findings + [.ok("client", "the provider takes the key, the secret and the callback URL: it gave a request token")]
        }
        findings.append(clientFinding(providerID: provider.providerID))
        if provider.kind == .oidc {
            findings.append(.warn("keys", "not checked: they are read when somebody has signed in"))
        }
        let redirectURI = provider.redirectURI.map { " \($0)" } ?? ""
        findings.append(.warn("callback URL", "not checked: whether\(redirectURI) is registered shows on the provider's page"))
        return findings
    }

    private func clientFinding(providerID: String) -> Finding {
        switch client {
        case .taken(let error):
            .ok("client", "the provider takes the client ID, and the secret where there is one: of a made-up code it says \(error)")
        case .refused(let reason):
            .fail("client", reason, mend: "compare client-id and client-secret with what the provider shows, then: postern reload")
        case .notTried(let reason):
            .warn("client", "not checked whether the provider takes the client ID and secret: \(reason)")
        }
    }
}
