import Testing

@testable import PosternCore

/// Everything that can happen, in thousands of orders that nobody thought of.
@Suite("Sign-ins: any order")
struct SignInWalkTests {
    @Test("whatever comes when, nobody is told twice or forgotten, no code is sent twice, and no grant is lost without a word", arguments: UInt64(0)..<64)
    func walk(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let world = SignInWorld()
        var asked: Set<WaiterID> = []
        var left: Set<WaiterID> = []
        var grants = 0
        var isLocking = false

        func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &generator) == 0 }
        func app() -> String { ["x", "y"].randomElement(using: &generator) ?? "x" }
        var number: UInt8 = 0

        func key() -> [UInt8] {
            number += 1
            return [number]
        }

        func change(_ ticket: SignInTicket, _ event: (inout SignInMachine) -> [SignInAction]) { world.perform(world.signIns.change(ticket, event)) }

        /// One of the things that were begun comes to its end, well or badly.
        func answerSomething() throws {
            guard let action = world.open.randomElement(using: &generator), let index = world.open.firstIndex(of: action) else { return }
            world.open.remove(at: index)
            let failure: ProviderFailure? = chance(5) ? .unreachable(message: "away") : nil
            let time = world.time
            switch action {
            case .prepare(let ticket, _, let flow):
                let way: PreparedWay = flow == .browser ? .page(SignInWorld.page(key: key())) : .code(SignInWorld.device)
                guard let failure else { return world.perform(world.signIns.prepared(ticket, way, binding: SignInWorld.binding, now: time)) }
                change(ticket) { $0.fail(.provider(failure), now: time) }
            case .makePage(let renewal):
                guard let failure else { return world.perform(world.signIns.pageMade(SignInWorld.page(key: key()), for: renewal, now: time)) }
                change(renewal.ticket) { $0.pageNotMade(renewal, failure, now: time) }
            case .getCode(let ticket):
                change(ticket) { signIn in failure.map { signIn.codeNotGiven($0) } ?? signIn.codeGiven(SignInWorld.device) }
            case .poll(let request):
                if failure == nil { grants += 1 }
                change(request.ticket) { $0.pollAnswered(failure == nil ? .granted(SignInWorld.grant) : .pending, now: time) }
            case .exchange(let ticket, let answer, let secrets):
                #expect(!secrets.codeVerifier.isEmpty)
                if case .callback = answer { grants += failure == nil ? 1 : 0 } else if failure != nil { grants -= 1 }
                change(ticket) { signIn in
                    failure.map { signIn.exchangeFailed($0, now: time) } ?? signIn.exchanged(SignInWorld.completed, now: time)
                }
            case .keep(let ticket, let completed, _, _):
                if failure == nil { grants -= 1 }
                change(ticket) { signIn in
                    failure.map { signIn.notKept(completed, .provider($0), now: time) } ?? signIn.kept(.completed(completed), now: time)
                }
            case .openPage(let ticket):
                if world.signIns.pageTurnCame(ticket) != nil { change(ticket) { $0.pageOpened(problem: failure == nil ? nil : "no browser") } }
            case .deliver(let delivery):
                world.open.insert(.deliver(delivery), at: 0)
                try world.deliver()
            case .write(let ticket, let write):
                switch write {
                case .begin, .extend(_, nil): change(ticket) { $0.stored(failure: failure, now: time) }
                case .extend(_, let waiter?): change(ticket) { $0.extended(for: waiter, failure: failure, now: time) }
                case .page(let made, let renewal, _, _):
                    change(ticket) { signIn in
                        failure.map { signIn.pageNotMade(renewal, $0, now: time) } ?? signIn.pageStored(made, for: renewal)
                    }
                case .newCode(let device, _):
                    change(ticket) { signIn in failure.map { signIn.codeNotGiven($0) } ?? signIn.codeStored(device, now: time) }
                case .exchanging: change(ticket) { $0.exchangingMarked(failure: failure, now: time) }
                case .end: change(ticket) { $0.endStored() }
                case .prolong, .code, .delivered: break
                }
            case .takeBack, .discard, .delete, .tell, .fail, .refuse, .wakePages, .note: Issue.record("these are done at once")
            }
        }

        func happen() throws {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0, 1:
                guard !isLocking else { return }
                number += 1
                asked.insert(
                    world.ask(
                        "s\(number)", app: app(), by: chance(3) ? .device : .browser, shownBy: chance(2) ? .client : .daemon, listens: !chance(3),
                        seconds: Int64.random(in: 1...900, using: &generator)))
            case 2: if let id = world.signIns.all.randomElement(using: &generator)?.session.id, let waiter = world.attach(id, chance(2) ? .client : nil).waiter { asked.insert(waiter) }
            case 3: if let id = world.signIns.all.randomElement(using: &generator)?.session.id, chance(3) { world.cancel(id) }
            case 4:
                if let waiter = world.present.sorted(by: { $0.rawValue < $1.rawValue }).randomElement(using: &generator), chance(2) {
                    left.insert(waiter)
                    world.leave(waiter)
                }
            case 5, 6: if number > 0 { try world.callback(key: [UInt8.random(in: 1...number, using: &generator)], digest: [UInt8.random(in: 0...1, using: &generator)]) }
            case 7, 8:
                world.time = world.time.adding(seconds: Int64.random(in: 1...(chance(5) ? 400 : 8), using: &generator))
                world.perform(world.signIns.timePassed(now: world.time))
            case 9: if chance(8) { world.perform(world.signIns.providersChanged(now: world.time) { _ in .providerNotConfigured(message: "gone") }) }
            case 10:
                if chance(6) {
                    isLocking = true
                    world.perform(world.signIns.lockBegan())
                }
            default:
                if isLocking, !world.signIns.hasAnswersOut || chance(10) {
                    isLocking = false
                    world.perform(world.signIns.storeClosed())
                }
            }
        }

        for _ in 0..<150 where number < 200 {
            try happen()
            if !chance(3) { try answerSomething() }
            if let deadline = world.signIns.nextDeadline, deadline < world.time { world.perform(world.signIns.timePassed(now: world.time)) }
        }
        // The end of all: what is out comes back, and nobody waits longer than for ever.
        while !world.open.isEmpty || !world.signIns.all.isEmpty {
            while !world.open.isEmpty { try answerSomething() }
            world.time = world.time.adding(seconds: 4000)
            world.perform(world.signIns.timePassed(now: world.time))
        }

        for waiter in asked where !left.contains(waiter) { #expect(world.lastWords[waiter]?.count == 1, "waiter \(waiter.rawValue)") }
        let sent = world.done.compactMap { if case .exchange(let ticket, _, _) = $0 { ticket.generation } else { nil } }
        #expect(Set(sent).count == sent.count, "a code was sent twice")
        let lost = world.notes.count { $0 == .grantLost }
        #expect(grants == world.takenBack.count + world.discarded.count + lost, "a grant is neither kept nor taken back")
        #expect(world.signIns.nextDeadline == nil && !world.signIns.hasAnswersOut && world.signIns.liveCount == 0)
    }
}
