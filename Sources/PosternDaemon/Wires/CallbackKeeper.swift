import CallbackServer
import Glibc
import LoopbackHTTP
import NIOCore
import PosternApplication
import PosternConfiguration
import PosternCore
import PosternCrypto
import PosternSystemd

/// Holds the callback listener's addresses: those that systemd passed, else those that the configuration names; both addresses of
/// `localhost` if a provider accepts no other name; and a free port while another process has ours.
@DaemonActor
final class CallbackKeeper: CallbackListening {
    private struct Endpoint: Hashable {
        var host: String
        var port: Int

        init(_ host: String, _ port: Int) {
            self.host = host
            self.port = port
        }

        init?(_ address: SocketAddress) {
            guard let host = address.ipAddress, let port = address.port else { return nil }
            self.init(host, port)
        }
    }

    private enum Phase {
        /// Only the problem is reported there.
        case closed(Configuration?)
        case open(Configuration.Callback, tls: TLSContext?)
    }

    /// How many attempts are made to find a port that is free in both address families.
    private static let portAttempts = 8
    private static let localhost = ["127.0.0.1", "::1"]
    /// Sign-ins wait at one or two addresses; a store that was tampered with may name more.
    private static let mostRemembered = 8

    private let sockets: CallbackSockets
    private let options: DaemonOptions
    private let passed: [PassedSocket]
    private let events: EventLog
    private let turns = SerialWork()
    private var phase = Phase.closed(nil)
    /// From the configuration or systemd; redirect URIs use the first one.
    private var configured: [Endpoint] = []
    private var needsLocalhost = false
    private var substitutePort: Int?
    private var remembered: [Endpoint] = []
    /// Why an address is not held, as of the last attempt.
    private var failures: [Endpoint: HTTPListenerError] = [:]
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
            return unusable(configuration, callback.certificate ?? "", "the callback listener cannot speak https: \(error)")
        }
        do throws(HTTPListenerError) {
            try sockets.change(tls: tls, sameUser: callback.sameUser, languages: Self.languages(of: configuration))
        } catch {
            return unusable(configuration, (try? options.configurationPath()) ?? "", "\(error)")
        }
        phase = .open(callback, tls: tls)
        if configured.isEmpty { await takeConfigured(callback) }
        warnOfIgnored(callback)
        for endpoint in configured { await take(endpoint) }
        let failure = configured.compactMap { failures[$0] }.first.map { StartError.callback("\($0)") }
        // An address on the command line must be used exactly, and the user is there to read why it is not free.
        if !options.listen.isEmpty, let failure { return failure }
        await settle(need)
        // At the first address, or on a free port, people can still sign in; `GetStatus` and the log report the addresses that we do not
        // hold.
        guard let main = configured.first, !isHeld(main), substitutePort == nil else { return nil }
        return failure
    }

    private func unusable(_ configuration: Configuration, _ file: String, _ message: String) -> StartError {
        phase = .closed(configuration)
        let error = ConfigurationError(file: file, message: message)
        if status != .unusable(error) { events.report(.configuration, "callbacks cannot be received: \(error)", level: .error) }
        status = .unusable(error)
        return .callbackUnusable(message)
    }

    private static func languages(of configuration: Configuration) -> [PageLanguage] {
        configuration.signIn.languages.compactMap(PageLanguage.init(rawValue:))
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
                let bound = try await listen(at: [.fileDescriptor(socket.descriptor)])
                if socket.role == .callback { configured += bound.compactMap(Endpoint.init) }
            } catch {
                takenPassed = .failure(error)
                return error
            }
        }
        // systemd passes them in no particular order.
        configured.sort { !$0.host.unicodeScalars.contains(":") && $1.host.unicodeScalars.contains(":") }
        return nil
    }

    private func takeConfigured(_ callback: Configuration.Callback) async {
        configured =
            options.listen.isEmpty
            ? callback.addresses.map { Endpoint($0, callback.port) } : options.listen.map { Endpoint($0.host, $0.port) }
        // All at once, so that those with any port get the same one.
        do throws(HTTPListenerError) {
            let bound = try await listen(at: configured.map { .address(host: $0.host, port: $0.port) })
            configured = bound.compactMap(Endpoint.init)
        } catch {
            // Each one separately then.
            for endpoint in configured where endpoint.port == 0 { failures[endpoint] = error }
        }
    }

    private func warnOfIgnored(_ callback: Configuration.Callback) {
        let bound = configured.compactMap { try? SocketAddress(ipAddress: $0.host, port: $0.port) }
        guard
            let ignored = IgnoredAddresses.sentence(
                options: options, callback: callback, passed: passed, bound: bound, all: sockets.addresses)
        else { return }
        events.report(.configuration, ignored)
    }

    // MARK: Seeking

    func configurationChanged(_ configuration: Configuration) {
        switch phase {
        case .closed: phase = .closed(configuration)
        case .open(_, let tls):
            // Where and how it listens is set at the start; the same check was made then.
            try? sockets.change(tls: tls, sameUser: configuration.callback.sameUser, languages: Self.languages(of: configuration))
        }
    }

    var certificateProblems: [String] {
        guard case .open(let callback, let tls?) = phase else { return [] }
        let hosts = configured.map(\.host) + (needsLocalhost ? ["localhost"] : [])
        return CallbackEncryption.problems(of: tls, callback, hosts: hosts)
    }

    func seek(_ need: CallbackNeed) async {
        await turns.begin()
        defer { turns.end() }
        switch phase {
        case .closed(nil): return
        case .closed(let configuration?): _ = await openNow(configuration, need)
        case .open: await settle(need)
        }
    }

    private func settle(_ need: CallbackNeed) async {
        for endpoint in configured { await take(endpoint) }
        guard let main = configured.first else { return }
        if need.localhost { needsLocalhost = true }
        await takeLocalhost(at: main.port)
        if !isHeld(main) { await takeSubstitute(for: main, need) }
        if let substitutePort { await takeLocalhost(at: substitutePort) }
        await takeAwaited(need)
        await publish(main)
    }

    private func takeLocalhost(at port: Int) async {
        guard needsLocalhost, port != 0 else { return }
        for host in Self.localhost { await take(Endpoint(host, port)) }
    }

    /// Takes a free port, one that sign-ins wait at if there is one.
    private func takeSubstitute(for main: Endpoint, _ need: CallbackNeed) async {
        guard substitutePort == nil else { return }
        let host = if case .addressNotAvailable? = failures[main] { "127.0.0.1" } else { main.host }
        for endpoint in Self.endpoints(of: need.awaited) where endpoint.host == host && endpoint.port != main.port {
            if await take(endpoint) {
                substitutePort = endpoint.port
                return
            }
        }
        for attempt in 1...Self.portAttempts {
            guard let bound = try? await listen(at: [.address(host: host, port: 0)]), let port = bound.first?.port else {
                return
            }
            await takeLocalhost(at: port)
            let isWhole = !needsLocalhost || Self.localhost.allSatisfy { place($0, port).isSafe }
            if isWhole || attempt == Self.portAttempts {
                substitutePort = port
                return
            }
            await sockets.stopListening(at: sockets.addresses.filter { $0.port == port })
        }
    }

    /// Takes the addresses at which sign-ins of an earlier run of the daemon wait. The listener refuses any that is not a loopback address.
    private func takeAwaited(_ need: CallbackNeed) async {
        for endpoint in Self.endpoints(of: need.awaited) where !isHeld(endpoint) && remembered.count < Self.mostRemembered {
            if await take(endpoint), !remembered.contains(endpoint) { remembered.append(endpoint) }
        }
    }

    private static func endpoints(of uris: Set<String>) -> [Endpoint] {
        uris.sorted().compactMap { uri in
            guard let url = try? EndpointURL(uri), url.host != "localhost" else { return nil }
            return Endpoint(url.host, Int(url.port))
        }
    }

    private func isHeld(_ endpoint: Endpoint) -> Bool { sockets.addresses.contains { Endpoint($0) == endpoint } }

    /// - Returns: whether it is held now.
    @discardableResult
    private func take(_ endpoint: Endpoint) async -> Bool {
        guard !isHeld(endpoint) else { return true }
        // It got no port although any would do, and a different one each time is no address to keep.
        guard endpoint.port != 0 else { return false }
        do throws(HTTPListenerError) {
            _ = try await listen(at: [.address(host: endpoint.host, port: endpoint.port)])
            failures[endpoint] = nil
            return true
        } catch {
            failures[endpoint] = error
            if case .addressInUse(_, let user?) = error { await learnName(of: user) }
            return false
        }
    }

    private func listen(at targets: [BindTarget]) async throws(HTTPListenerError) -> [SocketAddress] {
        try await sockets.listen(at: targets)
    }

    // MARK: Reports

    private func publish(_ main: Endpoint) async {
        guard case .open(_, let tls) = phase else { return }
        let reach = CallbackReach(
            scheme: tls == nil ? "http" : "https", configured: port(main, others: configured.dropFirst()),
            substitute: substitutePort.map { port(Endpoint(main.host, $0), others: []) },
            remembered: remembered.map { place($0.host, $0.port) })
        let before = status
        status = .open(reach)
        tell(reach, before: before)
    }

    private func port(_ main: Endpoint, others: ArraySlice<Endpoint>) -> CallbackReach.Port {
        CallbackReach.Port(
            main: place(main.host, main.port), others: others.map { place($0.host, $0.port) },
            localhost: needsLocalhost ? Self.localhost.map { place($0, main.port) } : [])
    }

    private func place(_ host: String, _ port: Int) -> CallbackReach.Address {
        let endpoint = Endpoint(host, port)
        guard !isHeld(endpoint) else { return CallbackReach.Address(host: host, port: port, status: .held) }
        let status: CallbackReach.Status =
            switch failures[endpoint] {
            case .addressInUse(_, let user): .taken(by: holder(user))
            case .addressNotAvailable: .absent
            case let error?: .failed("\(error)")
            case nil: .failed("it is not listened on yet")
            }
        return CallbackReach.Address(host: host, port: port, status: status)
    }

    private func holder(_ user: UInt32?) -> CallbackReach.Holder {
        guard let user else { return .unknown }
        return user == geteuid() ? .own : .user(users[user] ?? "user \(user)")
    }

    /// The user database may be on the network: never on the daemon's loop.
    private func learnName(of user: UInt32) async {
        guard users[user] == nil, user != geteuid() else { return }
        users[user] = try? await BlockingWork.run { UserName.of(user) }
    }

    /// Reports each change once.
    private func tell(_ reach: CallbackReach, before: CallbackStatus) {
        let old: CallbackReach? = if case .open(let reach) = before { reach } else { nil }
        let (main, oldMain) = (reach.configured.main, old?.configured.main)
        if main.status != oldMain?.status || old == .unbound {
            if case .held = main.status {
                if old != .unbound { events.report(.configuration, "\(main.authority) is listened on now", level: .notice) }
            } else {
                events.report(.configuration, reach.trouble ?? "\(main.authority) is not listened on")
            }
        }
        for place in reach.configured.others where place.status != .held && old?.configured.others.contains(place) != true {
            events.report(.configuration, "\(place.authority) \(place.trouble ?? "is not listened on")")
        }
        for place in reach.configured.localhost where !place.isSafe && place != main && old?.configured.localhost.contains(place) != true {
            events.report(
                .configuration,
                "\(place.authority) \(place.trouble ?? "")\(reach.consequenceForLocalhost)")
        }
    }

    /// What is wrong with the address in redirect URIs, in a few words; nil if it is held.
    var trouble: String? {
        switch status {
        case .unusable(let error): return "callbacks cannot be received: \(error)"
        case .open(let reach):
            let main = reach.configured.main
            return main.trouble.map { "\(main.authority) \($0)" }
        }
    }

    /// Base URLs of the listener.
    var origins: [String] {
        guard case .open(let reach) = status else { return [] }
        return reach.origins
    }

    // MARK: Ending

    var openConnections: Int { sockets.openConnections }

    func drained() async { await sockets.drained() }

    func stopListening() async { await sockets.stopListening() }

    func close() async { await sockets.close() }
}

enum UserName {
    /// Blocks. Nil if the user database does not have the user.
    static func of(_ user: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name else { return nil }
        return String(cString: name)
    }
}
