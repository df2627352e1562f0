/// Where the callback listener listens, and what to bind next: the configured addresses, or those that were passed in; both addresses of
/// `localhost` if a provider accepts no other name; a free port while another process has the configured one; and where sign-ins of an
/// earlier run of the daemon wait.
///
/// It binds nothing itself. ``check(_:held:isExact:)`` begins a check of all addresses; it and each answer to an action return what to do
/// next. In one check each address is tried once. Nothing that is held is given up, except a port that was taken on trial.
public struct CallbackAddresses: Sendable {
    public struct Address: Hashable, Sendable {
        /// Without the brackets of an IPv6 address.
        public var host: String
        /// 0 for any free port.
        public var port: Int

        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    public enum Action: Hashable, Sendable {
        /// To bind all of them, or none. The answer is ``bound(_:)`` or ``failed(_:)``.
        case bind([Address])
        /// To stop listening at them. The answer is ``released()``.
        case release([Address])
        /// The check has ended: there is nothing to do until the next one.
        case settled
    }

    /// Why an address could not be bound.
    public struct Failure: Hashable, Sendable {
        public var status: CallbackReach.Status
        /// For the user who starts the daemon.
        public var sentence: String

        public init(_ status: CallbackReach.Status, sentence: String) {
            self.status = status
            self.sentence = sentence
        }
    }

    /// How many ports are tried to find one that is free in both address families.
    static let portAttempts = 8
    static let localhost = ["127.0.0.1", "::1"]
    /// Sign-ins wait at one or two addresses; a store that was tampered with may name more.
    static let mostRemembered = 8

    /// One check.
    private struct Check {
        var awaited: [Address]
        /// An address that is not held ends the check.
        var isExact: Bool
        var tried: Set<Address> = []
        var portsTried = 0
        /// A free port, of which the rest of what is needed is not bound yet.
        var trial: Address?
    }

    /// What an address is bound for.
    private enum Purpose {
        /// All that are configured: those with any port get the same one.
        case configured
        case address
        case substitute
        case anyPort
        case remembered
    }

    private enum State {
        case settled
        case binding([Address], Purpose, Check)
        case releasing(Check)
    }

    private var state = State.settled
    private var wanted: [Address] = []
    /// The addresses in force, with the ports that they got, the one in redirect URIs first; empty before they were tried.
    public private(set) var configured: [Address] = []
    private var needsLocalhost = false
    private var substitute: Address?
    private var remembered: [Address] = []
    /// As of the last attempt.
    private var failures: [Address: Failure] = [:]
    private var held: Set<Address> = []

    public init() {}

    /// These were bound by the service manager, and replace what is configured.
    public mutating func adopt(_ addresses: [Address]) {
        // They come in no particular order.
        let all = configured + addresses
        configured = all.filter { !$0.isIPv6 } + all.filter(\.isIPv6)
    }

    /// Has an effect only before the first check, and if none were passed in.
    public mutating func configure(_ addresses: [Address]) { wanted = addresses }

    // MARK: Events

    /// Begins a check; one that has not ended is given up.
    ///
    /// - Parameters:
    ///   - held: where the listener is now.
    ///   - isExact: without a substitute: the check ends if a configured address cannot be held.
    public mutating func check(_ need: CallbackNeed, held: Set<Address>, isExact: Bool = false) -> Action {
        self.held = held
        if need.localhost { needsLocalhost = true }
        return next(Check(awaited: Self.addresses(of: need.awaited), isExact: isExact))
    }

    /// - Parameter addresses: with the ports that they got.
    public mutating func bound(_ addresses: [Address]) -> Action {
        guard case .binding(let targets, let purpose, var check) = state else { return unexpected() }
        held.formUnion(addresses)
        check.tried.formUnion(targets)
        for address in addresses { failures[address] = nil }
        switch purpose {
        case .configured: configured = addresses.isEmpty ? targets : addresses
        case .address: break
        case .substitute: substitute = addresses.first
        case .anyPort: check.trial = addresses.first
        case .remembered: remembered += addresses.filter { !remembered.contains($0) }
        }
        return next(check)
    }

    public mutating func failed(_ failure: Failure) -> Action {
        guard case .binding(let targets, let purpose, var check) = state else { return unexpected() }
        switch purpose {
        case .configured:
            // Each one separately then. Those with any port got none, and a different one each time is no address to keep.
            configured = targets
            for address in targets where address.port == 0 { failures[address] = failure }
        case .address, .substitute, .remembered:
            for address in targets { failures[address] = failure }
            check.tried.formUnion(targets)
        case .anyPort: check.portsTried = Self.portAttempts
        }
        return next(check)
    }

    public mutating func released() -> Action {
        guard case .releasing(let check) = state else { return unexpected() }
        return next(check)
    }

