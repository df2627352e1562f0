import PosternCore
import Testing

@Suite("Where the callback listener listens")
struct CallbackAddressesTests {
    typealias Address = CallbackAddresses.Address
    typealias Failure = CallbackAddresses.Failure

    /// A machine whose addresses another program may have.
    private struct Machine {
        var addresses = CallbackAddresses()
        var held: Set<Address> = []
        /// Why these cannot be bound.
        var refused: [Address: CallbackReach.Status] = [:]
        /// What "any port" becomes, in turn; none is free after that.
        var freePorts: [Int] = []
        var log: [String] = []

        init(_ configured: [Address]) { addresses.configure(configured) }

        /// - Returns: what was bound and released, in order.
        mutating func check(localhost: Bool = false, awaited: Set<String> = [], isExact: Bool = false) -> [String] {
            log = []
            var action = addresses.check(CallbackNeed(localhost: localhost, awaited: awaited), held: held, isExact: isExact)
            while log.count < 100 {
                switch action {
                case .bind(let targets): action = bind(targets)
                case .release(let ending):
                    log.append("release \(ending.map { "\($0.host) \($0.port)" }.joined(separator: ", "))")
                    held.subtract(ending)
                    action = addresses.released()
                case .settled: return log
                }
            }
            Issue.record("it does not end")
            return log
        }

        private mutating func bind(_ targets: [Address]) -> CallbackAddresses.Action {
            let names = targets.map { "\($0.host) \($0.port)" }.joined(separator: ", ")
            for target in targets {
                guard let status = refused[target] else { continue }
                log.append("\(names): \(status)")
                return addresses.failed(Failure(status, sentence: "cannot listen on \(target.host)"))
            }
            guard let port = targets.contains(where: { $0.port == 0 }) ? freePorts.first : 0 else {
                log.append("\(names): none is free")
                return addresses.failed(Failure(.failed("none"), sentence: "none is free"))
            }
            if port != 0 { freePorts.removeFirst() }
            let bound = targets.map { Address(host: $0.host, port: $0.port == 0 ? port : $0.port) }
            log.append(names)
            held.formUnion(bound)
            return addresses.bound(bound)
        }

        var reach: CallbackReach { addresses.reach(scheme: "http") ?? .unbound }
    }

    private static let v4 = Address(host: "127.0.0.1", port: 7678)
    private static let v6 = Address(host: "::1", port: 7678)
    private static let taken = CallbackReach.Status.taken(by: .own)

    @Test("the configured addresses are bound together, once")
    func configured() {
        var machine = Machine([Self.v4, Self.v6])
        #expect(machine.check() == ["127.0.0.1 7678, ::1 7678"])
        #expect(machine.check() == [])
        #expect(machine.reach.origins == ["http://127.0.0.1:7678", "http://[::1]:7678"] && machine.reach.isComplete)
        #expect(machine.addresses.failure(isExact: false) == nil && machine.addresses.failure(isExact: true) == nil)
    }

    @Test("addresses with any port get the same one, and keep it")
    func anyPort() {
        var machine = Machine([Address(host: "127.0.0.1", port: 0), Address(host: "::1", port: 0)])
        machine.freePorts = [5000, 5001]
        #expect(machine.check() == ["127.0.0.1 0, ::1 0"])
        #expect(machine.check() == [] && machine.addresses.configured.map(\.port) == [5000, 5000])
    }

    @Test("what cannot be bound together is bound one by one, and any port only together")
    func oneByOne() {
        var machine = Machine([Self.v4, Self.v6])
        machine.refused[Self.v6] = .absent
        #expect(machine.check() == ["127.0.0.1 7678, ::1 7678: absent", "127.0.0.1 7678", "::1 7678: absent"])
        machine = Machine([Self.v4, Address(host: "::1", port: 0)])
        #expect(machine.check() == ["127.0.0.1 7678, ::1 0: none is free", "127.0.0.1 7678"])
        #expect(machine.reach.configured.others.map(\.status) == [.failed("none")])
    }

    @Test("addresses that were passed in replace the configured ones, IPv4 first")
    func passed() {
        var machine = Machine([Address(host: "127.0.0.1", port: 9999)])
        machine.held = [Self.v4, Self.v6]
        machine.addresses.adopt([Self.v6])
        machine.addresses.adopt([Self.v4])
        #expect(machine.check() == [] && machine.addresses.configured == [Self.v4, Self.v6])
    }

    @Test("both addresses of localhost are bound once a provider needs them, and stay")
    func localhost() {
        var machine = Machine([Self.v4])
        #expect(machine.check() == ["127.0.0.1 7678"] && machine.addresses.hosts == ["127.0.0.1"])
        machine.refused[Self.v6] = Self.taken
        #expect(machine.check(localhost: true) == ["::1 7678: \(Self.taken)"])
        #expect(machine.reach.configured.localhost.map(\.status) == [.held, Self.taken])
        machine.refused = [:]
        #expect(machine.check() == ["::1 7678"] && machine.addresses.hosts == ["127.0.0.1", "localhost"])
    }

