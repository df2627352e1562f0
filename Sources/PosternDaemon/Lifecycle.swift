import CallbackServer
import Glibc
import HTTPSClient
import LoopbackHTTP
import NIOCore
import PosternConfiguration
import PosternCore
import PosternCrypto
import PosternInterface
import PosternStore
import PosternSystemd
import Varlink
import VarlinkServer

/// From the first line of the program to its last: puts the parts together, tells the service manager, and ends in order.
@DaemonActor
final class Lifecycle {
    private let options: DaemonOptions
    private let notifier = ServiceNotifier()
    private var state: DaemonState?
    private var service: SocketService?
    private var socket: VarlinkListener?
    private var callback: CallbackServer?
    private var idle: IdleExit?
    private var watchdog: RepeatedTask?
    private var lastStatus = ""
    private var isStopping = false
    private var isIdleEnd = false
    /// Readings of the configuration that are under way.
    private var reloads = 0

    private var eventLoop: any EventLoop { DaemonActor.shared.eventLoop }

    init(options: DaemonOptions) { self.options = options }

    // MARK: Starting

    func start() async throws(StartError) {
        let options = options
        // First of all: until they are taken, every program that is started inherits them.
        let passed = try takePassedSockets()
        let configurationPath = try options.configurationPath()
        let load: @DaemonActor () async throws(ConfigurationError) -> LoadedConfiguration = { () async throws(ConfigurationError) in
            let result: Result<LoadedConfiguration, ConfigurationError>
            do throws(NoThread) {
                result = try await BlockingWork.run {
                    do throws(ConfigurationError) {
                        return .success(try LoadedConfiguration(path: configurationPath, environment: options.environment))
                    } catch {
                        return .failure(error)
                    }
                }
            } catch {
                throw ConfigurationError(file: configurationPath, message: "was not read: \(error)")
            }
            return try result.get()
        }
        let loaded: LoadedConfiguration
        do throws(ConfigurationError) { loaded = try await load() } catch { throw .configuration(error) }
        let log = DaemonLog(
            level: DaemonLog.Level(options.logLevel ?? loaded.configuration.daemon.logLevel), write: LogSink().write)
        let opening = try openStore(loaded.configuration)
        let opened = await opening(nil)
        if case .failure(let error) = opened {
            guard error.kind != .locked else { throw .stateInUse("\(error)") }
            // Served all the same: who asks is told what is wrong, and nothing is overwritten.
            if error.waitsForPerson { log.notice("\(error)", event: .storeProblem) } else { log.error("\(error)", event: .storeProblem) }
        }

        let client = HTTPSClient(
            eventLoop: eventLoop,
            configuration: HTTPSClientConfiguration(environment: options.environment, userAgent: "Postern/\(Release.version)"))
        let cryptography = OpenSSLCryptography()
        let providers = ProviderDirectory(client: client, cryptography: cryptography, log: log)
        let exchange = CodeExchange(providers: providers, cryptography: cryptography)
        let launcher = PageLauncher(environment: options.environment)
        let state = DaemonState(
            version: Release.version, loaded: loaded, store: StoreAccess(opened), log: log, providers: providers, exchange: exchange,
            launch: { [weak self] url, question, done in
                launcher.launch(url, by: self?.state?.browser(of: question) ?? .none, done: done)
            }, sources: DaemonState.Sources(configuration: load, store: opening, logLevel: options.logLevel))
        self.state = state
        state.reloadBegan = { [weak self] in
            self?.reloadBegan()
            return { self?.reloadEnded() }
        }
        await state.restore()
        try await listen(passed, state: state)
        watchIdleness(isActivated: passed.contains { $0.role == .varlink }, state: state)
        feedWatchdog()
        log.notice("serving \(state.callbackOrigins.joined(separator: ", "))", event: .started)
        notifier.ready(status: status(of: state))
    }

    private func takePassedSockets() throws(StartError) -> [PassedSocket] {
        do { return try PassedSockets.take() } catch { throw .passedSockets("\(error)") }
    }

    /// - Returns: what opens the store, now or later, with a passphrase where its person gave one.
    private func openStore(
        _ configuration: Configuration
    ) throws(StartError) -> @DaemonActor (Secret?) async -> Result<Store, StoreError> {
        let directory = try options.state()
        let environment = options.environment
        return { passphrase in
            let choice = KeyChoice(configuration.store.key, environment: environment, passphrase: passphrase)
            let open: @Sendable () -> Result<Store, StoreError> = {
                do throws(StoreError) { return .success(try Store.open(directory: directory, key: choice)) } catch {
                    return .failure(error)
                }
            }
            do throws(NoThread) { return try await BlockingWork.run(open) } catch {
                return .failure(StoreError(.noThread, file: directory, reason: error.reason, advice: error.advice))
            }
        }
    }

