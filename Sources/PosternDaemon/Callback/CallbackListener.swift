import CallbackServer
import Glibc
import LoopbackHTTP
import NIOCore
import PosternApplication
import PosternConfiguration
import PosternCore
import PosternCrypto
import PosternSystemd

/// Binds what ``CallbackAddresses`` says, and serves callbacks there.
@DaemonActor
final class CallbackListener: CallbackListening {
    private enum Phase {
        /// Only the problem is reported there.
        case closed(Configuration?)
        case open(Configuration.Callback, tls: TLSContext?)
    }

    private let sockets: CallbackSockets
    private let options: DaemonOptions
    private let passed: [PassedSocket]
    private let events: EventLog
    private let turns = SerialWork()
    private var phase = Phase.closed(nil)
    private var addresses = CallbackAddresses()
    private var users: [UInt32: String] = [:]
    private var takenPassed: Result<Void, HTTPListenerError>?
    private(set) var status = CallbackStatus.open(.unbound)

    /// Does not listen yet.
    ///
    /// - Parameter passed: the sockets from systemd; those for programs are ignored.
    init(delegate: any CallbackDelegate, options: DaemonOptions, passed: [PassedSocket], events: EventLog) {
        sockets = CallbackSockets(delegate: delegate, events: events)
        self.options = options
        self.passed = passed
        self.events = events
    }

    // MARK: Opening

    /// Answers at the sockets that systemd passed: with the problem, until the listener is open.
    func answerPassed() async { _ = await takePassed() }

    /// - Returns: why the listener is not where it should be; nil if it is.
    func open(_ configuration: Configuration, need: CallbackNeed) async -> StartError? {
        await turns.begin()
        defer { turns.end() }
        return await openNow(configuration, need)
    }

    private func openNow(_ configuration: Configuration, _ need: CallbackNeed) async -> StartError? {
        if let failure = await takePassed() {
            return unusable(configuration, "postern-callback.socket", "\(failure)")
        }
        let callback = configuration.callback
        let tls: TLSContext?
        do throws(TLSError) { tls = try CallbackEncryption.context(of: callback, events: events) } catch {
            return unusable(configuration, callback.certificate ?? "", "the callback listener cannot serve https: \(error)")
        }
        do throws(HTTPListenerError) {
            try sockets.change(Self.settings(configuration, tls))
        } catch {
            return unusable(configuration, (try? options.configurationPath()) ?? "", "\(error)")
        }
        phase = .open(callback, tls: tls)
        warnOfIgnored(callback)
        let named = callback.addresses.map { CallbackAddresses.Address(host: $0, port: callback.port) }
        addresses.configure(options.listen.isEmpty ? named : options.listen)
        // An address on the command line must be used exactly, and the user is there to read why it is not free. Otherwise, at the first
        // address or on a free port, people can still sign in; `GetStatus` and the log report the addresses that we do not hold.
        return await settle(need, isExact: !options.listen.isEmpty).map { .callback($0.sentence) }
    }

    private func unusable(_ configuration: Configuration, _ file: String, _ message: String) -> StartError {
        phase = .closed(configuration)
        let error = ConfigurationError(file: file, message: message)
        if status != .unusable(error) { events.report(.configuration, "callbacks cannot be received: \(error)", level: .error) }
        status = .unusable(error)
        return .callbackUnusable(message)
    }

    private static func settings(_ configuration: Configuration, _ tls: TLSContext?) -> CallbackSettings {
        CallbackSettings(
            tls: tls, sameUser: configuration.callback.sameUser,
            languages: configuration.signIn.languages.compactMap(PageLanguage.init(rawValue:)))
    }

    /// - Returns: why a socket cannot be used.
    private func takePassed() async -> HTTPListenerError? {
        if let takenPassed {
            guard case .failure(let error) = takenPassed else { return nil }
            return error
        }
        takenPassed = .success(())
        for socket in passed where socket.role != .varlink {
            do throws(HTTPListenerError) {
                let bound = try await sockets.listen(at: [.fileDescriptor(socket.descriptor)])
                if socket.role == .callback { addresses.adopt(bound.compactMap(CallbackAddresses.Address.init)) }
            } catch {
                takenPassed = .failure(error)
                return error
            }
        }
        return nil
    }