    @Test("while another program has the port, a free one is bound and kept, and the configured one is tried at each check")
    func substitute() {
        var machine = Machine([Self.v4])
        (machine.refused[Self.v4], machine.freePorts) = (Self.taken, [5000, 5001])
        let together = "127.0.0.1 7678: \(Self.taken)"
        #expect(machine.check() == [together, together, "127.0.0.1 0"])
        #expect(machine.reach.substitute?.main.port == 5000 && machine.addresses.failure(isExact: false) == nil)
        #expect(machine.check() == [together])
        machine.refused = [:]
        #expect(machine.check() == ["127.0.0.1 7678"])
        #expect(machine.reach.substitute?.main.status == .held && machine.reach.origin == "http://127.0.0.1:7678")
    }

    @Test("an address that the machine does not have is replaced at 127.0.0.1")
    func absent() {
        var machine = Machine([Self.v6])
        (machine.refused[Self.v6], machine.freePorts) = (.absent, [5000])
        #expect(machine.check().last == "127.0.0.1 0")
        #expect(machine.reach.substitute?.main == CallbackReach.Address(host: "127.0.0.1", port: 5000, status: .held))
    }

    @Test("a free port that lacks one side of localhost is released, at most seven times")
    func wholePort() {
        var machine = Machine([Self.v4])
        (machine.refused[Self.v4], machine.freePorts) = (Self.taken, Array(5001...5020))
        for port in 5001...5020 { machine.refused[Address(host: "::1", port: port)] = port == 5003 ? .absent : Self.taken }
        var steps = machine.check(localhost: true)
        #expect(
            steps.suffix(6) == [
                "release 127.0.0.1 5001", "127.0.0.1 0", "::1 5002: \(Self.taken)", "release 127.0.0.1 5002", "127.0.0.1 0", "::1 5003: absent",
            ])
        #expect(machine.reach.substitute?.main.port == 5003)
        machine = Machine([Self.v4])
        (machine.refused[Self.v4], machine.freePorts) = (Self.taken, Array(5001...5020))
        for port in 5001...5020 { machine.refused[Address(host: "::1", port: port)] = Self.taken }
        steps = machine.check(localhost: true)
        #expect(steps.count { $0.hasPrefix("release") } == 7 && machine.reach.substitute?.main.port == 5008)
        #expect(machine.held == [Address(host: "127.0.0.1", port: 5008), Self.v6])
    }

    @Test("if no port is free, that is reported, and tried again at the next check")
    func noneFree() {
        var machine = Machine([Self.v4])
        machine.refused[Self.v4] = Self.taken
        #expect(machine.check().last == "127.0.0.1 0: none is free" && machine.reach.substitute == nil)
        #expect(machine.addresses.failure(isExact: false)?.sentence == "cannot listen on 127.0.0.1")
        #expect(machine.check().last == "127.0.0.1 0: none is free")
    }

    @Test("a port at which a sign-in waits is the first choice; those that cannot be bound are tried once a check")
    func awaited() {
        var machine = Machine([Self.v4])
        machine.refused = [Self.v4: Self.taken, Address(host: "127.0.0.1", port: 6000): Self.taken]
        let uris: Set<String> = [
            "http://127.0.0.1:6000/__/auth/handler", "http://127.0.0.1:6001/__/auth/handler", "http://localhost:6002/__/auth/handler",
            "http://[::1]:6003/__/auth/handler", "com.example:/x",
        ]
        #expect(machine.check(awaited: uris).dropFirst(2) == ["127.0.0.1 6000: \(Self.taken)", "127.0.0.1 6001", "::1 6003"])
        #expect(machine.reach.substitute?.main.port == 6001 && machine.reach.remembered.map(\.port) == [6003])
    }

    @Test("at most eight addresses are bound for sign-ins")
    func mostRemembered() {
        var machine = Machine([Self.v4])
        #expect(machine.check(awaited: Set((6000..<6020).map { "http://127.0.0.1:\($0)/__/auth/handler" })).count == 9)
        #expect(machine.reach.remembered.count == 8)
    }

    @Test("an address on the command line has no substitute")
    func exact() {
        var machine = Machine([Self.v4, Self.v6])
        (machine.refused[Self.v6], machine.freePorts) = (Self.taken, [5000])
        _ = machine.check(localhost: true, isExact: true)
        #expect(machine.addresses.failure(isExact: true)?.sentence == "cannot listen on ::1")
        #expect(machine.held == [Self.v4] && machine.addresses.failure(isExact: false) == nil)
    }

    @Test("what the listener has lost is bound again at the next check")
    func lost() {
        var machine = Machine([Self.v4])
        _ = machine.check()
        machine.held = []
        #expect(machine.check() == ["127.0.0.1 7678"])
    }

    @Test("each change of an address is reported once")
    func changes() {
        let bob = CallbackReach.Status.taken(by: .user("bob"))
        var machine = Machine([Self.v4, Address(host: "127.0.0.2", port: 7678)])
        _ = machine.check()
        #expect(machine.reach.changes(since: .unbound) == [])
        #expect(machine.reach.changes(since: nil).map(\.sentence) == ["127.0.0.1:7678 is listened on now"])
        let whole = machine.reach
        machine = Machine([Self.v4, Address(host: "127.0.0.2", port: 7678)])
        machine.refused = [Self.v4: bob, Self.v6: bob, Address(host: "127.0.0.2", port: 7678): .absent]
        _ = machine.check(localhost: true)
        #expect(
            machine.reach.changes(since: whole).map(\.sentence) == [
                "127.0.0.1:7678 is in use by a program of bob; nobody can sign in in a browser before it is free",
                "127.0.0.2:7678 is no address of this machine",
                "[::1]:7678 is in use by a program of bob; nobody can sign in at providers that redirect to localhost",
            ])
        #expect(machine.reach.changes(since: machine.reach) == [])
        let back = whole.changes(since: machine.reach)
        #expect(back.map(\.isGood) == [true] && back.map(\.sentence) == ["127.0.0.1:7678 is listened on now"])
    }
}