    private func listen(_ passed: [PassedSocket], state: DaemonState) async throws(StartError) {
        let responder = CallbackResponder(
            coordinator: state.coordinator, providers: state.providers, endSessionPages: state.endSessionPages,
            userTokens: state.userTokens)
        let settings = state.configuration
        let callbackSockets = passed.filter { $0.role == .callback }.map { BindTarget.fileDescriptor($0.descriptor) }
        let addresses =
            options.listen.isEmpty
            ? settings.callback.addresses.map { BindTarget.address(host: $0, port: settings.callback.port) }
            : options.listen.map { BindTarget.address(host: $0.host, port: $0.port) }
        let tls: TLSContext?
        do throws(TLSError) { tls = try CallbackEncryption.context(of: settings.callback, log: state.log) } catch {
            throw .callback("the callback listener cannot speak https: \(error)")
        }
        let server: CallbackServer
        do {
            server = try await CallbackServer.start(
                configuration: CallbackServerConfiguration(
                    addresses: callbackSockets.isEmpty ? addresses : callbackSockets, tls: tls, sameUser: settings.callback.sameUser,
                    languages: settings.signIn.languages.compactMap(PageLanguage.init(rawValue:))),
                delegate: responder, eventLoop: eventLoop
            ).result()
        } catch {
            throw .callback("\(error)")
        }
        callback = server
        if let ignored = IgnoredAddresses.sentence(
            options: options, callback: settings.callback, passed: passed, bound: server.localAddresses)
        {
            state.log.warning(ignored, event: .configuration)
        }
        let scheme = tls == nil ? "http" : "https"
        state.listening(at: server.localAddresses.compactMap { Self.origin($0, scheme: scheme) })

        let service = SocketService(daemon: state)
        self.service = service
        let info = VarlinkServiceInfo(
            vendor: "Postern", product: "posternd", version: Release.version, url: "https://github.com/postern/postern")
        do {
            let endpoint: VarlinkListener.Endpoint =
                if let socket = passed.first(where: { $0.role == .varlink }) {
                    .fileDescriptor(socket.descriptor)
                } else {
                    .path(try options.socket())
                }
            socket = try await VarlinkListener.start(endpoint, service: service, info: info, on: eventLoop).result()
        } catch let error as StartError {
            throw error
        } catch {
            throw .socket("\(error)")
        }
    }

    private static func origin(_ address: SocketAddress, scheme: String) -> String? {
        guard let host = address.ipAddress, let port = address.port else { return nil }
        return host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
    }

    // MARK: Running

    private func watchIdleness(isActivated: Bool, state: DaemonState) {
        // Only what a client's next call brings back may go by itself.
        if isActivated {
            let idle = IdleExit { [weak self] in
                self?.isBusy ?? false
            } end: { [weak self] in
                self?.isIdleEnd = true
                self?.stop(reason: "idle; the sockets bring it back")
            }
            idle.interval = state.configuration.daemon.idleExit.map(TimeAmount.init)
            self.idle = idle
        }
        state.configurationChanged = { [weak self, weak state] in
            self?.idle?.interval = state?.configuration.daemon.idleExit.map(TimeAmount.init)
        }
        state.activityChanged = { [weak self] in self?.activityChanged() }
    }

    private var isBusy: Bool {
        guard let state, let socket, let callback else { return true }
        return state.isBusy || socket.openConnections > 0 || callback.openConnections > 0
    }

    private func activityChanged() {
        idle?.activityChanged()
        guard let state, !isStopping else { return }
        let status = status(of: state)
        if status != lastStatus {
            lastStatus = status
            notifier.status(status)
        }
    }

    private func status(of state: DaemonState) -> String {
        switch state.coordinator.liveCount {
        case 0: state.store.waitsForPerson ? "serving, locked" : state.store.isUnavailable ? "serving, without its store" : "serving"
        case 1: "serving; 1 sign-in waits"
        case let count: "serving; \(count) sign-ins wait"
        }
    }

    /// From the loop that does the work: where that hangs, nothing feeds the watchdog.
    private func feedWatchdog() {
        guard let microseconds = notifier.watchdogInterval else { return }
        let interval = TimeAmount.microseconds(Int64(microseconds) / 2)
        watchdog = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [notifier] _ in notifier.watchdog() }
    }

    /// The service manager hears of every reload, whoever asked for it: it takes "ready" for the end of the last one.
    private func reloadBegan() {
        reloads += 1
        if reloads == 1, !isStopping { notifier.reloading() }
    }

    private func reloadEnded() {
        reloads -= 1
        guard reloads == 0, !isStopping, let state else { return }
        notifier.ready(status: status(of: state))
    }

    func reload() async {
        // Asked before anything is served: what is read then is new enough, and "ready" would be said too early.
        guard let state, socket != nil, !isStopping else { return }
        // Told to the log already, where it failed.
        try? await state.reload()
    }

    // MARK: Ending

    /// Ends in order: takes nothing new, lets an exchange come to its end, closes the store.
    func stop(reason: String) {
        guard !isStopping else { return }
        isStopping = true
        notifier.stopping()
        state?.log.notice("ending: \(reason)", event: .stopping)
        DaemonActor.start {
            await self.finish()
            exit(0)
        }
    }

    /// Longer than a request to a provider takes: a code, or a refresh token that is being rotated, is lost with its answer. Less
    /// than the unit's TimeoutStopSec.
    private static let patience = TimeAmount.seconds(35)

    private func finish() async {
        // Nothing new: who comes now waits in the queue of a socket that systemd holds, or learns that nobody listens.
        _ = try? await callback?.stopListening().result()
        _ = try? await socket?.stopListening().result()
        if !isIdleEnd { takeNothingNew() }
        let deadline = NIODeadline.now() + Self.patience
        while isUnfinished, NIODeadline.now() < deadline { await pause() }
        takeNothingNew()
        _ = try? await callback?.close().result()
        _ = try? await socket?.close().result()
        // Begun by a connection in its last moment.
        while state?.isWorking == true, NIODeadline.now() < deadline { await pause() }
        await state?.tokens.saveRest()
        await state?.store.close()
    }

    private func takeNothingNew() {
        state?.isEnding = true
        state?.coordinator.askNoMore()
    }

    private var isUnfinished: Bool {
        guard let state, let socket, let callback else { return false }
        if state.isWorking { return true }
        // Who came while an idle daemon made up its mind to go is served.
        return isIdleEnd && socket.openConnections + callback.openConnections > 0
    }

    private func pause() async {
        _ = try? await eventLoop.scheduleTask(in: .milliseconds(20)) {}.futureResult.result()
    }
}

extension TimeAmount {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .milliseconds(max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}