    /// A mistake of ours: nobody asked.
    private mutating func unexpected() -> Action {
        assertionFailure("an answer to nothing")
        return .settled
    }

    // MARK: What is next

    private mutating func next(_ check: Check) -> Action {
        if configured.isEmpty, !wanted.isEmpty { return bind(wanted, .configured, check) }
        if let address = missing(configured, check) { return bind([address], .address, check) }
        guard let main = configured.first, !check.isExact || !configured.contains(where: { failures[$0] != nil }) else { return settle() }
        if let address = missing(localhost(at: main.port), check) { return bind([address], .address, check) }
        if !held.contains(main), substitute == nil { return nextSubstitute(for: main, check) }
        return nextFurther(check)
    }

    /// Looks for a port instead of the configured one: one that a sign-in waits at, or any that is free.
    private mutating func nextSubstitute(for main: Address, _ old: Check) -> Action {
        var check = old
        if let trial = check.trial {
            if let address = missing(localhost(at: trial.port), check) { return bind([address], .address, check) }
            check.portsTried += 1
            check.trial = nil
            let isWhole = localhost(at: trial.port).allSatisfy { place($0).isSafe }
            guard isWhole || check.portsTried >= Self.portAttempts else { return release(trial.port, check) }
            substitute = trial
            return nextFurther(check)
        }
        let host = failures[main]?.status == .absent ? "127.0.0.1" : main.host
        for address in check.awaited where address.host == host && address.port != main.port {
            if held.contains(address) {
                substitute = address
                return nextFurther(check)
            }
            if isMissing(address, check) { return bind([address], .substitute, check) }
        }
        if check.portsTried < Self.portAttempts { return bind([Address(host: host, port: 0)], .anyPort, check) }
        return nextFurther(check)
    }

    private mutating func nextFurther(_ check: Check) -> Action {
        if let substitute, let address = missing(localhost(at: substitute.port), check) { return bind([address], .address, check) }
        if remembered.count < Self.mostRemembered, let address = missing(check.awaited, check) {
            return bind([address], .remembered, check)
        }
        return settle()
    }

    private mutating func bind(_ addresses: [Address], _ purpose: Purpose, _ check: Check) -> Action {
        state = .binding(addresses, purpose, check)
        return .bind(addresses)
    }

    private mutating func release(_ port: Int, _ check: Check) -> Action {
        let addresses = held.filter { $0.port == port }
        held.subtract(addresses)
        state = .releasing(check)
        return .release(addresses.sorted { ($0.host, $0.port) < ($1.host, $1.port) })
    }

    private mutating func settle() -> Action {
        state = .settled
        return .settled
    }

    private func missing(_ addresses: [Address], _ check: Check) -> Address? { addresses.first { isMissing($0, check) } }

    private func isMissing(_ address: Address, _ check: Check) -> Bool {
        address.port != 0 && !held.contains(address) && !check.tried.contains(address)
    }

    private func localhost(at port: Int) -> [Address] {
        needsLocalhost ? Self.localhost.map { Address(host: $0, port: port) } : []
    }

    private static func addresses(of uris: Set<String>) -> [Address] {
        uris.sorted().compactMap { uri in
            guard let url = try? EndpointURL(uri), url.host != "localhost" else { return nil }
            return Address(host: url.host, port: Int(url.port))
        }
    }
}

extension CallbackAddresses {
    /// Nil while it is unknown where the listener should be.
    public func reach(scheme: String) -> CallbackReach? {
        guard let main = configured.first else { return nil }
        return CallbackReach(
            scheme: scheme,
            configured: CallbackReach.Port(
                main: place(main), others: configured.dropFirst().map(place), localhost: localhost(at: main.port).map(place)),
            substitute: substitute.map { CallbackReach.Port(main: place($0), localhost: localhost(at: $0.port).map(place)) },
            remembered: remembered.map(place))
    }

    private func place(_ address: Address) -> CallbackReach.Address {
        let status = held.contains(address) ? .held : failures[address]?.status ?? .failed("it is not listened on yet")
        return CallbackReach.Address(host: address.host, port: address.port, status: status)
    }

    /// Why nobody can sign in as configured; nil if the first address is held or has a substitute.
    ///
    /// - Parameter isExact: every address must be held.
    public func failure(isExact: Bool) -> Failure? {
        guard let main = configured.first, isExact || (!held.contains(main) && substitute == nil) else { return nil }
        return configured.compactMap { failures[$0] }.first
    }

    /// Names of the listener in redirect URIs, for its certificate.
    public var hosts: [String] { configured.map(\.host) + (needsLocalhost ? ["localhost"] : []) }
}

extension CallbackAddresses.Address {
    fileprivate var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }
}
