@testable import PosternApplication
import PosternConfiguration
import PosternCore
import StrictJSON
import Varlink

/// The daemon as programs and browsers meet it, with a configuration that is read when the test says so.
///
/// Unchecked: one test uses it, step by step.
final class TestFront: @unchecked Sendable {
    /// What the configuration leads to.
    let daemon: TestApplication
    let source: ScriptedConfiguration
    let composer: RecordedComposer
    let front: ConfiguredDaemon
    /// What the start threw.
    private let started = Recorded<ConfigurationError>()

    /// - Parameter isStarted: false: nobody has called ``start()`` yet.
    init(_ toml: String, isStarted: Bool = true) throws {
        let daemon = try TestApplication()
        let file = "\(daemon.directory)/config.toml"
        try TestApplication.write(toml, to: file)
        let source = ScriptedConfiguration(file: file)
        self.daemon = daemon
        self.source = source
        (composer, front) = daemon.executor.isolated {
            (
                RecordedComposer(daemon.application),
                ConfiguredDaemon(source: source, platform: daemon.application.ground.platform, events: daemon.application.ground.events)
            )
        }
        if isStarted {
            start()
            daemon.settle()
        }
    }

    func start() {
        let (front, composer, listener, started) = (front, composer, daemon.listener, started)
        DaemonActor.start {
            do throws(ConfigurationError) { try await front.start(composer: composer, listener: listener) } catch { started.value = error }
        }
    }

    var startError: ConfigurationError? { started.value }

    func write(_ toml: String) throws { try TestApplication.write(toml, to: source.file) }

    @discardableResult
    func call(
        _ method: String, _ parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false, settling: Bool = true
    ) -> RecordedReply {
        let reply = daemon.executor.isolated {
            let reply = RecordedReply(wantsMore: more, isOneway: oneway)
            front.answer(VarlinkCall(method: "io.postern.\(method)", parameters: parameters), reply: reply)
            return reply
        }
        if settling { daemon.settle() }
        return reply
    }

    /// The ending daemon: takes nothing new, and says when nothing is left, or its time is over.
    func takeNothingNew() { daemon.executor.isolated { front.takeNothingNew() } }

    func workEnds(within milliseconds: Int64 = 35_000) -> Recorded<Bool> {
        let (front, ended) = (front, Recorded<Bool>())
        DaemonActor.start {
            await front.workEnds(within: milliseconds)
            ended.value = true
        }
        return ended
    }

    var isBusy: Bool { daemon.executor.isolated { front.isBusy } }
    var summary: String { daemon.executor.isolated { front.summary } }
    /// Entries of the log about a configuration that was not taken.
    var refusals: [String] { daemon.log.entries.filter { $0.kind == .configurationRefused }.map(\.message) }
}

/// What came of something that went on by itself; nil until then.
@DaemonActor
final class Recorded<Value: Sendable> {
    nonisolated(unsafe) var value: Value?

    nonisolated init() {}
}

/// Reads the file each time, at once or when the test lets it.
@DaemonActor
final class ScriptedConfiguration: ConfigurationSource {
    nonisolated let file: String
    private(set) nonisolated(unsafe) var readings = 0
    /// Readings wait from now on.
    nonisolated(unsafe) var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    nonisolated init(file: String) { self.file = file }

    func rereadSecrets() async -> [Provider] { [] }

    func load() async throws(ConfigurationError) -> LoadedConfiguration {
        readings += 1
        // As files are read: not at once.
        await Task.yield()
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
        do { return try TestApplication.load(file) } catch let error as ConfigurationError { throw error } catch {
            throw ConfigurationError(file: file, message: "\(error)")
        }
    }

    /// The readings that wait go on, and none waits any more.
    func release() {
        isHeld = false
        let all = waiting
        waiting = []
        for continuation in all { continuation.resume() }
    }
}

@DaemonActor
final class RecordedComposer: ApplicationComposing {
    private let application: Application
    private(set) nonisolated(unsafe) var count = 0

    init(_ application: Application) { self.application = application }

    func compose(_ loaded: LoadedConfiguration) async -> Application {
        count += 1
        return application
    }
}
