import CallbackServer
import Glibc
import HTTPSClient
import LoopbackHTTP
import NIOCore
import PosternApplication
import PosternConfiguration
import PosternCore
import PosternCrypto
import PosternInterface
import PosternSystemd
import Varlink
import VarlinkServer

/// From the first line of the program to its last: makes the parts, tells the service manager, and ends in order.
@DaemonActor
final class Lifecycle {
    private enum Phase {
        case starting
        case serving(Parts)
        /// Nothing new is taken; what is under way comes to its end.
        case ending
    }

    /// What runs.
    private struct Parts {
        let application: Application
        let socket: VarlinkListener
        let callback: CallbackServer
        /// Nil where nothing would start the daemon again.
        let idle: IdleExit?
    }

    private let options: DaemonOptions
    private let notifier = ServiceNotifier()
    private var phase = Phase.starting
    private var watchdog: RepeatedTask?
    private var lastStatus = ""
    /// Readings of the configuration that are under way.
    private var reloads = 0

    private var eventLoop: any EventLoop { DaemonLoop.eventLoop }

    init(options: DaemonOptions) { self.options = options }

    // MARK: Starting

    func start() async throws(StartError) {
        // First of all: until they are taken, every program that is started inherits them.
        let passed = try takePassedSockets()
        let files = ConfigurationFiles(path: try options.configurationPath(), environment: options.environment)
        let loaded: LoadedConfiguration
        do throws(ConfigurationError) { loaded = try await files.load() } catch { throw .configuration(error) }
        let log = DaemonLog(level: DaemonLog.Level(options.logLevel ?? loaded.configuration.daemon.logLevel), writer: LogSink())
        let opener = StoreOpener(
            directory: try options.state(), keySource: loaded.configuration.store.key, environment: options.environment)
        let opened = await opener.open(passphrase: nil)
        if case .failure(let error) = opened {
            guard error.kind != .locked else { throw .stateInUse("\(error)") }
            // Served all the same: who asks is told what is wrong, and nothing is overwritten.
            if error.waitsForPerson { log.notice("\(error)", event: .storeProblem) } else { log.error("\(error)", event: .storeProblem) }
        }
        let application = Application(
            version: Release.version, loaded: loaded, store: opened, in: surroundings(configuration: files, store: opener, log: log))
        await application.restore()
        let callback = try await listen(for: application, on: passed)
        let socket = try await serve(application, on: passed)
        // Only what a client's next call brings back may go by itself.
        let isActivated = passed.contains { $0.role == .varlink }
        let idle = isActivated ? idleExit(loaded.configuration) : nil
        phase = .serving(Parts(application: application, socket: socket, callback: callback, idle: idle))
        feedWatchdog()
        log.notice("serving \(origins(of: callback, loaded.configuration.callback).joined(separator: ", "))", event: .started)
        notifier.ready(status: status(of: application))
    }

    private func takePassedSockets() throws(StartError) -> [PassedSocket] {
        do { return try PassedSockets.take() } catch { throw .passedSockets("\(error)") }
    }

    private func surroundings(configuration: ConfigurationFiles, store: StoreOpener, log: DaemonLog) -> Application.Surroundings {
        let client = HTTPSClient(
            eventLoop: eventLoop,
            configuration: HTTPSClientConfiguration(environment: options.environment, userAgent: "Postern/\(Release.version)"))
        return Application.Surroundings(
            platform: Platform(
                clock: SystemClock(), timers: LoopTimers(), randomness: OpenSSLRandomness(), cryptography: OpenSSLCryptography(),
                observer: self),
            transport: HTTPSTransport(client), pages: PageLauncher(environment: options.environment), passwords: ScryptThreads(),
            codes: CodeProgram(), store: store, configuration: configuration, log: log, logLevel: options.logLevel)
    }

    private func listen(for application: Application, on passed: [PassedSocket]) async throws(StartError) -> CallbackServer {
        let settings = application.settings.configuration
        let callbackSockets = passed.filter { $0.role == .callback }.map { BindTarget.fileDescriptor($0.descriptor) }
        let addresses =
            options.listen.isEmpty
            ? settings.callback.addresses.map { BindTarget.address(host: $0, port: settings.callback.port) }
            : options.listen.map { BindTarget.address(host: $0.host, port: $0.port) }
        let tls: TLSContext?
        do throws(TLSError) { tls = try CallbackEncryption.context(of: settings.callback, log: application.log) } catch {
            throw .callback("the callback listener cannot speak https: \(error)")
        }
        let server: CallbackServer
        do {
            server = try await CallbackServer.start(
                configuration: CallbackServerConfiguration(
                    addresses: callbackSockets.isEmpty ? addresses : callbackSockets, tls: tls, sameUser: settings.callback.sameUser,
                    languages: settings.signIn.languages.compactMap(PageLanguage.init(rawValue:))),
                delegate: CallbackResponder(desk: application.callbacks), eventLoop: eventLoop
            ).result()
        } catch {
            throw .callback("\(error)")
        }
        if let ignored = IgnoredAddresses.sentence(
            options: options, callback: settings.callback, passed: passed, bound: server.localAddresses)
        {
            application.log.warning(ignored, event: .configuration)
        }
        application.origins.listening(at: origins(of: server, settings.callback))
        return server
    }

