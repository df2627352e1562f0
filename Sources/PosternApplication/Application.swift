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
        public var commands: any CommandRunning
        public var notices: any NoticeBoard
        /// The languages that notices are written in.
        public var languages: PersonLanguages
        public var store: any StoreOpening
        public var configuration: any ConfigurationSource
        /// Where the store is.
        public var stateDirectory: String
        public var listener: any CallbackListening
        public var events: EventLog

        public init(
            platform: Platform, transport: any ProviderTransport, pages: any PageLaunching, passwords: any PasswordDerivation,
            commands: any CommandRunning, notices: any NoticeBoard, languages: PersonLanguages,
            store: any StoreOpening, configuration: any ConfigurationSource, stateDirectory: String, listener: any CallbackListening,
            events: EventLog
        ) {
            self.platform = platform
            self.transport = transport
            self.pages = pages
            self.passwords = passwords
            self.commands = commands
            self.notices = notices
            self.languages = languages
            self.store = store
            self.configuration = configuration
            self.stateDirectory = stateDirectory
            self.listener = listener
            self.events = events
        }
    }

    let ground: Ground
    /// Implements the methods of the interface.
    let service: InterfaceService
    /// Handles the requests to the callback listener.
    public let callbacks: CallbackService
    private let lock: StoreLock
    private let configuration: ConfigurationReloader
    let coordinator: SignInCoordinator
    let callbackWatch: CallbackWatch
    private let providers: ProviderRoom
    private let accounts: any AccountAuthority
    private let tokens: TokenRoom

    /// - Parameter store: the store, or why it could not be opened.
    public init(_ loaded: LoadedConfiguration, store: Result<any ApplicationStore, StoreError>, in surroundings: Surroundings) {
        let ground = Ground(
            platform: surroundings.platform, events: surroundings.events, settings: Settings(loaded), store: StoreAccess(store))
        let providers = ProviderRoom(
            ground, all: loaded.providers, transport: surroundings.transport, pages: surroundings.pages, listener: surroundings.listener)
        let userTokens = UserTokens(ground, origins: providers.origins)
        accounts =
            if loaded.firebase != nil {
                FirebaseAccounts(ground, providers: providers.directory, revocation: providers.revocation)
            } else {
                LocalAccounts(
                    ground, providers: providers.directory,
                    phone: PhoneSender(ground, transport: surroundings.transport, commands: surroundings.commands), userTokens: userTokens,
                    revocation: providers.revocation,
                    hashing: PasswordHashing(derivation: surroundings.passwords, platform: ground.platform))
            }
        coordinator = SignInCoordinator(ground, providers: providers, accounts: accounts)
        tokens = TokenRoom(
            ground, providers: providers, signIns: coordinator, board: surroundings.notices, commands: surroundings.commands,
            languages: surroundings.languages)
        coordinator.states = tokens.states
        lock = StoreLock(
            ground, opener: surroundings.store, providers: providers, tokens: tokens, accounts: accounts, coordinator: coordinator)
        callbackWatch = CallbackWatch(
            listener: surroundings.listener, providers: providers.directory, coordinator: coordinator, platform: ground.platform)
        configuration = ConfigurationReloader(
            ground, source: surroundings.configuration, providers: providers, accounts: accounts, coordinator: coordinator, storeLock: lock,
            watch: callbackWatch)
        let demand = AccountDemand(
            accounts: accounts, store: ground.store, providers: providers.directory, observer: coordinator)
        let status = ServiceStatus(
            ground, stateDirectory: surroundings.stateDirectory, providers: providers, tokens: tokens.accessTokens,
            coordinator: coordinator,
            addresses: callbackWatch, configuration: configuration)
        service = InterfaceService(
            providers: ProviderService(ground, providers: providers, addresses: callbackWatch),
            signIn: SignInService(ground, demand: demand, coordinator: coordinator, providers: providers, addresses: callbackWatch),
            accounts: AccountService(demand: demand, loader: providers.loader),
            tokens: TokenService(ground, providers: providers, tokens: tokens),
            service: DaemonService(status: status, storeLock: lock, configuration: configuration, events: ground.events),
            loader: providers.loader, platform: ground.platform)
        callbacks = CallbackService(ground, providers: providers, userTokens: userTokens, coordinator: coordinator)
        self.ground = ground
        self.providers = providers
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
            providers: providers.directory.all.map { .init(name: $0.id, isReady: $0.problem == nil) },
            accounts: ground.settings.configuration.namedAccounts.accounts.map(\.name))
    }

    /// What is under way, in a few words.
    var summary: String {
        switch coordinator.signIns.liveCount {
        case 0:
            ground.store.waitsForPerson
                ? "serving, locked" : ground.store.isUnavailable ? "serving, without its store" : "serving"
        case 1: "serving; 1 sign-in waits"
        case let count: "serving; \(count) sign-ins wait"
        }
    }

    /// Whether something would be lost or have to start again if the daemon ended now.
    public var isBusy: Bool {
        !ground.platform.work.isEmpty(WorkTracker.Kind.allCases) || !providers.cache.isComplete || coordinator.signIns.liveCount > 0
            || tokens.accessTokens.holdsUnsaved || ground.store.isLostByGoing
            || accounts.awaitsCode || tokens.attention.isShowing || tokens.fresh.isBusy
    }

    /// The daemon is about to end: whatever starts now would be cut off.
    public func takeNothingNew() {
        ground.platform.isEnding = true
        coordinator.endBegan()
    }

    /// Writes what is only in memory, and closes the store.
    public func close() async {
        await tokens.attention.close()
        await lock.close()
    }
}
