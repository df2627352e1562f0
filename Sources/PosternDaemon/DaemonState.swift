import CallbackServer
import NIOCore
import PosternConfiguration
import PosternCore
import PosternInterface
import PosternStore

/// The parts of a running daemon, and what is in force now.
@DaemonActor
final class DaemonState {
    let version: String
    let startedAt: String
    let log: DaemonLog
    let feed = EventFeed()
    let shelf = CredentialShelf()
    let store: StoreAccess
    let providers: ProviderDirectory
    let coordinator: SignInCoordinator
    let accounts: any AccountAuthority
    let phone: PhoneSender
    private var accountsConfigured: @DaemonActor (Configuration) -> Void = { _ in }
    let tokens: AccessTokens
    let revocation: Revocation
    let exchange: CodeExchange
    let presentedTokens: PresentedTokens
    let endSessionPages: EndSessionPages
    let userTokens: UserTokens

    private(set) var configuration: Configuration
    var userCount = 0
    /// Base URLs of the callback listener, `http://127.0.0.1:7678`, the one that redirect URIs use first.
    var callbackOrigins: [String] = []
    let sources: Sources
    private var isOpeningStore = false
    /// Opening and closing the store, one after the other.
    let storeWork = SerialWork()
    var unlocking = GuessPacing()
    /// The daemon is about to end: what begins now would be cut off.
    var isEnding = false
    private let reloads = SerialWork()
    /// Another configuration is in force.
    var configurationChanged: @DaemonActor () -> Void = {}
    /// The configuration begins to be read anew; the closure that comes back is called when that is over.
    var reloadBegan: @DaemonActor () -> @DaemonActor () -> Void = { {} }
    /// Something began or ended.
    var activityChanged: @DaemonActor () -> Void = {} {
        didSet {
            coordinator.activityChanged = activityChanged
            tokens.activityChanged = activityChanged
        }
    }

    init(
        version: String, loaded: LoadedConfiguration, store: StoreAccess, log: DaemonLog, providers: ProviderDirectory,
        exchange: CodeExchange, launch: @escaping PageOpener.Launch, sources: Sources
    ) {
        self.version = version
        startedAt = "\(WallClock.now)"
        SignInClock.start()
        self.log = log
        self.store = store
        self.providers = providers
        configuration = loaded.configuration
        self.sources = sources
        self.exchange = exchange
        presentedTokens = PresentedTokens(cryptography: exchange.cryptography)
        let origins = Origins()
        self.origins = origins
        let userTokens = UserTokens(store: store, cryptography: exchange.cryptography, log: log, issuer: { origins.first })
        self.userTokens = userTokens
        let phone = PhoneSender(client: providers.client, log: log, delivery: loaded.phone)
        self.phone = phone
        let accounts: any AccountAuthority
        let local: LocalAccounts?
        if let project = loaded.firebase {
            (accounts, local) = (FirebaseAccounts(store: store, providers: providers, feed: feed, log: log, project: project), nil)
        } else {
            let kept = LocalAccounts(
                store: store, providers: providers, phone: phone, feed: feed, log: log, userTokens: userTokens,
                settings: loaded.configuration.accounts, issuer: loaded.configuration.secondFactors.issuer)
            (accounts, local) = (kept, kept)
            accountsConfigured = {
                kept.settings = $0.accounts
                kept.issuer = $0.secondFactors.issuer
            }
        }
        self.accounts = accounts
        coordinator = SignInCoordinator(
            store: store, providers: providers, exchange: exchange, opener: PageOpener(launch: launch), feed: feed, log: log,
            accounts: { accounts }, redirectURI: { origins.redirectURI(of: $0) }, listenerURI: { origins.listenerURI(of: $0) })
        tokens = AccessTokens(
            shelf: shelf, store: store, providers: providers, exchange: exchange, feed: feed, log: log,
            redirectURI: { origins.redirectURI(of: $0) })
        revocation = Revocation(
            shelf: shelf, store: store, providers: providers, tokens: tokens, cryptography: exchange.cryptography, feed: feed, log: log)
        let endSessionPages = EndSessionPages(providers: providers, launch: launch, feed: feed, log: log, origin: { origins.first })
        self.endSessionPages = endSessionPages
        revocation.endSession = { await endSessionPages.open(for: $0, providerID: $1, binding: $2) }
        providers.replaceAll(loaded.providers)
        providers.registrar.store = store
        providers.registrar.signedOutURI = { origins.first + EndSessionPages.returnPath }
        coordinator.accountsChanged = { [weak self] in await self?.accountsChanged($0) }
        tokens.unwanted = { [revocation] in await revocation.discard($0, providerID: $1, binding: $2) }
        local?.unwanted = { [revocation] in await revocation.takeBack(forgotten: $0) }
        local?.userDeleted = { [shelf, coordinator] user, credentials in
            for credential in credentials { shelf.removed(CredentialShelf.Key(credential)) }
            coordinator.forgetResults(of: user)
        }
        coordinator.unwanted = { [revocation] in await revocation.discard($0, of: $1) }
        store.neededInVain = { [weak self] in
            guard let self else { return }
            DaemonActor.start { await self.reopenStore() }
        }
    }

