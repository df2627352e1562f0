import HTTPSClient
import PosternApplication
import PosternConfiguration
import PosternCore
import PosternCrypto
import PosternInterface
import PosternSystemd

/// The parts of the daemon, connected to each other; what depends on the configuration is created once there is a valid one.
@DaemonActor
final class Composition {
    let front: ConfiguredDaemon
    let callback: CallbackListener
    let events: EventLog
    private let maker: Maker

    /// - Parameter passed: the sockets from systemd.
    init(options: DaemonOptions, passed: [PassedSocket], observer: any ApplicationObserver) throws(StartError) {
        let directory = try options.state()
        let files = ConfigurationFiles(
            path: try options.configurationPath(), isNamed: options.configurationFile != nil,
            state: ConfigurationLoader.absolute(directory), environment: options.environment)
        let platform = Platform(
            clock: SystemClock(), timers: LoopTimers(), randomness: OpenSSLRandomness(), cryptography: OpenSSLCryptography(),
            observer: observer)
        events = EventLog(level: options.logLevel, writer: LogSink(), clock: platform.clock)
        front = ConfiguredDaemon(source: files, platform: platform, events: events)
        callback = CallbackListener(
            delegate: CallbackResponder(front: front, events: events), options: options, passed: passed, events: events)
        maker = Maker(
            options: options, directory: directory, files: files, callback: callback, platform: platform, events: events)
    }

    /// Reads the configuration, and creates what depends on it.
    func start() async throws(ConfigurationError) { try await front.start(composer: maker, listener: callback) }

    /// Why a daemon without passed sockets cannot listen as configured.
    var failure: StartError? { maker.failure }

    /// Creates the application.
    @DaemonActor
    private final class Maker: ApplicationComposing {
        private let options: DaemonOptions
        private let directory: String
        private let files: ConfigurationFiles
        private let callback: CallbackListener
        private let platform: Platform
        private let events: EventLog
        private(set) var failure: StartError?

        init(
            options: DaemonOptions, directory: String, files: ConfigurationFiles, callback: CallbackListener, platform: Platform,
            events: EventLog
        ) {
            self.options = options
            self.directory = directory
            self.files = files
            self.callback = callback
            self.platform = platform
            self.events = events
        }

        func compose(_ loaded: LoadedConfiguration) async -> Application {
            events.configurationChanged(loaded.configuration)
            let opener = StoreOpener(
                directory: directory, store: loaded.configuration.store, environment: options.environment)
            let opened = await opener.open(passphrase: nil, isSuspect: false)
            if case .failure(let error) = opened {
                if error.kind == .locked { failure = .stateInUse("\(error)") }
                // The daemon still serves: it reports to callers what is wrong, and nothing is overwritten.
                if error.waitsForPerson {
                    events.report(.storeProblem, "\(error)", level: .notice)
                } else {
                    events.report(.storeProblem, "\(error)")
                }
            }
            let application = Application(loaded, store: opened, in: surroundings(opener))
            await application.restore()
            let unheld = await callback.open(loaded.configuration, need: application.callbackNeed)
            failure = failure ?? unheld
            return application
        }

        private func surroundings(_ store: StoreOpener) -> Application.Surroundings {
            let transport = HTTPSTransport(environment: options.environment, userAgent: "Postern/\(Release.version)")
            return Application.Surroundings(
                platform: platform, transport: transport, pages: PageLauncher(environment: options.environment),
                passwords: ScryptThreads(), commands: CommandThreads(environment: options.environment),
                notices: DesktopNotices(environment: options.environment), languages: PersonLanguages(environment: options.environment),
                store: store, configuration: files, stateDirectory: ConfigurationLoader.absolute(directory), listener: callback,
                events: events)
        }
    }
}
