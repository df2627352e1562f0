import PosternClient

/// Whether the client works.
extension SetupDialogue {
    /// Checks the client with the provider, as `postern provider check` does.
    func check(_ target: SetupTarget) throws {
        guard let provider = try call(Interface.ListProviders()).providers.first(where: { $0.providerID == target.id }) else {
            throw CommandFailure(
                "the daemon does not know \(target.id): it reads another configuration".plain, advice: "give that file with --config")
        }
        guard provider.configured else {
            throw CommandFailure(
                (provider.problem ?? "its client ID or secret is missing").plain, advice: "postern setup \(target.id)".plain)
        }
        guard provider.flows.contains(.browser) else { return say("\(provider.displayName) is set up, for sign-ins by code.".plain) }
        let findings = try call(Interface.CheckProvider(providerID: target.id)).findings.map(Finding.init)
        let terminal = account.terminal
        for finding in findings where finding.level == .fail || (finding.title == "client" && finding.level == .warn) {
            for line in finding.lines(terminal: terminal, width: terminal.width) { StandardError.write(line: line) }
        }
        guard let failure = findings.first(where: { $0.level == .fail }) else {
            if findings.contains(where: { $0.title == "client" && $0.level == .ok }) {
                say("\(provider.displayName) accepted the client ID and secret.".plain)
            }
            return
        }
        let sentence =
            failure.title == "client"
            ? "\(provider.displayName) refused the client ID or the secret" : "nobody can sign in with \(provider.displayName) yet"
        throw CommandFailure(
            sentence.plain, advice: "the files stay; postern setup \(target.id) asks again, and changes them".plain)
    }
}