    /// Where the daemon reads from, at its start and again later.
    struct Sources {
        /// The configuration from its files, secrets and all.
        var configuration: @DaemonActor () async throws(ConfigurationError) -> LoadedConfiguration
        /// - Parameter passphrase: of who unlocks it; nil where nobody gave one.
        var store: @DaemonActor (_ passphrase: Secret?) async -> Result<Store, StoreError>
        /// From the command line; goes before the configuration's.
        var logLevel: Configuration.LogLevel?
    }

    /// What is on disk when a store is opened.
    private struct Remains {
        var credentials: Listing<StoredCredential>
        var sessions: Listing<SignInSession>
        var users: Int
        var clients: [RegisteredClient]

        @DaemonActor
        init(of store: Store) async throws(StoreError) {
            credentials = try await store.credentials()
            sessions = try await store.loadSessions(now: WallClock.now)
            users = try await store.counts().users
            clients = try await store.registeredClients()
        }
    }

    /// What the coordinator asks before the listener is up.
    @DaemonActor
    final class Origins {
        var first = "http://127.0.0.1:7678"

        func redirectURI(of provider: Provider) -> String { provider.redirectURI?.text ?? listenerURI(of: provider) }

        /// Where the listener takes the provider's answers, whoever brings them there.
        func listenerURI(of provider: Provider) -> String {
            let origin =
                switch provider.redirectHost {
                // A website hands the answer on to the address.
                case .address, .website: first
                case .localhost: localhost
                }
            return "\(origin)/__/auth/handler" + (provider.hasOwnCallbackPath ? "/\(provider.id)" : "")
        }

        /// The first origin under the other name of this machine.
        private var localhost: String {
            let scheme = first.prefix { $0 != ":" }
            let port = first.split(separator: ":").last.map { ":\($0)" } ?? ""
            return "\(scheme)://localhost\(port)"
        }
    }

    private let origins: Origins

    /// The listener is up, here.
    func listening(at origins: [String]) {
        callbackOrigins = origins
        if let first = origins.first { self.origins.first = first }
    }

    var callbackURLs: [String] { callbackOrigins.map { "\($0)/__/auth/handler" } }

    func redirectURI(of provider: Provider) -> String { origins.redirectURI(of: provider) }

    /// What can be registered at the provider; nil where it takes no callback URL of this machine.
    func registrableRedirectURI(of provider: Provider) -> String? {
        provider.redirectURI == nil && provider.redirectHost == .website ? nil : redirectURI(of: provider)
    }

    var defaultTimeoutSeconds: Int { Int(configuration.signIn.timeout.components.seconds) }

    /// The daemon itself can show the page of such a sign-in.
    func opensPage(of question: SignInQuestion) -> Bool { browser(of: question) != .none }

    func browser(of question: SignInQuestion) -> Configuration.Browser {
        configuration.browser(of: question.providerID, account: question.loginHint)
    }

    var isBusy: Bool {
        coordinator.liveCount > 0 || tokens.holdsUnsaved || store.isLostByGoing || isWorking || accountsAwaitCode
    }

    /// Something is under way that must not be cut off: no person is waited for.
    var isWorking: Bool {
        hasAnswersOut || providers.requests > 0 || reloads.isBusy || isOpeningStore || storeWork.isBusy || phone.isBusy
    }

    /// A provider was asked, and what it answers has yet to be kept.
    var hasAnswersOut: Bool { coordinator.exchanges > 0 || tokens.isBusy || revocation.isBusy || accounts.isBusy }

    // MARK: What is on disk

