import PosternConfiguration
import PosternCore
import PosternInterface

/// The parts of a running daemon, connected to each other.
@DaemonActor
public final class Application {
    /// What the application needs and does not create itself.
    public struct Surroundings {
        public var platform: Platform
        public var transport: any ProviderTransport
        public var pages: any PageLaunching
        public var passwords: any PasswordDerivation
        public var codes: any CodeCommand
        public var notices: any NoticeBoard
        /// The languages that notices are written in.
        public var languages: PersonLanguages
        public var changes: any ChangeProgram
        public var store: any StoreOpening
        public var configuration: any ConfigurationSource
        /// Where the store is.
        public var stateDirectory: String
        public var listener: any CallbackListening
        public var events: EventLog
        /// From the command line; overrides the configuration's.
        public var logLevel: Configuration.LogLevel?

        public init(
            platform: Platform, transport: any ProviderTransport, pages: any PageLaunching, passwords: any PasswordDerivation,
            codes: any CodeCommand, notices: any NoticeBoard, languages: PersonLanguages, changes: any ChangeProgram,
            store: any StoreOpening, configuration: any ConfigurationSource, stateDirectory: String, listener: any CallbackListening,
            events: EventLog, logLevel: Configuration.LogLevel?
        ) {
            self.platform = platform
            self.transport = transport
            self.pages = pages
            self.passwords = passwords
            self.codes = codes
            self.notices = notices
            self.languages = languages
            self.changes = changes
            self.store = store
            self.configuration = configuration
            self.stateDirectory = stateDirectory
            self.listener = listener
            self.events = events
            self.logLevel = logLevel
        }
    }

    public let platform: Platform
    public let events: EventLog
    public let settings: Settings
    /// Implements the methods of the interface.
    let service: InterfaceService
    /// Handles the requests to the callback listener.
    public let callbacks: CallbackService
    public let store: StoreAccess
    private let lock: StoreLock
    private let configuration: ConfigurationReloader
    private let coordinator: SignInCoordinator
    private let loader: CredentialLoader
    let callbackWatch: CallbackWatch
    private let tokens: AccessTokens
    private let accounts: any AccountAuthority
    private let providers: ProviderDirectory
    private let attention: Attention
    private let fresh: FreshAccounts

