import CProcess
import Glibc
import PosternApplication
import PosternConfiguration
import PosternInterface
import PosternSystemd
import Reactor
import Varlink
import VarlinkServer

/// Runs the program from start to end: creates the parts, notifies the service manager, and shuts down in order.
@DaemonActor
final class Lifecycle {
    private enum Phase {
        case starting
        /// The socket's file exists, and must be removed with the daemon: a client's request to end it takes effect once it serves.
        case opening(toEnd: String?)
        case serving(Parts)
        /// No new work is accepted; work under way is completed.
        case ending
    }

    /// What runs.
    private struct Parts {
        let front: ConfiguredDaemon
        let socket: VarlinkListener
        let callback: CallbackListener
        /// Nil if nothing would start the daemon again.
        let idle: IdleExit?
    }

    private let options: DaemonOptions
    private let notifier = ServiceNotifier { delay, body in _ = DaemonLoop.loop.schedule(after: delay, body) }
    private let clock = SystemClock()
    private var phase = Phase.starting
    private var watchdog: LoopTimer?
    private var lastStatus = ""
    /// How many readings of the configuration are under way.
    private var reloads = 0
    /// Nil if there is no directory for it; the start reports that.
    private let names: NamesFile?
    private let program = ProgramFile()
    private let memory = FreedMemory(timers: LoopTimers()) { malloc_trim(0) }

    init(options: DaemonOptions) {
        self.options = options
        names = (try? options.state()).map { NamesFile(directory: $0) }
    }

    // MARK: Starting

    func start() async throws(StartError) {
        // First of all: until they are taken, every program that is started inherits them.
        let passed = try takePassedSockets()
        let composition = try Composition(options: options, passed: passed, observer: self)
        let (front, callback) = (composition.front, composition.callback)
        do throws(ConfigurationError) { try await composition.start() } catch {
            // If we exited, what systemd passed would be lost, and nobody would learn why.
            guard !passed.isEmpty else { throw .configuration(error) }
        }
        if passed.isEmpty, let failure = composition.failure { throw failure }
        await callback.answerPassed()
        phase = .opening(toEnd: nil)
        let socket = try serve(front, on: passed)
        let toEnd: String? = if case .opening(let reason) = phase { reason } else { nil }
        // The daemon may exit by itself only if a client's next call starts it again.
        let isActivated = passed.contains { $0.role == .varlink }
        let idle = isActivated ? idleExit(front) : nil
        phase = .serving(Parts(front: front, socket: socket, callback: callback, idle: idle))
        writeNames(of: front)
        feedWatchdog()
        let origins = callback.status.origins
        composition.events.report(
            .started, "serving \(origins.isEmpty ? "programs, but no callbacks yet" : origins.joined(separator: ", "))")
        if let warning = DescriptorShares.ofThisProcess.warning { composition.events.report(.configuration, warning) }
        lastStatus = status(of: front, callback)
        notifier.ready(status: lastStatus)
        front.activityChanged()
        if let toEnd { stop(reason: toEnd) }
    }

    private func takePassedSockets() throws(StartError) -> [PassedSocket] {
        do { return try PassedSockets.take() } catch { throw .passedSockets("\(error)") }
    }

    private func serve(_ front: ConfiguredDaemon, on passed: [PassedSocket]) throws(StartError) -> VarlinkListener {
        let info = VarlinkServiceInfo(
            vendor: "Postern", product: "posternd", version: Release.version, url: "https://github.com/postern/postern")
        let endpoint: VarlinkListener.Endpoint =
            if let socket = passed.first(where: { $0.role == .varlink }) {
                .fileDescriptor(socket.descriptor)
            } else {
                .path(try options.socket())
            }
        var limits = VarlinkLimits()
        limits.connections = DescriptorShares.ofThisProcess.programs
        do throws(VarlinkListenerError) {
            return try VarlinkListener(
                endpoint, service: InterfaceSocket(front, observer: self), info: info, limits: limits, on: DaemonLoop.loop)
        } catch { throw .socket("\(error)") }
    }

    private func idleExit(_ front: ConfiguredDaemon) -> IdleExit {
        IdleExit(self, interval: front.idleExit?.components.seconds, clock: clock, timers: LoopTimers())
    }

    // MARK: Running

    private func status(of front: ConfiguredDaemon, _ callback: CallbackListener) -> String {
        guard front.application != nil, let trouble = callback.status.trouble else { return front.summary }
        return "\(front.summary); \(trouble)"
    }

