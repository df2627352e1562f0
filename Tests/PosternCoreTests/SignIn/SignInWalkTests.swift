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

        /// One of the things that were begun comes to its end, well or badly.
        func answerSomething() throws {
            guard let action = world.open.randomElement(using: &generator), let index = world.open.firstIndex(of: action) else { return }
            world.open.remove(at: index)
            let failure: ProviderFailure? = chance(5) ? .unreachable(message: "away") : nil
            let time = world.time
            switch action {
            case .prepare(let ticket, _, _, let flow):
                let way: PreparedWay = flow == .browser ? .page(SignInWorld.page(key: key())) : .code(SignInWorld.device)
                world.perform(
                    failure.map { world.signIns.notPrepared(ticket, $0, now: time) } ?? world.signIns.prepared(ticket, way, binding: SignInWorld.binding, now: time))
            case .makePage(let renewal):
                world.perform(
                    failure.map { world.signIns.pageNotMade(renewal, $0, now: time) }
                        ?? world.signIns.pageMade(SignInWorld.page(key: key()), for: renewal, now: time))
            case .getCode(let ticket, _):
                world.perform(failure.map { world.signIns.codeNotGiven(ticket, $0) } ?? world.signIns.codeGiven(ticket, SignInWorld.device))
            case .poll(let request):
                if failure == nil { grants += 1 }
                world.perform(world.signIns.pollAnswered(request, failure == nil ? .granted(SignInWorld.grant) : .pending, now: time))
            case .exchange(let ticket, let session, let answer, let secrets):
                #expect(!secrets.codeVerifier.isEmpty)
                if case .callback = answer { grants += failure == nil ? 1 : 0 } else if failure != nil { grants -= 1 }
                world.perform(
                    failure.map { world.signIns.exchangeFailed(ticket, $0, now: time) }
                        ?? world.signIns.exchanged(ticket, session, SignInWorld.completed, now: time))
            case .keep(let ticket, let session, let completed, _, _):
                if failure == nil { grants -= 1 }
                world.perform(
                    failure.map { world.signIns.notKept(ticket, session, completed, .provider($0), now: time) }
                        ?? world.signIns.kept(ticket, .completed(completed), now: time))
            case .openPage(let ticket, _):
                if world.signIns.pageTurnCame(ticket) != nil { world.perform(world.signIns.pageOpened(ticket, problem: failure == nil ? nil : "no browser")) }
            case .deliver(let delivery):
                world.open.insert(.deliver(delivery), at: 0)
                try world.deliver()
            case .write(let ticket, let write):
                switch write {
                case .begin, .extend(_, nil): world.perform(world.signIns.stored(ticket, failure: failure, now: time))
                case .extend(_, let waiter?): world.perform(world.signIns.extended(ticket, for: waiter, failure: failure, now: time))
                case .page(let made, let renewal, _, _):
                    world.perform(
                        failure.map { world.signIns.pageNotMade(renewal, $0, now: time) } ?? world.signIns.pageStored(made, for: renewal))
                case .newCode(let device, _):
                    world.perform(failure.map { world.signIns.codeNotGiven(ticket, $0) } ?? world.signIns.codeStored(ticket, device, now: time))
                case .exchanging: world.perform(world.signIns.exchangingMarked(ticket, failure: failure, now: time))
                case .end: world.perform(world.signIns.endStored(ticket))
                case .code, .delivered: break
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
        let sent = world.done.compactMap { if case .exchange(let ticket, _, _, _) = $0 { ticket } else { nil } }
        #expect(Set(sent).count == sent.count, "a code was sent twice")
        let lost = world.notes.count { $0 == .grantLost }
        #expect(grants == world.takenBack.count + world.discarded.count + lost, "a grant is neither kept nor taken back")
        #expect(world.signIns.nextDeadline == nil && !world.signIns.hasAnswersOut && world.signIns.liveCount == 0)
    }
}