    /// - Parameters:
    ///   - version: the program's version.
    ///   - store: the store, or why it could not be opened.
    public init(
        version: String, loaded: LoadedConfiguration, store opened: Result<any ApplicationStore, StoreError>,
        in surroundings: Surroundings
    ) {
        let (platform, events) = (surroundings.platform, surroundings.events)
        let settings = Settings(loaded)
        let origins = CallbackOrigins(surroundings.listener)
        let store = StoreAccess(opened)
        let cache = CredentialCache()
        let loader = CredentialLoader(cache: cache, store: store, platform: platform, events: events)
        let registrar = ClientRegistrar(store: store, origins: origins, platform: platform, events: events)
        let providers = ProviderDirectory(
            all: loaded.providers, transport: surroundings.transport, registrar: registrar, platform: platform, events: events)
        let opener = PageOpener(launcher: surroundings.pages, settings: settings, platform: platform)
        let endSessionPages = EndSessionPages(
            providers: providers, opener: opener, origins: origins, platform: platform, events: events)
        let revocationRequests = RevocationRequests(cache: cache, store: store, providers: providers, platform: platform, events: events)
        let states = CredentialStates(
            cache: cache, store: store, providers: providers, settings: settings, platform: platform, events: events)
        let exchange = CodeExchange(
            store: store, providers: providers, revocation: revocationRequests, loader: loader, states: states, settings: settings,
            platform: platform)
        let tokens = AccessTokens(
            cache: cache, store: store, providers: providers, exchange: exchange, origins: origins, revocation: revocationRequests,
            states: states, platform: platform, events: events)
        let revocation = Revocation(
            cache: cache, store: store, providers: providers, requests: revocationRequests,
            endSessionPages: endSessionPages, platform: platform, events: events)
        let imports = CredentialImports(
            loader: loader, store: store, providers: providers, exchange: exchange, origins: origins, platform: platform,
            events: events)
        let userTokens = UserTokens(store: store, origins: origins, platform: platform, events: events)
        let phone = PhoneSender(
            transport: surroundings.transport, command: surroundings.codes, settings: settings, platform: platform, events: events)
        let accounts: any AccountAuthority =
            if loaded.firebase != nil {
                FirebaseAccounts(store: store, providers: providers, settings: settings, platform: platform, events: events)
            } else {
                LocalAccounts(
                    store: store, providers: providers, phone: phone, userTokens: userTokens, revocation: revocation,
                    hashing: PasswordHashing(derivation: surroundings.passwords, platform: platform), settings: settings,
                    platform: platform, events: events)
            }
        let coordinator = SignInCoordinator(
            store: store, providers: providers, exchange: exchange, opener: opener, accounts: accounts, loader: loader,
            revocation: revocation, origins: origins, platform: platform, events: events)
        let attention = Attention(
            board: surroundings.notices, program: surroundings.changes, signIns: coordinator, providers: providers, settings: settings,
            languages: surroundings.languages, platform: platform, events: events)
        states.attention = attention
        let fresh = FreshAccounts(tokens: tokens, states: states, cache: cache, providers: providers, platform: platform)
        states.fresh = fresh
        let lock = StoreLock(
            access: store, opener: surroundings.store, loader: loader, states: states, providers: providers, coordinator: coordinator,
            tokens: tokens, imports: imports, accounts: accounts, endSessionPages: endSessionPages, platform: platform, events: events)
        let callbackWatch = CallbackWatch(
            listener: surroundings.listener, providers: providers, coordinator: coordinator, platform: platform)
        let configuration = ConfigurationReloader(
            settings: settings, source: surroundings.configuration, logLevel: surroundings.logLevel, providers: providers,
            accounts: accounts, coordinator: coordinator, cache: cache, states: states, store: lock, listener: surroundings.listener,
            watch: callbackWatch, platform: platform, events: events)
        let presentedTokens = PresentedTokens(store: store, platform: platform)
        let demand = AccountDemand(accounts: accounts, store: store, providers: providers, observer: coordinator)
        let status = ServiceStatus(
            version: version, stateDirectory: surroundings.stateDirectory, origins: origins, addresses: callbackWatch, settings: settings,
            store: store, loader: loader, providers: providers, tokens: tokens, coordinator: coordinator, configuration: configuration,
            platform: platform)
        service = InterfaceService(
            providers: ProviderService(
                providers: providers, exchange: exchange, origins: origins, addresses: callbackWatch, settings: settings, platform: platform
            ),
            signIn: SignInService(
                demand: demand, accounts: accounts, coordinator: coordinator, providers: providers, exchange: exchange, origins: origins,
                settings: settings, store: store, loader: loader, presentedTokens: presentedTokens, addresses: callbackWatch,
                platform: platform, events: events),
            accounts: AccountService(demand: demand, accounts: accounts, loader: loader, observer: coordinator),
            tokens: TokenService(
                settings: settings, store: store, loader: loader, providers: providers, tokens: tokens, imports: imports, states: states,
                revocation: revocation, presentedTokens: presentedTokens, platform: platform),
            service: DaemonService(status: status, storeLock: lock, configuration: configuration, events: events),
            status: status, storeLock: lock, configuration: configuration, loader: loader, platform: platform)
        callbacks = CallbackService(
            coordinator: coordinator, providers: providers, endSessionPages: endSessionPages, userTokens: userTokens, store: store)
        self.platform = platform
        self.events = events
        self.settings = settings
        self.store = store
        self.lock = lock
        self.configuration = configuration
        self.coordinator = coordinator
        self.loader = loader
        self.callbackWatch = callbackWatch
        self.tokens = tokens
        self.accounts = accounts
        self.providers = providers
        self.attention = attention
        self.fresh = fresh
    }

    /// Restores what the last run of the daemon left behind.
    public func restore() async { await lock.restore() }

    /// - Returns: false if the daemon began to shut down meanwhile.
    func reload() async throws(ConfigurationError) -> Bool { try await configuration.reload() }

    /// The listener's addresses, or what they are needed for, may have changed.
    public func callbackChanged() { callbackWatch.watch() }

    /// What the callback listener is needed for.
    public var callbackNeed: CallbackNeed { callbackWatch.need }

    /// A name that a command accepts for a provider, or for an account of the configuration.
    public struct Names: Equatable, Sendable {
        public struct Provider: Equatable, Sendable {
            public var name: String
            /// Whether its client is configured.
            public var isReady: Bool
        }

        public var providers: [Provider]
        public var accounts: [String]
    }

    public var names: Names {
        Names(
            providers: providers.all.map { .init(name: $0.id, isReady: $0.problem == nil) },
            accounts: settings.configuration.namedAccounts.accounts.map(\.name))
    }

    /// What is under way, in a few words.
    var summary: String {
        switch coordinator.signIns.liveCount {
        case 0: store.waitsForPerson ? "serving, locked" : store.isUnavailable ? "serving, without its store" : "serving"
        case 1: "serving; 1 sign-in waits"
        case let count: "serving; \(count) sign-ins wait"
        }
    }

    /// Whether something would be lost or have to start again if the daemon ended now.
    public var isBusy: Bool {
        !platform.work.isEmpty(WorkTracker.Kind.allCases) || !loader.cache.isComplete || coordinator.signIns.liveCount > 0
            || tokens.holdsUnsaved || store.isLostByGoing
            || accounts.awaitsCode || attention.isShowing || fresh.isBusy
    }

    /// The daemon is about to end: whatever starts now would be cut off.
    public func takeNothingNew() {
        platform.isEnding = true
        coordinator.endBegan()
    }

    /// Writes what is only in memory, and closes the store.
    public func close() async {
        await attention.close()
        await lock.close()
    }
}