/// The addresses, with what each answer may be.
private struct LoneAddresses: Situation {
    enum Event { case bound, taken, absent, released, check, checkForLocalhost }

    var addresses = CallbackAddresses()
    var held: Set<CallbackAddresses.Address> = []
    var action = CallbackAddresses.Action.settled
    /// Of this check.
    var tried: Set<CallbackAddresses.Address> = []
    var hasNoPort = false
    var nextPort = 5000
    var hasChecked = false

    init() { addresses.configure([.init(host: "127.0.0.1", port: 7678), .init(host: "::1", port: 7678)]) }

    var events: [Event] {
        switch action {
        case .bind: [.bound, .taken, .absent]
        case .release: [.released]
        case .settled: [.check, .checkForLocalhost]
        }
    }

    mutating func happen(_ event: Event) -> String? {
        switch (event, action) {
        case (.check, _), (.checkForLocalhost, _):
            (tried, hasNoPort, hasChecked) = ([], false, true)
            let need = CallbackNeed(localhost: event == .checkForLocalhost, awaited: ["http://127.0.0.1:6000/__/auth/handler"])
            action = addresses.check(need, held: held)
        case (.bound, .bind(let targets)):
            nextPort += 1
            let bound = targets.map { CallbackAddresses.Address(host: $0.host, port: $0.port == 0 ? nextPort : $0.port) }
            held.formUnion(bound)
            action = addresses.bound(bound)
        case (.taken, .bind(let targets)), (.absent, .bind(let targets)):
            hasNoPort = hasNoPort || targets.contains { $0.port == 0 }
            action = addresses.failed(.init(event == .absent ? .absent : .taken(by: .own), sentence: "no"))
        case (.released, .release(let ending)):
            held.subtract(ending)
            action = addresses.released()
        default: return "no such event"
        }
        return broken()
    }

    private mutating func broken() -> String? {
        switch action {
        case .bind(let targets):
            if targets.isEmpty { return "nothing is bound" }
            if !held.isDisjoint(with: targets) { return "an address is bound twice" }
            if targets.count == 1, targets[0].port != 0, !tried.insert(targets[0]).inserted { return "an address is tried again" }
        case .release(let ending):
            let reach = addresses.reach(scheme: "http") ?? .unbound
            let kept = [reach.configured.main.port, reach.substitute?.main.port] + reach.remembered.map(\.port)
            if ending.isEmpty || ending.contains(where: { kept.contains($0.port) }) { return "an address that is needed is released" }
        case .settled:
            guard hasChecked, let reach = addresses.reach(scheme: "http") else { return "there is no reach" }
            if reach.origins.isEmpty, !hasNoPort { return "there is neither the address nor a substitute" }
            let places = [reach.configured.main] + reach.configured.others + reach.configured.localhost + (reach.substitute.map { [$0.main] } ?? [])
            if places.contains(where: { ($0.status == .held) != held.contains(.init(host: $0.host, port: $0.port)) }) { return "the reach is wrong" }
        }
        return nil
    }

    func identify(into hasher: inout Hasher) { hasher.combine("\(addresses) \(action) \(hasNoPort)") }
}

@Suite("Where the callback listener listens, whatever is free")
struct CallbackAddressesOrderTests {
    @Test("no order of answers binds twice, releases what is needed, or ends without a reason")
    func everyOrder() { EveryOrder.check([LoneAddresses()], depth: 9, situations: 300) }
}
