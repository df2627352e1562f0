import PosternConfiguration
import PosternCore
import PosternInterface

/// What `GetStatus` answers.
@DaemonActor
final class ServiceStatus: Grounded {
    /// RFC 3339.
    let startedAt: String
    let stateDirectory: String
    let addresses: any AddressSeeking
    let ground: Ground
    let providers: ProviderRoom
    let tokens: AccessTokens
    let coordinator: SignInCoordinator
    let configuration: ConfigurationReloader

    init(
        _ ground: Ground, stateDirectory: String, providers: ProviderRoom, tokens: AccessTokens, coordinator: SignInCoordinator,
        addresses: any AddressSeeking, configuration: ConfigurationReloader
    ) {
        startedAt = "\(ground.platform.now)"
        self.stateDirectory = stateDirectory
        self.addresses = addresses
        self.ground = ground
        self.providers = providers
        self.tokens = tokens
        self.coordinator = coordinator
        self.configuration = configuration
    }

    /// The answer, for which the store may have to be asked.
    func reply() async -> Interface.GetStatus.Reply {
        await addresses.seekMissing()
        return status(store.isUnavailable ? nil : await providers.loader.count())
    }

    /// The answer from memory; nil if the store has to be asked.
    func known() -> Interface.GetStatus.Reply? {
        guard providers.origins.isComplete else { return nil }
        if store.isUnavailable { return status(nil) }
        return providers.loader.counts.map { status($0) }
    }

    private func status(_ counts: CredentialLoader.Counts?) -> Interface.GetStatus.Reply {
        Interface.GetStatus.Reply(
            version: Release.version, startedAt: startedAt, callbackURLs: providers.origins.callbackURLs,
            locked: store.isUnavailable,
            sessions: coordinator.signIns.liveCount,
            users: counts?.users, credentials: counts?.credentials,
            configurationFile: configuration.file, stateDirectory: stateDirectory, storeProblem: storeProblem,
            problems: problems, replaced: platform.isReplaced,
            leftOut: leftOut.isEmpty ? nil : leftOut.map(\.description))
    }

    /// Mistakes in others' files, which this user cannot fix.
    private var leftOut: [ConfigurationError] { settings.configuration.leftOut }

    /// A store that somebody locked is as they want it.
    private var storeProblem: String? {
        guard let error = store.problem, !error.waitsForPerson else { return nil }
        return "\(error)"
    }

    /// What else keeps the daemon from doing everything that the configuration asks for.
    private var problems: [String] {
        var problems: [String] = []
        if let refusal = configuration.refusal {
            problems.append("the configuration was rejected, and the previous one stays in force until the daemon ends: \(refusal)")
        }
        problems += providers.origins.problems
        for configured in settings.configuration.providers where configured.isMentioned && !configured.isBlocked {
            guard let problem = providers.directory[configured.provider.id]?.problem else { continue }
            problems.append("\(configured.provider.id): \(problem)")
        }
        problems += settings.problems
        if let problem = providers.directory.transportProblem { problems.append(problem) }
        if tokens.holdsUnsaved { problems += tokens.unsavedProblems }
        return problems
    }
}
