import PosternConfiguration
import PosternCore
import PosternInterface
import StrictJSON
import Varlink

/// Creates the application from a configuration.
@DaemonActor
public protocol ApplicationComposing: AnyObject {
    func compose(_ loaded: LoadedConfiguration) async -> Application
}

/// The daemon as programs and browsers see it: the application, or, while the configuration is invalid, what reports that.
///
/// If the daemon exited because of its configuration, it would take the sockets that systemd passed with it, and nothing would start it
/// again.
@DaemonActor
public final class ConfiguredDaemon {
    private struct Wiring {
        let composer: any ApplicationComposing
        let listener: any CallbackListening
    }

    private enum State {
        /// Nobody can call yet.
        case unstarted
        /// Every call that needs the configuration reads it again, and fails with its error if it is still invalid.
        case unconfigured(Wiring, ConfigurationError?)
        case serving(Wiring, Application)
    }

    private let startedAt: Timestamp
    private let source: any ConfigurationSource
    private let platform: Platform
    public let events: EventLog
    private var state = State.unstarted
    private let turns = SerialWork()
    /// How often reading the configuration has begun.
    private var readings = 0
    /// A signal to reload is being handled.
    private var isReloading = false
    /// Another signal has arrived and has yet to be handled.
    private var isReloadWanted = false

    public init(
        source: any ConfigurationSource, platform: Platform, events: EventLog
    ) {
        self.source = source
        self.platform = platform
        self.events = events
        startedAt = platform.now
    }

    // MARK: The configuration

    /// Reads the configuration for the first time.
    ///
    /// - Throws: what is wrong with it; calls are answered anyway.
    public func start(
        composer: any ApplicationComposing, listener: any CallbackListening
    ) async throws(ConfigurationError) {
        guard case .unstarted = state else { return }
        state = .unconfigured(Wiring(composer: composer, listener: listener), nil)
        _ = try await configured()
    }

    /// As the method `Reload`, for signals; errors are logged.
    ///
    /// Nobody waits for the result, so any number of signals during one reading cause only one more.
    public func reload() async {
        isReloadWanted = true
        guard !isReloading else { return }
        isReloading = true
        defer { isReloading = false }
        while isReloadWanted, !platform.isEnding {
            isReloadWanted = false
            _ = try? await reloaded()
        }
    }

    /// - Returns: false if the daemon began to shut down meanwhile.
    private func reloaded() async throws(ConfigurationError) -> Bool {
        if let application { return try await application.reload() }
        platform.observer?.reloadBegan()
        defer { platform.observer?.reloadEnded() }
        _ = try await configured()
        return true
    }

    /// The application, once the configuration is valid.
    ///
    /// Callers that arrive while it is being read share the next reading.
    private func configured() async throws(ConfigurationError) -> Application {
        let seen = readings
        await turns.begin()
        defer { turns.end() }
        let wiring: Wiring
        switch state {
        case .unstarted: throw ConfigurationError(file: "config.toml", message: "was not read yet")
        case .serving(_, let application): return application
        case .unconfigured(let known, let error):
            if let error, readings > seen { throw error }
            wiring = known
        }
        readings += 1
        let loaded: LoadedConfiguration
        do throws(ConfigurationError) { loaded = try await source.load() } catch {
            refused(error, wiring)
            throw error
        }
        loaded.configuration.tellLeftOut(events)
        let application = await wiring.composer.compose(loaded)
        if platform.isEnding { application.takeNothingNew() }
        if readings > 1, !platform.isEnding {
            events.report(.configurationReloaded, "the configuration is valid now")
        }
        state = .serving(wiring, application)
        platform.observer?.configurationChanged()
        platform.activityChanged()
        return application
    }

    /// Reports an error once, however often the configuration is read.
    private func refused(_ error: ConfigurationError, _ wiring: Wiring) {
        if case .unconfigured(_, error) = state { return }
        state = .unconfigured(wiring, error)
        events.report(.configurationRefused, "the configuration was rejected: \(error)")
        platform.activityChanged()
    }

    /// What browsers are shown instead of every page; nil if they are served.
    public func configurationProblem() async -> String? {
        await platform.work.count {
            do throws(ConfigurationError) {
                let application = try await configured()
                guard unusable != nil else { return nil }
                await application.callbackWatch.seek()
                return unusable.map { "\($0)" }
            } catch {
                return "\(error)"
            }
        }
    }