    private func origins(of server: CallbackServer, _ callback: Configuration.Callback) -> [String] {
        let scheme = callback.certificate == nil ? "http" : "https"
        return server.localAddresses.compactMap { address in
            guard let host = address.ipAddress, let port = address.port else { return nil }
            return host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
        }
    }

    private func serve(_ application: Application, on passed: [PassedSocket]) async throws(StartError) -> VarlinkListener {
        let info = VarlinkServiceInfo(
            vendor: "Postern", product: "posternd", version: Release.version, url: "https://github.com/postern/postern")
        do {
            let endpoint: VarlinkListener.Endpoint =
                if let socket = passed.first(where: { $0.role == .varlink }) {
                    .fileDescriptor(socket.descriptor)
                } else {
                    .path(try options.socket())
                }
            return try await VarlinkListener.start(
                endpoint, service: InterfaceSocket(application, observer: self), info: info, on: eventLoop
            ).result()
        } catch let error as StartError {
            throw error
        } catch {
            throw .socket("\(error)")
        }
    }

    private func idleExit(_ configuration: Configuration) -> IdleExit {
        IdleExit(self, interval: configuration.daemon.idleExit?.components.seconds, clock: SystemClock(), timers: LoopTimers())
    }

    // MARK: Running

    private func status(of application: Application) -> String {
        switch application.waitingSignIns {
        case 0:
            application.store.waitsForPerson
                ? "serving, locked" : application.store.isUnavailable ? "serving, without its store" : "serving"
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

    func reload() async {
        // Asked before anything is served: what is read then is new enough, and "ready" would be said too early.
        guard case .serving(let parts) = phase else { return }
        await parts.application.reload()
    }

    // MARK: Ending

    /// Longer than a request to a provider takes: a code, or a refresh token that is being rotated, is lost with its answer. Less
    /// than the unit's TimeoutStopSec. In milliseconds.
    private static let patience: Int64 = 35_000

    /// Ends in order: takes nothing new, lets an exchange come to its end, closes the store.
    func stop(reason: String) { stop(reason: reason, isIdle: false) }

    private func stop(reason: String, isIdle: Bool) {
        guard case .serving(let parts) = phase else {
            // Nothing was served yet, so nothing is lost.
            if case .starting = phase { exit(0) }
            return
        }
        phase = .ending
        notifier.stopping()
        parts.application.log.notice("ending: \(reason)", event: .stopping)
        DaemonActor.start {
            await self.finish(parts, isIdle: isIdle)
            exit(0)
        }
    }

    private func finish(_ parts: Parts, isIdle: Bool) async {
        let application = parts.application
        let deadline = SystemClock().uptime + Self.patience / 1000
        // Nothing new: who comes now waits in the queue of a socket that systemd holds, or learns that nobody listens.
        _ = try? await parts.callback.stopListening().result()
        _ = try? await parts.socket.stopListening().result()
        // Who came while an idle daemon made up its mind to go is served.
        if isIdle { await connectionsEnd(of: parts) }
        application.takeNothingNew()
        await workEnds(in: application, by: deadline)
        _ = try? await parts.callback.close().result()
        _ = try? await parts.socket.close().result()
        // Begun by a connection in its last moment.
        await workEnds(in: application, by: deadline)
        await application.close()
    }

    private func workEnds(in application: Application, by deadline: Int64) async {
        let left = max(0, deadline - SystemClock().uptime)
        await application.platform.work.whenEmpty(within: left * 1000, timers: application.platform.timers)
    }

    private func connectionsEnd(of parts: Parts) async {
        let promise = eventLoop.makePromise(of: Void.self)
        let timeout = eventLoop.scheduleTask(in: .milliseconds(Self.patience)) { promise.succeed() }
        parts.callback.drained().and(parts.socket.drained()).whenComplete { _ in promise.succeed() }
        _ = try? await promise.futureResult.result()
        timeout.cancel()
    }
}

extension Lifecycle: ApplicationObserver {
    func activityChanged() {
        guard case .serving(let parts) = phase else { return }
        parts.idle?.activityChanged()
        let status = status(of: parts.application)
        if status != lastStatus {
            lastStatus = status
            notifier.status(status)
        }
    }

    func configurationChanged() {
        guard case .serving(let parts) = phase else { return }
        parts.idle?.interval = parts.application.settings.configuration.daemon.idleExit?.components.seconds
    }

    /// The service manager hears of every reload, whoever asked for it: it takes "ready" for the end of the last one.
    func reloadBegan() {
        reloads += 1
        if reloads == 1, case .serving = phase { notifier.reloading() }
    }

    func reloadEnded() {
        reloads -= 1
        guard reloads == 0, case .serving(let parts) = phase else { return }
        notifier.ready(status: status(of: parts.application))
    }
}

extension Lifecycle: IdleExit.Subject {
    var isBusy: Bool {
        guard case .serving(let parts) = phase else { return true }
        return parts.application.isBusy || parts.socket.openConnections > 0 || parts.callback.openConnections > 0
    }

    func endIdle() { stop(reason: "idle; the sockets bring it back", isIdle: true) }
}
