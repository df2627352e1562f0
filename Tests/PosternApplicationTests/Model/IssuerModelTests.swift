import PosternCore
import StrictJSON
import Testing

@testable import PosternApplication

/// A secret of an issuer is sent to that issuer, whatever documents say and however they change (``IssuerWorld``).
///
/// `POSTERN_MODEL_SEED` and `POSTERN_MODEL_SECONDS` are those of ``AccountModelTests``; without the latter, as long as it takes to run as many
/// sequences as below.
@Suite("MCP servers, issuers and imports beside their model", .serialized)
struct IssuerModelTests {
    fileprivate enum Event: CaseIterable {
        case names, moves, settles, claims, saysWho, begin, beginDevice, answer, answerElsewhere, type, renew, restart, revoke, take, wait, refused

        static let weighted = allCases + [.moves, .settles, .begin, .answer, .renew]
    }

    /// One sequence of events.
    final class Play {
        let world = IssuerWorld()
        var daemon: TestApplication
        private var open: [RecordedReply] = []
        private(set) var done: [String] = []
        private(set) var signIns = 0
        private(set) var renewals = 0
        private(set) var mixed = 0

        init() throws {
            daemon = try TestApplication(IssuerWorld.configuration)
            serve()
        }

        private func serve() {
            let world = world
            daemon.executor.isolated { [provider = daemon.provider] in provider.automatic = { world.answer(to: $0) } }
        }

        private func change(_ body: @DaemonActor (IssuerWorld) -> Void) {
            let world = world
            QueueExecutor.shared.isolated { body(world) }
        }

        private func read<Value: Sendable>(_ body: @DaemonActor (IssuerWorld) -> Value) -> Value {
            let world = world
            return QueueExecutor.shared.isolated { body(world) }
        }

        var problem: String? { read { $0.problem } }

        fileprivate func happens(_ event: Event, _ one: Int, _ two: Int, _ three: Int) throws {
            done.append("\(event)(\(one),\(two),\(three))")
            let server = IssuerWorld.servers[one % 2]
            switch event {
            case .names: change { $0.names(one, two) }
            case .moves: change { $0.moves(one, two, to: three) }
            case .settles: change { $0.settles(one) }
            case .claims: change { $0.claims(one, two) }
            case .saysWho: change { $0.saysWho(one, two.isMultiple(of: 2)) }
            case .begin: begin(server)
            case .beginDevice: begin(server, ["flow": "device"])
            case .answer: try answer(one, elsewhere: nil)
            case .answerElsewhere: try answer(one, elsewhere: IssuerWorld.issuers[two % 3])
            case .type:
                change { $0.approves(IssuerWorld.issuers[one % 3]) }
                daemon.pass(seconds: 6)
            case .renew:
                if daemon.call("GetAccessToken", ["providerID": .string(server), "forceRefresh": true]).error == nil { renewals += 1 }
            case .restart:
                daemon = try daemon.restarted(configuration: IssuerWorld.configuration)
                serve()
                open = []
            case .revoke: _ = daemon.call("RevokeCredential", ["providerID": .string(server)])
            case .take: take(server, IssuerWorld.issuers[two % 3], three)
            case .wait: daemon.pass(seconds: [61, 3700, 90_000][two % 3])
            case .refused:
                _ = daemon.call("ReportRefusedToken", ["providerID": .string(server), "challenge": "Bearer error=\"invalid_token\""])
            }
            daemon.settle()
        }

        private func begin(_ server: String, _ further: JSONObject = [:]) {
            var parameters: JSONObject = ["providerID": .string(server), "intent": "keep", "presentation": "client"]
            for member in further.members { parameters[member.key] = member.value }
            let reply = daemon.call("SignIn", parameters, more: true)
            if reply.pageState != nil { open.append(reply) }
        }

        /// The person is at the page, and goes where it leads.
        ///
        /// - Parameter elsewhere: the page is a hostile issuer's, which leads them on to this one, with the state that it was given.
        private func answer(_ choice: Int, elsewhere: String?) throws {
            guard !open.isEmpty else { return }
            let page = open.remove(at: choice % open.count)
            guard let url = page.event?["authorizationURL"]?.stringValue, let state = page.pageState, let own = page.page("redirect_uri") else { return }
            let redirectURI = own.replacing("%3A", with: ":").replacing("%2F", with: "/")
            let shown = IssuerWorld.owner(of: url)
            let issuer = elsewhere ?? shown
            // A client of that issuer's has the redirect URI that it registered there.
            let back = elsewhere == nil ? redirectURI : read { $0.redirectURI(at: issuer) } ?? redirectURI
            guard let code = read({ $0.code(of: issuer, for: back) }) else { return }
            let who = read { $0.isNamed(issuer) } ? "&iss=https://\(issuer).test" : ""
            _ = daemon.call("DeliverRedirect", ["url": .string("\(back)?state=\(state)&code=\(code)\(who)")])
            if issuer == shown, page.error == nil, page.isFinished { signIns += 1 }
            if issuer != shown { mixed += 1 }
        }

        /// Another program's token, which says truly where it is from.
        private func take(_ server: String, _ issuer: String, _ how: Int) {
            let token = read { $0.made("rt", issuer) }
            var parameters: JSONObject = ["providerID": .string(server), "refreshToken": .string(token), "clientID": .string("client-of-\(issuer)")]
            if how.isMultiple(of: 2) {
                parameters["tokenEndpoint"] = .string("https://\(issuer).test/token")
            } else {
                parameters["issuer"] = .string("https://\(issuer).test")
            }
            if how.isMultiple(of: 3) { parameters["clientSecret"] = .string(read { $0.made("cs", issuer) }) }
            _ = daemon.call("ImportCredential", parameters)
        }
    }

    private static func run(seed: UInt64, events: Int = 60) throws -> Play {
        var numbers = SeededNumbers(seed: seed)
        let play = try Play()
        for _ in 0..<events {
            let event = Event.weighted[numbers.next(below: Event.weighted.count)]
            try play.happens(event, numbers.next(below: 64), numbers.next(below: 64), numbers.next(below: 64))
            if play.problem != nil { break }
        }
        return play
    }

    @Test("A secret of an issuer is sent to that issuer alone, whatever documents say and however they change")
    func random() throws {
        let trial = AccountTrial.fromEnvironment
        let isLong = trial.seconds > 20
        let start = ContinuousClock.now
        var (signIns, renewals, mixed, sequences, grants) = (0, 0, 0, 0, 0)
        func goesOn() -> Bool { isLong ? (ContinuousClock.now - start) / .seconds(1) < trial.seconds / 4 : sequences < 40 }
        var seed = trial.firstSeed
        while goesOn() {
            let play = try Self.run(seed: seed)
            if let problem = play.problem {
                print("account model: seed \(seed), \(play.done.count) events, issuers")
                Issue.record("seed \(seed), after \(play.done.joined(separator: " ")): \(problem)")
                return
            }
            (signIns, renewals, mixed, sequences) = (signIns + play.signIns, renewals + play.renewals, mixed + play.mixed, sequences + 1)
            let world = play.world
            grants += QueueExecutor.shared.isolated { world.grants }
            seed += 1
        }
        print("issuer model: \(sequences) sequences, \(grants) grants, \(signIns) sign-ins, \(renewals) renewals, \(mixed) mixed up, nothing found")
        // A world in which nothing works would show nothing.
        #expect(signIns > sequences / 4 && renewals > sequences / 8 && mixed > 0 && grants > sequences / 2)
    }
}