    /// Nothing prevents the answer to a browser's request.
    public var isInOrder: Bool { application != nil && unusable == nil }

    /// Why the listener cannot accept an answer.
    private var unusable: ConfigurationError? {
        guard case .serving(let wiring, _) = state, case .unusable(let error) = wiring.listener.status else { return nil }
        return error
    }

    // MARK: Calls

    /// Ends with exactly one final reply or error through `reply`, now or later.
    public func answer(_ call: VarlinkCall, reply: any InterfaceReply) {
        if let application { return application.service.answer(call, reply: reply) }
        guard let method = Interface.Method(name: call.method) else { return reply.fail(.noMethod(call.method)) }
        CallRunner(work: platform.work).run(method, reply) { () throws(InterfaceError) in
            try await self.carryOut(method, call.parameters, reply)
        }
    }

    /// Answers what needs no configuration; for everything else it reads the configuration once more.
    private func carryOut(
        _ method: Interface.Method, _ parameters: JSONObject, _ reply: any InterfaceReply
    ) async throws(InterfaceError) -> (any InterfaceObject)? {
        guard !platform.isEnding else { throw .ending }
        switch method {
        case .getStatus:
            _ = try Interface.GetStatus.read(parameters)
            return status
        case .monitor:
            _ = try Interface.Monitor.read(parameters)
            try await events.follow(reply)
            return nil
        case .reload:
            _ = try Interface.Reload.read(parameters)
            let isInForce: Bool
            do throws(ConfigurationError) { isInForce = try await reloaded() } catch { throw InterfaceError(error) }
            guard isInForce else { throw .ending }
            return Interface.Reload.Reply()
        default:
            let application: Application
            do throws(ConfigurationError) {
                application = try await platform.work.count { () async throws(ConfigurationError) in try await configured() }
            } catch { throw InterfaceError(error) }
            guard !Task.isCancelled else { throw .callerHasGone }
            return try await application.service.answer(method, parameters, reply: reply)
        }
    }

    /// While there is no application, there is no store either, and no address that could receive anything.
    private var status: Interface.GetStatus.Reply {
        Interface.GetStatus.Reply(
            version: Release.version, startedAt: "\(startedAt)", callbackURLs: [], locked: true, sessions: 0,
            configurationFile: source.file,
            storeProblem: invalidity.map { _ in "that waits for a valid configuration" }, problems: [invalidity].compactMap(\.self),
            replaced: platform.isReplaced)
    }

    private var invalidity: String? {
        guard case .unconfigured(_, let error?) = state else { return nil }
        return "the configuration is not valid: \(error)"
    }

    // MARK: Running and ending

    /// Handles the requests of browsers; nil while every page reports a problem.
    public var callbacks: CallbackService? { application?.callbacks }

    /// Nil while the configuration is not valid.
    public var application: Application? {
        guard case .serving(_, let application) = state else { return nil }
        return application
    }

    /// One line for `systemctl status`.
    public var summary: String {
        switch state {
        case .unstarted, .unconfigured(_, nil): "starting"
        case .unconfigured(_, let error?): "waiting for a valid configuration: \(error)"
        case .serving(_, let application): application.summary
        }
    }

    /// How long the daemon may be idle; nil for no limit.
    public var idleExit: Duration? { (application?.ground.settings.configuration ?? Configuration()).daemon.idleExit }

    /// Whether something would be lost or have to start again if the daemon ended now.
    public var isBusy: Bool { application?.isBusy ?? !platform.work.isEmpty(WorkTracker.Kind.allCases) }

    /// Something began or ended.
    public func activityChanged() { application?.callbackChanged() }

    /// The daemon is about to end: whatever starts now would be cut off.
    public func takeNothingNew() {
        platform.isEnding = true
        application?.takeNothingNew()
    }

    /// Returns when nothing is under way, or after this many milliseconds.
    public func workEnds(within milliseconds: Int64) async {
        await platform.work.whenEmpty(within: milliseconds, timers: platform.timers)
    }

    public func close() async { await application?.close() }
}