    /// On the loop that does the work: if it hangs, nothing feeds the watchdog.
    private func feedWatchdog() {
        guard let microseconds = notifier.watchdogInterval else { return }
        feedWatchdog(every: .microseconds(Int64(clamping: microseconds) / 2))
    }

    private func feedWatchdog(every interval: Duration) {
        watchdog = DaemonLoop.loop.schedule(after: interval) {
            DaemonActor.assumeIsolated {
                self.notifier.watchdog()
                self.feedWatchdog(every: interval)
            }
        }
    }

    func reload() async {
        // Checked before anything is served: what is read then is new enough, and "ready" would be sent too early.
        guard case .serving(let parts) = phase else { return }
        await parts.front.reload()
    }

    // MARK: Ending

    /// Longer than a request to a provider takes: a code, or a refresh token that is being rotated, would be lost with its answer. Less
    /// than the unit's TimeoutStopSec. In milliseconds.
    private static let patience: Int64 = 35_000

    /// Shuts down in order: accepts nothing new, completes requests under way, closes the store.
    func stop(reason: String) { stop(reason: reason, isIdle: false) }

    private func stop(reason: String, isIdle: Bool) {
        let parts: Parts
        switch phase {
        // Nothing was served yet, so nothing is lost.
        case .starting: exit(0)
        case .opening: return phase = .opening(toEnd: reason)
        case .serving(let running): parts = running
        case .ending: return
        }
        phase = .ending
        // No new connections: a new client waits in the queue of a socket that systemd holds, or its connection is refused.
        parts.socket.stopListening()
        // Clients that connected while an idle daemon decided to exit are served.
        if !isIdle { parts.front.takeNothingNew() }
        notifier.stopping()
        parts.front.events.report(.stopping, "ending: \(reason)")
        DaemonActor.start {
            await self.finish(parts, isIdle: isIdle)
            exit(0)
        }
    }

    private func finish(_ parts: Parts, isIdle: Bool) async {
        let front = parts.front
        let deadline = clock.uptime + Self.patience / 1000
        await parts.callback.stopListening()
        if isIdle {
            await connectionsEnd(of: parts)
            front.takeNothingNew()
        }
        await workEnds(in: front, by: deadline)
        await parts.callback.close()
        parts.socket.close()
        // Work that a connection started in its last moment.
        await workEnds(in: front, by: deadline)
        await front.close()
    }

    private func workEnds(in front: ConfiguredDaemon, by deadline: Int64) async {
        await front.workEnds(within: max(0, deadline - clock.uptime) * 1000)
    }

    private func connectionsEnd(of parts: Parts) async {
        let ends = WorkTracker()
        ends.start { await parts.callback.drained() }
        ends.start { await withCheckedContinuation { continuation in parts.socket.whenDrained { continuation.resume() } } }
        await ends.whenEmpty(within: Self.patience, timers: LoopTimers())
    }
}

extension Lifecycle: ApplicationObserver {
    /// Nothing else depends on this, and it happens often.
    func clientsChanged() {
        memory.activityChanged()
        if case .serving(let parts) = phase { parts.idle?.activityChanged() }
    }

    func activityChanged() {
        memory.activityChanged()
        guard case .serving(let parts) = phase else { return }
        parts.idle?.activityChanged()
        parts.front.activityChanged()
        let status = status(of: parts.front, parts.callback)
        if status != lastStatus {
            lastStatus = status
            notifier.status(status)
        }
    }

    func configurationChanged() {
        guard case .serving(let parts) = phase else { return }
        parts.idle?.interval = parts.front.idleExit?.components.seconds
        writeNames(of: parts.front)
    }

    private func writeNames(of front: ConfiguredDaemon) {
        if let application = front.application { names?.write(application) }
    }

    /// The service manager is notified of every reload, whoever requested it: it treats "ready" as the end of the last one.
    func reloadBegan() {
        reloads += 1
        if reloads == 1, case .serving = phase { notifier.reloading() }
    }

    func reloadEnded() {
        reloads -= 1
        guard reloads == 0, case .serving(let parts) = phase else { return }
        notifier.ready(status: status(of: parts.front, parts.callback))
    }
}

extension Lifecycle: IdleExit.Subject {
    var isBusy: Bool {
        guard case .serving(let parts) = phase else { return true }
        return parts.front.isBusy || parts.socket.openConnections > 0 || parts.callback.openConnections > 0
    }

    func endIdle() {
        stop(
            reason: isReplaced ? "idle, and the program was replaced; the sockets start the new one" : "idle; the sockets start it again",
            isIdle: true)
    }

    var isReplaced: Bool { program.isReplaced }
}
