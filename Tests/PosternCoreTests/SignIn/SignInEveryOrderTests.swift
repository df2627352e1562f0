import Testing

@testable import PosternCore

/// Whatever happens in whatever order, after every event:
///
/// - A program that waits gets one answer: no second one, and none is left waiting when the sign-in is over and what was asked for is
///   answered.
/// - A code, or the grant for one, is exchanged once, also after a restart, and not before it is on disk that it will be. One poll is under
///   way at a time, none too soon after the one before.
/// - A sign-in only goes on. After its end nothing is begun, and it ends in no other way.
/// - A result is delivered, and a failure told, once it is on disk. A page or a code is shown once the sign-in is.
/// - A grant is kept, or given back once, or on its way to either. A lock alone loses one, and says so.
/// - It waits no longer than the longest life, and is remembered no longer than promised. Everything that it waits for is on its way, or
///   has a moment; and a moment that has come is not the next one again.
///
/// The first two tests answer what is asked for, once, well or badly, and in any order; in the third, answers come without having been asked
/// for, and again. Whatever depends on what was asked for is not checked there.
///
/// The first test ends when no order leads to anything new, so it covers orders of any length; the others stop after so many events. Each
/// program comes once. Left out are OAuth 1.0a, polls that nothing readable answers, and power cuts.
@Suite("Sign-ins: every order")
struct SignInEveryOrderTests {
    private static let flows: [ProviderFlow] = [.browser, .device]

    /// As the daemon finds it on disk.
    private static let disks: [LoneSignIn.Disk] = {
        let until = now.adding(seconds: 600)
        let ends: [LoneSignIn.End] = [.completed, .refused, .delivered, .failed(.cancelled)]
        return [
            .pending(until: until, states: 1, hasCode: false), .pending(until: until, states: 0, hasCode: true),
            .pending(until: until, states: 1, hasCode: true), .exchanging(until: until, states: 1),
        ] + ends.map { .ended($0, until: until, states: 1) }
    }()

    @Test(
        "one program, or another one with it, and restarts, to the end",
        arguments: [(others: [], lives: 2), (others: [2], lives: 0), (others: [3], lives: 1), (others: [4], lives: 0)]
            as [(Set<UInt64>, Int)])
    func asked(others: Set<UInt64>, lives: Int) {
        EveryOrder.check(Self.flows.map { LoneSignIn(asking: $0, others: others, lives: lives) }, situations: 5000)
    }

    @Test("all programs, from the question or from the disk, six events")
    func all() {
        let others: Set<UInt64> = [2, 3, 4]
        let starts = Self.flows.map { LoneSignIn(asking: $0, others: others, lives: 1) }
        EveryOrder.check(starts + Self.disks.map { LoneSignIn($0, others: others, lives: 1) }, depth: 6, situations: 20_000)
    }

    @Test("answers to nothing that was asked, from the question or from the disk, five events")
    func loose() {
        let starts = Self.flows.map { LoneSignIn(asking: $0, others: [3], lives: 0, isLoose: true) }
        EveryOrder.check(starts + Self.disks.map { LoneSignIn($0, others: [3], lives: 0, isLoose: true) }, depth: 5, situations: 10_000)
    }

    @Test("two situations are told apart by everything that a sign-in consists of")
    func identity() throws {
        func names(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
        let machine = LoneSignIn(asking: .browser, others: [], lives: 0).machine
        #expect(
            names(machine) == [
                "generation", "session", "expiresAt", "latestEnd", "stateHashes", "waiters", "askers", "wasTakenUp", "flows", "state",
            ])
        #expect(names(SignInMachine.Preparing(secrets: LoneSignIn.secrets, flow: .browser)) == ["secrets", "flow", "step"])
        #expect(names(SignInMachine.Pending(secrets: LoneSignIn.secrets)) == ["secrets", "page", "code", "renewals"])
        #expect(names(SignInMachine.Pending.Page()) == ["url", "expiresAt", "shownBy", "problem"])
        #expect(names(SignInMachine.Exchanging(step: .underWay)) == ["digest", "step"])
        #expect(names(SignInMachine.Ended(outcome: .failed(.cancelled), step: .settled)) == ["outcome", "digest", "step"])
    }
}
