import PosternClient

/// Whether the client works.
extension SetupDialogue {
    /// What has to be asked for again, because the provider refused it.
    enum Failed {
        case client, issuer
    }

    struct Examined {
        var provider: Provider
        var findings: [Finding]

        var failure: Finding? { findings.first { $0.level == .fail } }
    }

    /// Asks the provider, as `postern provider check` does.
    func examine(_ target: SetupTarget) throws -> Examined {
        guard let provider = try call(Interface.ListProviders()).providers.first(where: { $0.providerID == target.id }) else {
            throw CommandFailure(
                "the daemon does not know \(target.id): it reads another configuration".plain, advice: "give that file with --config")
        }
        // A client for codes alone shows whether it is good when somebody signs in.
        guard provider.configured, provider.flows.contains(.browser) else { return Examined(provider: provider, findings: []) }
        return Examined(
            provider: provider, findings: try call(Interface.CheckProvider(providerID: target.id)).findings.map(Finding.init))
    }

    /// What the user can be asked for again; nil if they cannot be asked, or if that would not help.
    func failed(_ examined: Examined) throws -> Failed? {
        guard prompt != nil, let failure = examined.failure else { return nil }
        if failure.title == "client" { return .client }
        let target = SetupTarget(id: examined.provider.providerID, provider: examined.provider)
        let hasIssuer = try ClientDraft(of: target, in: file.text(environment)).has("issuer")
        return failure.title == "endpoints" && hasIssuer ? .issuer : nil
    }

    /// What to begin with at a provider that is set up, after saying so.
    func whatFailed(at target: SetupTarget) throws -> Failed? {
        guard prompt != nil, let examined = try? examine(target) else { return nil }
        // Of a client for codes nothing else shows whether it is good.
        let refusal = examined.findings.isEmpty ? examined.provider.lastRefusal : nil
        let isRefused = refusal?.isOfClient == true
        guard try isRefused || failed(examined) != nil else { return nil }
        say("\(target.displayName) is set up already, and does not work:")
        guard isRefused, let refusal else { return try report(examined) }
        say(refusal.message.plain)
        return .client
    }

    /// Says how it went.
    ///
    /// - Returns: what to ask for again.
    /// - Throws: if nobody can sign in, and asking again would not help.
    func report(_ examined: Examined) throws -> Failed? {
        let provider = examined.provider
        guard provider.configured else {
            throw CommandFailure(
                (provider.problem ?? "its client ID or secret is missing").plain, advice: "postern setup \(provider.providerID)".plain)
        }
        guard provider.flows.contains(.browser) else {
            say("\(provider.displayName) is set up, for sign-ins by code.".plain)
            return nil
        }
        let failed = try failed(examined)
        let terminal = account.terminal
        for var finding in examined.findings where finding.level == .fail || (finding.title == "client" && finding.level == .warn) {
            if failed != nil { finding.fix = nil }
            for line in finding.lines(terminal: terminal, width: terminal.width) { StandardError.write(line: line) }
        }
        guard let failure = examined.failure else {
            if examined.findings.contains(where: { $0.title == "client" && $0.level == .ok }) {
                say("\(provider.displayName) accepted the client ID and secret.".plain)
            }
            return nil
        }
        let sentence =
            failure.title == "client"
            ? "\(provider.displayName) refused the client ID or the secret" : "nobody can sign in with \(provider.displayName) yet"
        guard failed == nil else {
            say(sentence.plain)
            return failed
        }
        throw CommandFailure(
            sentence.plain, advice: "the files stay; postern setup \(provider.providerID) asks again, and changes them".plain)
    }
}
