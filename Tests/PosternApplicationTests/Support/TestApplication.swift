import Glibc
@testable import PosternApplication
import PosternConfiguration
import PosternCore
import PosternCrypto
import PosternDaemon
import PosternInterface
@testable import PosternStore
import StrictJSON
import Varlink

/// The whole application, with a clock, timers, random values and a provider that obey the test. The store is the real one, in a
/// directory of its own, and takes its turns with everything else.
///
/// Unchecked: one test uses it, step by step.
final class TestApplication: @unchecked Sendable {
    let executor = QueueExecutor.shared
    let clock = FakeClock()
    let timers = FakeTimers()
    let provider = ScriptedProvider()
    let pages = RecordedPages()
    let notices = RecordedNotices()
    let commands = RecordedCommands()
    let passwords = QuickPasswords()
    let log = RecordedLog()
    let listener = FakeListener()
    let randomness: CountingRandomness
    let directory: String
    let application: Application
    let configuration: ScriptedConfiguration
    let opener: TestStoreOpener
    /// Those that show pages.
    private var replies: [RecordedReply] = []
    /// Another run of the daemon is on this disk now.
    private var isFollowed = false

    /// - Parameters:
    ///   - toml: the configuration, as in a file.
    ///   - key: where the store's key is.
    ///   - randomness: another run's, so that nothing has the same identifier.
    init(
        _ toml: String = TestApplication.example, directory kept: String? = nil, key: KeyPreference = .file,
        languages: PersonLanguages = PersonLanguages(environment: [:]), after seconds: Int64 = 0, storeProblem: StoreError? = nil,
        randomness: CountingRandomness = CountingRandomness()
    ) throws {
        self.randomness = randomness
        clock.advance(milliseconds: seconds * 1000)
        if let kept {
            directory = kept
        } else {
            // In memory, where there is such a place: that what is written survives a power cut is for tests of the store.
            let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
            var template = Array("\(place)/postern-application.XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { throw TestFailure("no directory could be made") }
            directory = String(cString: made)
        }
        let file = "\(directory)/config.toml"
        try Self.write(toml, to: file)
        let loaded = try Self.load(file)
        let (executor, state) = (executor, "\(directory)/state")
        (configuration, opener) = executor.isolated {
            (ScriptedConfiguration(file: file), TestStoreOpener(directory: state, key: key, executor: executor))
        }
        let (clock, timers, provider, pages, notices, commands, passwords, log, listener, configuration, opener) = (
            clock, timers, provider, pages, notices, commands, passwords, log, listener, configuration, opener
        )
        opener.problem = storeProblem
        application = executor.isolated {
            let platform = Platform(
                clock: clock, timers: timers, randomness: randomness, cryptography: OpenSSLCryptography())
            return Application(
                loaded, store: opener.openNow(passphrase: nil),
                in: Application.Surroundings(
                    platform: platform, transport: provider, pages: pages, passwords: passwords, commands: commands, notices: notices,
                    languages: languages, store: opener, configuration: configuration, stateDirectory: state,
                    listener: listener, events: EventLog(level: .debug, writer: log, clock: clock)))
        }
        run { await $0.restore() }
    }

    /// One OAuth provider without discovery, which gives refresh tokens.
    static let example = """
        [provider.work]
        kind = "oauth2"
        client-id = "client"
        authorization-endpoint = "https://work.example/authorize"
        token-endpoint = "https://work.example/token"
        userinfo-endpoint = "https://work.example/userinfo"
        revocation-endpoint = "https://work.example/revoke"
        device-authorization-endpoint = "https://work.example/device"
        profile = { uid = "id", display-name = "name", email = "email" }
        """

    static func write(_ text: String, to file: String) throws {
        guard let stream = fopen(file, "w") else { throw TestFailure("\(file) could not be written") }
        fputs(text, stream)
        fclose(stream)
        chmod(file, 0o600)
    }

    static func load(_ file: String) throws -> LoadedConfiguration {
        let configuration = try ConfigurationLoader.load(path: file, environment: ["HOME": "/nonexistent"])
        return LoadedConfiguration(
            configuration: configuration, providers: try configuration.providers.map(withSecrets),
            phone: phone(configuration.secondFactors.phone),
            firebase: configuration.accounts.firebase.map { .success(FirebaseProject(apiKey: key($0.apiKey), projectID: $0.projectID)) })
    }

    private static func key(_ source: SecretSource) -> Secret { if case .literal(let key) = source { key } else { Secret("key") } }

    private static func withSecrets(_ configured: PosternConfiguration.ConfiguredProvider) throws -> Provider {
        let resolver = SecretResolver(environment: ["PATH": "/usr/bin:/bin"])
        return try configured.secrets.reduce(into: configured.provider) { provider, secret in
            secret.put(try resolver.resolve(secret.source, extent: secret.extent), into: &provider)
        }
    }

    private static func phone(_ phone: Configuration.Phone?) -> LoadedConfiguration.PhoneDelivery {
        switch phone {
        case nil: .none
        case .command(let command): .command(command)
        case .gateway(let url, .literal(let token), let caFile): .gateway(url, token: token, caFile: caFile)
        case .gateway: .unusable("the token of the gateway cannot be read")
        }
    }

    /// Another run of the daemon on the same disk, whatever has become of this one.
    ///
    /// - Parameter seconds: on the new clock, since the first one's beginning.
    func followed(configuration: String = TestApplication.example, after seconds: Int64 = 0) throws -> TestApplication {
        isFollowed = true
        return try TestApplication(configuration, directory: directory, after: seconds, randomness: randomness)
    }

    // MARK: Time

    /// Everything that can happen now happens.
    func settle() { executor.settle() }

    /// Time passes, timer by timer.
    func pass(seconds: Int64) {
        var left = seconds * 1000
        settle()
        while left > 0 {
            let next = executor.isolated { timers.untilNext }
            let step = min(max(next ?? left, 1), left)
            clock.advance(milliseconds: step)
            executor.isolated { timers.advance(milliseconds: step) }
            settle()
            left -= step
        }
    }

    // MARK: Calls

    /// Runs the work of the application until it waits for something from outside.
    func run(_ work: @escaping @Sendable @DaemonActor (Application) async -> Void) {
        let application = application
        DaemonActor.start { await work(application) }
        settle()
    }

    /// Calls a method as a program would.
    @discardableResult
    func call(
        _ method: String, _ parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false, settling: Bool = true
    ) -> RecordedReply {
        let reply = executor.isolated {
            let reply = RecordedReply(wantsMore: more, isOneway: oneway)
            application.service.answer(VarlinkCall(method: "io.postern.\(method)", parameters: parameters), reply: reply)
            return reply
        }
        if more { replies.append(reply) }
        if settling { settle() }
        return reply
    }

    /// The configuration changes and is read again.
    func reload(_ toml: String) throws {
        try Self.write(toml, to: "\(directory)/config.toml")
        call("Reload")
    }

    /// What the browser brings back, to where the page with this state was told to send it.
    ///
    /// - Parameter place: another redirect URI.
    @discardableResult
    func browserReturns(_ query: String, to place: String? = nil) -> RecordedReply {
        let place = place ?? redirectURI(ofPageWith: "?\(query)".query("state")) ?? "http://127.0.0.1:7678/__/auth/handler"
        return call("DeliverRedirect", ["url": .string("\(place)?\(query)")])
    }

    private func redirectURI(ofPageWith state: String?) -> String? {
        guard let state else { return nil }
        let shown = replies.compactMap { $0.event?["authorizationURL"]?.stringValue } + executor.isolated { pages.opened }
        let page = shown.last { $0.query("state") == state }
        return page?.query("redirect_uri")?.replacing("%3A", with: ":").replacing("%2F", with: "/")
    }

    deinit {
        let directory = directory
        executor.settle()
        guard !isFollowed else { return }
        // Small and of one level: what the store made.
        for name in ["state/postern.db", "state/postern.db-wal", "state/postern.db-shm", "state/key", "state/lock", "config.toml"] {
            unlink("\(directory)/\(name)")
        }
        rmdir("\(directory)/state")
        rmdir(directory)
    }
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// What a program was answered.
@DaemonActor
final class RecordedReply: InterfaceReply {
    private(set) nonisolated(unsafe) var replies: [JSONObject] = []
    private(set) nonisolated(unsafe) var error: InterfaceError?
    private(set) nonisolated(unsafe) var isFinished = false
    /// Final replies and errors, those among them that came after the first: there is to be one.
    private(set) nonisolated(unsafe) var lastWords = 0
    private var hasLeft = false
    private var cancelled: (@Sendable @DaemonActor () -> Void)?

    let caller = CallingProcess(pid: 4711, executable: "/usr/bin/program", unit: nil)
    let wantsMore: Bool
    let isOneway: Bool

    init(wantsMore: Bool, isOneway: Bool) {
        self.wantsMore = wantsMore
        self.isOneway = isOneway
    }

    var isCancelled: Bool { hasLeft || isFinished }

    func send(_ reply: some JSONMembers, continues: Bool) {
        if !continues, !hasLeft { lastWords += 1 }
        guard !isCancelled else { return }
        replies.append(reply.object)
        if !continues { isFinished = true }
    }

    func fail(_ error: InterfaceError) {
        if !hasLeft { lastWords += 1 }
        guard !isCancelled else { return }
        self.error = error
        isFinished = true
    }

    func onDisconnect(_ body: @escaping @Sendable @DaemonActor () -> Void) { hasLeft ? body() : (cancelled = body) }

    /// The program goes away.
    func leave() {
        guard !isCancelled else { return }
        hasLeft = true
        cancelled?()
    }

    /// The last reply's member.
    nonisolated subscript(name: String) -> JSON? { replies.last?[name] }

    /// The error's name without its interface.
    nonisolated var errorName: String? { error.map { String($0.name.split(separator: ".").last ?? "") } }

    /// The error's sentence.
    nonisolated var message: String { error?.object["message"]?.stringValue ?? "" }
}

@DaemonActor
final class RecordedPages: PageLaunching {
    private(set) nonisolated(unsafe) var opened: [String] = []
    /// What each was opened with.
    private(set) nonisolated(unsafe) var activationTokens: [String?] = []
    /// Why pages cannot be opened; nil if they can.
    var problem: String?
    /// What becomes of them is known when the test says so.
    var isHeld = false
    private var held: [@Sendable @DaemonActor (_ problem: String?) -> Void] = []

    nonisolated init() {}

    func launch(
        _ url: String, by browser: Configuration.Browser, activationToken: String?,
        done: @escaping @Sendable @DaemonActor (_ problem: String?) -> Void
    ) {
        opened.append(url)
        activationTokens.append(activationToken)
        if isHeld { held.append(done) } else { done(problem) }
    }

    /// The oldest that is held was opened, or could not be.
    func end(_ problem: String?) { held.removeFirst()(problem) }
}

/// What is on the screen, and what somebody does with it.
@DaemonActor
final class RecordedNotices: NoticeBoard {
    /// All that were shown, in order.
    private(set) nonisolated(unsafe) var shown: [Notice] = []
    /// On the screen now.
    private(set) nonisolated(unsafe) var displayed: [String: Notice] = [:]
    private var listeners: [String: @Sendable @DaemonActor (NoticeEvent) -> Void] = [:]

    nonisolated init() {}

    func show(_ notice: Notice, heard: @escaping @Sendable @DaemonActor (NoticeEvent) -> Void) {
        shown.append(notice)
        displayed[notice.id] = notice
        listeners[notice.id] = heard
    }

    func withdraw(_ id: String) {
        displayed[id] = nil
        listeners[id] = nil
    }

    func close() async { displayed = [:] }

    /// The desktop tells of the only notice.
    func happens(_ event: NoticeEvent) {
        for (id, heard) in listeners {
            withdraw(id)
            heard(event)
        }
    }
}

/// Programs that take until the test ends them.
@DaemonActor
final class RecordedCommands: CommandRunning {
    /// The variables of each.
    private(set) nonisolated(unsafe) var runs: [[String: String]] = []
    /// What each read.
    private(set) nonisolated(unsafe) var inputs: [[UInt8]?] = []
    private var running: [CheckedContinuation<String?, Never>] = []

    nonisolated init() {}

    func run(_ command: ConfiguredCommand, input: [UInt8]?, variables: [String: String]) async -> String? {
        runs.append(variables)
        inputs.append(input)
        return await withCheckedContinuation { running.append($0) }
    }

    func end(_ problem: String? = nil) {
        guard !running.isEmpty else { return }
        running.removeFirst().resume(returning: problem)
    }
}

@DaemonActor
final class RecordedLog: LogWriter {
    private(set) nonisolated(unsafe) var entries: [EventLog.Entry] = []

    nonisolated init() {}

    func write(_ entry: EventLog.Entry) { entries.append(entry) }
}

/// Cheap, so that tests of rules do not wait for scrypt, whose own tests are elsewhere.
@DaemonActor
final class QuickPasswords: PasswordDerivation {
    /// The work that each asked for, in order.
    nonisolated(unsafe) var work: [PasswordHash.Parameters] = []
    /// They wait until it is false again.
    nonisolated(unsafe) var isHeld = false
    private var held: [CheckedContinuation<Void, Never>] = []

    nonisolated init() {}

    func derive(
        _ password: Secret, salt: [UInt8], parameters: PasswordHash.Parameters, byteCount: Int
    ) async throws(PasswordDerivationFailure) -> Secret {
        work.append(parameters)
        if isHeld { await withCheckedContinuation { held.append($0) } }
        return Secret(Array(OpenSSLCryptography().sha512(password.revealBytes() + salt).prefix(byteCount)))
    }

    func release() {
        isHeld = false
        for continuation in held { continuation.resume() }
        held = []
    }
}

@DaemonActor
final class TestStoreOpener: StoreOpening {
    private let directory: String
    private let key: KeyPreference
    private let executor: QueueExecutor
    /// The last one that was opened.
    private(set) var store: Store?
    private(set) nonisolated(unsafe) var tries = 0
    /// Why it does not open; nil if it does.
    nonisolated(unsafe) var problem: StoreError?

    init(directory: String, key: KeyPreference, executor: QueueExecutor) {
        self.directory = directory
        self.key = key
        self.executor = executor
    }

    func open(passphrase: Secret?, isSuspect: Bool) async -> Result<any ApplicationStore, StoreError> {
        openNow(passphrase: passphrase, isSuspect: isSuspect)
    }

    func openNow(passphrase: Secret?, isSuspect: Bool = false) -> Result<any ApplicationStore, StoreError> {
        tries += 1
        if let problem { return .failure(problem) }
        do throws(StoreError) {
            var choice = KeyChoice(key, passphrase: passphrase)
            // What a guess costs is for tests of the store.
            choice.passphraseCost = 16
            let opened = try Store.open(directory: directory, key: choice, isSuspect: isSuspect, on: StoreQueue(executor))
            store = opened
            return .success(opened)
        } catch { return .failure(error) }
    }

    func check(_ passphrase: Secret, of store: any ApplicationStore) async throws(StoreError) { try store.check(passphrase: passphrase) }

    func configurationChanged(_ configuration: Configuration.Store) {}

    func returnFreedMemory() {}
}
