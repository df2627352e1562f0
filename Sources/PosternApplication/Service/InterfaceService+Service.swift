import PosternConfiguration
import PosternCore
import PosternInterface

/// The methods about the service itself.
extension InterfaceService {
    public func listProviders(
        _ call: Interface.ListProviders, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.ListProviders.Reply {
        await seekAddresses()
        let providers = daemon.providers.all.map { provider in
            var provider = provider
            // Reported only if the user would be affected: one who signs in with a code needs no address.
            let flow = provider.flow ?? daemon.settings.configuration.signIn.flow
            if flow == .browser { provider.problem = provider.problem ?? daemon.origins.problem(of: provider) }
            return Interface.Provider(
                provider, flows: daemon.providers.flows(of: provider), redirectURI: daemon.origins.registrableRedirectURI(of: provider),
                lastRefusal: daemon.providers.refusals[provider.id])
        }
        return Interface.ListProviders.Reply(providers: providers)
    }

    public func checkProvider(
        _ call: Interface.CheckProvider, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.CheckProvider.Reply {
        if let issuer = call.issuer { return try await examine(issuer: issuer, as: call.providerID) }
        let provider = try provider(call.providerID, takesAccounts: false)
        if let seconds = checks.wait(providerID: provider.id, now: daemon.platform.now) {
            throw .tooManyAttempts(
                message: "\(provider.id) was checked too often; try again in \(seconds) s", retryAfterSeconds: Int(seconds))
        }
        let examination = await daemon.platform.work.count {
            await seekAddresses()
            return await ProviderExamination.of(
                provider, redirectURI: daemon.origins.redirectURI(of: provider), callbackProblem: daemon.origins.problem(of: provider),
                by: daemon.exchange)
        }
        if examination.acceptsClient { daemon.providers.succeeded(at: provider.id) }
        return Interface.CheckProvider.Reply(
            findings: examination.findings.map(Interface.ProviderFinding.init), authorizationURL: examination.page)
    }

    /// Examines a provider that is not configured yet, or is to have another issuer.
    private func examine(issuer: String, as providerID: String) async throws(InterfaceError) -> Interface.CheckProvider.Reply {
        guard 1...2048 ~= issuer.utf8.count else { throw .invalidParameter("issuer") }
        // They share one rate limit, because the caller chooses the names.
        if let seconds = checks.wait(providerID: "", now: daemon.platform.now) {
            throw .tooManyAttempts(message: "issuers were checked too often; try again in \(seconds) s", retryAfterSeconds: Int(seconds))
        }
        let caFile = daemon.providers[providerID]?.caFile
        let examination = await daemon.platform.work.count {
            await ProviderExamination.of(issuer: issuer, caFile: caFile, by: daemon.exchange)
        }
        return Interface.CheckProvider.Reply(findings: examination.findings.map(Interface.ProviderFinding.init), authorizationURL: nil)
    }

    public func getStatus(_ call: Interface.GetStatus, caller: any CallingProcess) async throws(InterfaceError) -> Interface.GetStatus.Reply
    {
        await seekAddresses()
        return status(daemon.store.isUnavailable ? nil : await daemon.loader.count())
    }

    /// The answer from memory; nil if the store has to be asked.
    func knownStatus() -> Interface.GetStatus.Reply? {
        guard daemon.origins.isComplete else { return nil }
        if daemon.store.isUnavailable { return status(nil) }
        return daemon.loader.counts.map { status($0) }
    }

    private func status(_ counts: CredentialLoader.Counts?) -> Interface.GetStatus.Reply {
        Interface.GetStatus.Reply(
            version: daemon.version, startedAt: daemon.startedAt, callbackURLs: daemon.origins.callbackURLs,
            locked: daemon.store.isUnavailable,
            sessions: daemon.coordinator.signIns.liveCount,
            users: counts?.users, credentials: counts?.credentials,
            configurationFile: daemon.configuration.file, stateDirectory: daemon.stateDirectory, storeProblem: storeProblem,
            problems: problems, replaced: daemon.platform.isReplaced)
    }

    /// A store that somebody locked is as they want it.
    private var storeProblem: String? {
        guard let error = daemon.store.problem, !error.waitsForPerson else { return nil }
        return "\(error)"
    }

    /// What else keeps the daemon from doing everything that the configuration asks for.
    private var problems: [String] {
        var problems: [String] = []
        if let refusal = daemon.configuration.refusal {
            problems.append("the configuration was rejected, and the previous one stays in force until the daemon ends: \(refusal)")
        }
        problems += daemon.origins.problems
        for configured in daemon.settings.configuration.providers where configured.isMentioned {
            guard let problem = daemon.providers[configured.provider.id]?.problem else { continue }
            problems.append("\(configured.provider.id): \(problem)")
        }
        problems += daemon.settings.problems
        if let problem = daemon.providers.transportProblem { problems.append(problem) }
        if daemon.tokens.holdsUnsaved { problems += daemon.tokens.unsavedProblems }
        return problems
    }

    /// If an address of the listener is missing, it is tried again before anything is reported about it.
    private func seekAddresses() async {
        if !daemon.origins.isComplete { await daemon.watch.seek() }
    }

    public func reload(_ call: Interface.Reload, caller: any CallingProcess) async throws(InterfaceError) -> Interface.Reload.Reply {
        let isInForce: Bool
        do throws(ConfigurationError) { isInForce = try await daemon.configuration.reload() } catch {
            throw .configurationInvalid(
                message: "the configuration was rejected, and the old one stays in force: \(error)", file: error.file, line: error.line)
        }
        guard isInForce else { throw .ending }
        return Interface.Reload.Reply()
    }

    public func lock(_ call: Interface.Lock, caller: any CallingProcess) async throws(InterfaceError) -> Interface.Lock.Reply {
        await daemon.lock.lock()
        return Interface.Lock.Reply()
    }

    public func unlock(_ call: Interface.Unlock, caller: any CallingProcess) async throws(InterfaceError) -> Interface.Unlock.Reply {
        guard call.passphrase.map({ $0.count <= PasswordRules.longestPassphrase }) ?? true else { throw .invalidParameter("passphrase") }
        do throws(UnlockFailure) { try await daemon.lock.unlock(passphrase: call.passphrase) } catch { throw InterfaceError(error) }
        return Interface.Unlock.Reply()
    }

    public func monitor(
        _ call: Interface.Monitor, caller: any CallingProcess, replies: Replies<Interface.Monitor.Reply>
    ) async throws(InterfaceError) {
        await daemon.events.follow(replies)
    }
}