    /// Takes up what the last life left behind: all of it, or there is no store. Half of it would pass for the whole.
    func restore() async {
        do {
            await takeUp(try await Remains(of: try store.opened()))
        } catch {
            log.error("\(error)", event: .storeProblem)
            await store.failed(with: error)
        }
    }

    /// Everything at once, so that nobody sees an empty shelf beside an open store.
    private func takeUp(_ remains: Remains) async {
        for damage in remains.credentials.damaged + remains.sessions.damaged { log.error("\(damage)", event: .storeProblem) }
        shelf.replaceAll(remains.credentials.values)
        userCount = remains.users
        providers.registrar.restore(remains.clients)
        await coordinator.restore(remains.sessions.values)
        coordinator.endUnbound()
        await providers.registrar.forgetUnwanted(by: providers.all)
    }

    /// A store that could not be opened may open now: a keyring was unlocked, a disk has room again.
    /// Not one that was locked: that is for its person to say.
    private func reopenStore() async {
        guard store.isUnavailable, !store.waitsForPerson, !isOpeningStore else { return }
        isOpeningStore = true
        defer { isOpeningStore = false }
        await storeWork.begin()
        defer { storeWork.end() }
        guard store.isUnavailable, !store.waitsForPerson else { return }
        do throws(StoreError) { try await openStore(passphrase: nil) } catch {
            log.error("\(error)", event: .storeProblem)
            store.replace(with: .failure(error))
        }
    }

    /// For who has its turn in ``storeWork``.
    func openStore(passphrase: Secret?) async throws(StoreError) {
        let opened = try await sources.store(passphrase).get()
        let remains: Remains
        do throws(StoreError) { remains = try await Remains(of: opened) } catch {
            await opened.close()
            throw error
        }
        store.replace(with: .success(opened))
        await takeUp(remains)
        log.notice("the store is open now", event: .storeProblem)
        activityChanged()
    }

    /// An identity signed in: its credential and the number of users are read anew, as they stand on disk.
    func accountsChanged(_ identity: Identity) async {
        do {
            let store = try store.opened()
            if let credential = try await store.credential(providerID: identity.providerID, subject: identity.subject) {
                shelf.stored(credential)
            }
            try await countUsers()
        } catch {
            log.error("\(error)", event: .storeProblem)
        }
    }

    func countUsers() async throws { userCount = try await store.opened().counts().users }

    // MARK: The configuration

    /// Reads the configuration anew; on an error the old one stays in force.
    ///
    /// One after the other: of two readings the later one stays in force. A store that could not be opened is tried again.
    func reload() async throws(InterfaceError) {
        let reloadEnded = reloadBegan()
        defer { reloadEnded() }
        await reloads.begin()
        defer { reloads.end() }
        try await readConfiguration()
        await reopenStore()
    }

    private func readConfiguration() async throws(InterfaceError) {
        let loaded: LoadedConfiguration
        do throws(ConfigurationError) { loaded = try await sources.configuration() } catch {
            log.error("the configuration was not taken: \(error)", event: .configuration)
            feed.post(.configurationRefused, "the configuration was not taken: \(error)")
            throw .configurationInvalid(message: "\(error); the old configuration stays in force", file: error.file, line: error.line)
        }
        var fresh = loaded.configuration
        // The sockets and the store's key are taken at the start.
        if fresh.callback != configuration.callback || fresh.store != configuration.store {
            log.warning("changes of [callback] and [store] take effect at the next start", event: .configuration)
            fresh.callback = configuration.callback
            fresh.store = configuration.store
        }
        takeUp(&fresh.accounts, loaded.firebase)
        configuration = fresh
        providers.replaceAll(loaded.providers)
        phone.delivery = loaded.phone
        accountsConfigured(fresh)
        coordinator.endUnbound()
        await providers.registrar.forgetUnwanted(by: loaded.providers)
        log.level = DaemonLog.Level(sources.logLevel ?? fresh.daemon.logLevel)
        configurationChanged()
        log.notice("configuration read anew", event: .configuration)
        feed.post(.configurationReloaded, "the configuration was read anew")
    }
}

extension DaemonLog.Level {
    init(_ level: Configuration.LogLevel) {
        switch level {
        case .error: self = .error
        case .warning: self = .warning
        case .notice: self = .notice
        case .info: self = .info
        case .debug: self = .debug
        }
    }
}