    private func warnOfIgnored(_ callback: Configuration.Callback) {
        let bound = addresses.configured.compactMap { try? SocketAddress(ipAddress: $0.host, port: $0.port) }
        guard
            let ignored = IgnoredAddresses.sentence(
                options: options, callback: callback, passed: passed, bound: bound, all: sockets.addresses)
        else { return }
        events.report(.configuration, ignored)
    }

    // MARK: Changes

    func configurationChanged(_ configuration: Configuration) {
        switch phase {
        case .closed: phase = .closed(configuration)
        case .open(_, let tls):
            // Where and how it listens is set at the start; the same check was made then.
            try? sockets.change(Self.settings(configuration, tls))
        }
    }

    var certificateProblems: [String] {
        guard case .open(let callback, let tls?) = phase else { return [] }
        return CallbackEncryption.problems(of: tls, callback, hosts: addresses.hosts)
    }

    func seek(_ need: CallbackNeed) async {
        await turns.begin()
        defer { turns.end() }
        switch phase {
        case .closed(nil): return
        case .closed(let configuration?): _ = await openNow(configuration, need)
        case .open: await settle(need, isExact: false)
        }
    }

    /// - Returns: why nobody can sign in as configured; nil if the first address is held, or has a substitute.
    @discardableResult
    private func settle(_ need: CallbackNeed, isExact: Bool) async -> CallbackAddresses.Failure? {
        let held = Set(sockets.addresses.compactMap(CallbackAddresses.Address.init))
        var action = addresses.check(need, held: held, isExact: isExact)
        while true {
            switch action {
            case .bind(let targets): action = await bind(targets)
            case .release(let ending):
                await sockets.stopListening(at: sockets.addresses.filter { CallbackAddresses.Address($0).map(ending.contains) == true })
                action = addresses.released()
            case .settled:
                let failure = addresses.failure(isExact: isExact)
                if failure == nil || !isExact { publish() }
                return failure
            }
        }
    }

    private func bind(_ targets: [CallbackAddresses.Address]) async -> CallbackAddresses.Action {
        do throws(HTTPListenerError) {
            let bound = try await sockets.listen(at: targets.map { .address(host: $0.host, port: $0.port) })
            return addresses.bound(bound.compactMap(CallbackAddresses.Address.init))
        } catch {
            let status: CallbackReach.Status =
                switch error {
                case .addressInUse(_, let user): .taken(by: await holder(user))
                case .addressNotAvailable: .absent
                default: .failed("\(error)")
                }
            return addresses.failed(CallbackAddresses.Failure(status, sentence: "\(error)"))
        }
    }

    /// The user database may be on the network: never on the daemon's loop.
    private func holder(_ user: UInt32?) async -> CallbackReach.Holder {
        guard let user else { return .unknown }
        guard user != geteuid() else { return .own }
        if users[user] == nil {
            users[user] = try? await BlockingWork.run { UserDatabase.value(of: user) { $0.pw_name.map { String(cString: $0) } } }
        }
        return .user(users[user] ?? "user \(user)")
    }

    private func publish() {
        guard case .open(_, let tls) = phase, let reach = addresses.reach(scheme: tls == nil ? "http" : "https") else { return }
        let old: CallbackReach? = if case .open(let reach) = status { reach } else { nil }
        status = .open(reach)
        for change in reach.changes(since: old) {
            events.report(.configuration, change.sentence, level: change.isGood ? .notice : nil)
        }
    }

    // MARK: Ending

    var openConnections: Int { sockets.openConnections }

    func drained() async { await sockets.drained() }

    func stopListening() async { await sockets.stopListening() }

    func close() async { await sockets.close() }
}

extension CallbackAddresses.Address {
    fileprivate init?(_ address: SocketAddress) {
        guard let host = address.ipAddress, let port = address.port else { return nil }
        self.init(host: host, port: port)
    }
}
