import PosternConfiguration
import PosternCore

/// Reads the configuration again, and applies it.
@DaemonActor
final class ConfigurationReloader: Grounded {
    let ground: Ground
    private let source: any ConfigurationSource
    private let providers: ProviderRoom
    private let accounts: any AccountAuthority
    private let coordinator: SignInCoordinator
    private let storeLock: StoreLock
    private let watch: CallbackWatch
    private let turns = SerialWork()
    /// Why the files were refused when they were last read.
    private(set) var refusal: ConfigurationError?
    /// By ``WallClock/uptime``, when the files of secrets were last checked.
    private var lookedAt: Int64?
    /// How often reading the configuration has begun.
    private var readings = 0

    init(
        _ ground: Ground, source: any ConfigurationSource, providers: ProviderRoom, accounts: any AccountAuthority,
        coordinator: SignInCoordinator, storeLock: StoreLock, watch: CallbackWatch
    ) {
        self.ground = ground
        self.source = source
        self.providers = providers
        self.accounts = accounts
        self.coordinator = coordinator
        self.storeLock = storeLock
        self.watch = watch
    }

    var file: String { source.file }

    /// Reads the configuration again; on an error the old one stays in force.
    ///
    /// One reading at a time: of two readings the later one takes effect. Callers that arrive while it is being read share the next
    /// reading, which begins after they called. A store that could not be opened is tried again.
    ///
    /// - Returns: false if the daemon began to shut down meanwhile, and the old one stays in force.
    @discardableResult
    func reload() async throws(ConfigurationError) -> Bool {
        platform.observer?.reloadBegan()
        defer { platform.observer?.reloadEnded() }
        return try await platform.work.count { () async throws(ConfigurationError) in
            let seen = readings
            await turns.begin()
            defer { turns.end() }
            guard !platform.isEnding else { return false }
            if readings > seen {
                if let refusal { throw refusal }
                return true
            }
            guard try await read() else { return false }
            await watch.seek()
            await storeLock.reopen()
            return true
        }
    }

    /// A secret that was corrected in its file counts from the next request to its provider on, without a reload.
    ///
    /// At most once a second, however many callers there are.
    func lookAtSecrets() async {
        let now = platform.clock.uptime
        guard lookedAt != now else { return }
        lookedAt = now
        let reading = readings
        let changed = await platform.work.count { await source.rereadSecrets() }
        // The whole configuration may have been read meanwhile, later than these secrets.
        guard !changed.isEmpty, reading == readings else { return }
        providers.replaceAll(providers.directory.all.map { provider in changed.first { $0.id == provider.id } ?? provider })
        coordinator.providersChanged()
        providers.cache.observer?.credentialsChanged()
        for provider in changed {
            let problem = provider.problem.map { ": \($0)" } ?? ""
            events.report(.configuration, "\(provider.id): a secret was read again, for its file has changed\(problem)")
        }
    }

    /// - Returns: false if the daemon began to shut down meanwhile.
    private func read() async throws(ConfigurationError) -> Bool {
        readings += 1
        let loaded: LoadedConfiguration
        do throws(ConfigurationError) {
            loaded = try await source.load()
            guard !platform.isEnding else { return false }
        } catch {
            guard !platform.isEnding else { return false }
            refusal = error
            events.report(.configurationRefused, "the configuration was rejected: \(error)")
            throw error
        }
        refusal = nil
        var fresh = loaded.configuration
        let old = settings.configuration
        // The sockets and the store's key are set at the start, as far as they are available.
        let keepsCallback = if case .open = watch.listener.status { fresh.callback != old.callback } else { false }
        let keepsStore = !store.isUnavailable && fresh.store != old.store
        if keepsCallback || keepsStore {
            events.report(.configuration, "changes of [callback] and [store] take effect at the next start")
        }
        if keepsCallback { fresh.callback = old.callback }
        if keepsStore { fresh.store = old.store }
        // The authority for the accounts is set at the start, because two authorities have different users.
        if fresh.accounts.doubt != nil, old.accounts.doubt == nil {
            // What was in force is known, and is not in doubt until the next start.
            fresh.accounts = old.accounts
        } else if fresh.accounts.authority != old.accounts.authority {
            events.report(.configuration, "a change of [accounts] authority takes effect at the next start")
            let oneAccountPerEmail = fresh.accounts.oneAccountPerEmail
            fresh.accounts = old.accounts
            fresh.accounts.oneAccountPerEmail = oneAccountPerEmail
        } else if let project = loaded.firebase {
            settings.firebase = project
        }
        await providers.names.follow(old.namedAccounts)
        guard !platform.isEnding else { return false }
        settings.configuration = fresh
        fresh.tellLeftOut(events)
        settings.phone = loaded.phone
        settings.missing = loaded.problems
        watch.listener.configurationChanged(fresh)
        storeLock.configurationChanged(fresh.store)
        providers.replaceAll(loaded.providers)
        accounts.configurationChanged()
        coordinator.providersChanged()
        await providers.names.follow(fresh.namedAccounts)
        await providers.directory.forgetUnwantedClients()
        providers.cache.observer?.credentialsChanged()
        events.configurationChanged(fresh)
        platform.observer?.configurationChanged()
        if !platform.isEnding { events.report(.configurationReloaded, "the configuration was reloaded") }
        return true
    }
}

extension Configuration {
    /// What a user cannot fix, and what keeps nobody from using the rest.
    @DaemonActor
    func tellLeftOut(_ events: EventLog) {
        for fault in leftOut { events.report(.configuration, "a mistake in a file for all users: \(fault)", level: .warning) }
    }
}
