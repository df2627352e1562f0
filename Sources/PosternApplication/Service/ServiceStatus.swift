import PosternConfiguration
import PosternCore
import PosternInterface

/// What `GetStatus` answers.
@DaemonActor
final class ServiceStatus {
    let version: String
    /// RFC 3339.
    let startedAt: String
    let stateDirectory: String
    let origins: CallbackOrigins
    let addresses: any AddressSeeking
    let settings: Settings
    let store: StoreAccess
    let loader: CredentialLoader
    let providers: ProviderDirectory
    let tokens: AccessTokens
    let coordinator: SignInCoordinator
    let configuration: ConfigurationReloader
    let platform: Platform

    init(
        version: String, stateDirectory: String, origins: CallbackOrigins, addresses: any AddressSeeking, settings: Settings,
        store: StoreAccess, loader: CredentialLoader, providers: ProviderDirectory, tokens: AccessTokens, coordinator: SignInCoordinator,
        configuration: ConfigurationReloader, platform: Platform
    ) {
        self.version = version
        startedAt = "\(platform.now)"
        self.stateDirectory = stateDirectory
        self.origins = origins
        self.addresses = addresses
        self.settings = settings
        self.store = store
        self.loader = loader
        self.providers = providers
        self.tokens = tokens
        self.coordinator = coordinator
        self.configuration = configuration
        self.platform = platform
    }

    /// The answer, for which the store may have to be asked.
    func reply() async -> Interface.GetStatus.Reply {
        await addresses.seekMissing()
        return status(store.isUnavailable ? nil : await loader.count())
    }

    /// The answer from memory; nil if the store has to be asked.
    func known() -> Interface.GetStatus.Reply? {
        guard origins.isComplete else { return nil }
        if store.isUnavailable { return status(nil) }
        return loader.counts.map { status($0) }
    }

    private func status(_ counts: CredentialLoader.Counts?) -> Interface.GetStatus.Reply {
        Interface.GetStatus.Reply(
            version: version, startedAt: startedAt, callbackURLs: origins.callbackURLs,
            locked: store.isUnavailable,
            sessions: coordinator.signIns.liveCount,
            users: counts?.users, credentials: counts?.credentials,
            configurationFile: configuration.file, stateDirectory: stateDirectory, storeProblem: storeProblem,
            problems: problems, replaced: platform.isReplaced)
    }

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
        problems += origins.problems
        for configured in settings.configuration.providers where configured.isMentioned {
            guard let problem = providers[configured.provider.id]?.problem else { continue }
            problems.append("\(configured.provider.id): \(problem)")
        }
        problems += settings.problems
        if let problem = providers.transportProblem { problems.append(problem) }
        if tokens.holdsUnsaved { problems += tokens.unsavedProblems }
        return problems
    }
}
