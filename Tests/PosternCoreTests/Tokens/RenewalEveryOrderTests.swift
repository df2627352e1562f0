import Testing

@testable import PosternCore

/// Whatever happens in whatever order, after every event:
///
/// - A program that waits gets one answer: no second one, and none is left waiting when nothing is under way any more.
/// - One thing is under way at a time, and the renewal knows of it: a request, or a write.
/// - A refresh token is not sent while another request or write is under way, not again after it was replaced or refused on disk, and not
///   while its successor is only in memory. Only the credential that is there is renewed, and none while the store is locked.
/// - A refresh token that replaced another one is on disk before anybody gets a token of that renewal. Until then it is being written, or
///   held to be written; or it is given back once, or a sign-in replaced it. A lock alone drops it.
/// - There are no more requests than the pace allows.
///
/// The daemon learns of a change on disk later than it is made, which is an event of its own; of a deletion before a program asks again. The
/// first tests end when no order leads to anything new, so within what can happen in them they cover orders of any length; the last one
/// stops after so many events. Left out are ID tokens, and tokens that renew themselves.
@Suite("Renewals: every order")
struct RenewalEveryOrderTests {
    typealias Rest = LoneRenewal.Rest

    /// With a token that is good, and with one that has expired.
    private static func starts(_ rest: Rest) -> [LoneRenewal] { [LoneRenewal(rest), LoneRenewal(expiresIn: -5, rest)] }

    @Test("two requests of one program, a sign-in, a revocation and a lock, to the end")
    func changes() {
        EveryOrder.check(Self.starts(Rest(programs: [.forced], requests: 2, signIns: 1, revocations: 1, locks: 1)), situations: 10_000)
    }

    @Test(
        "two requests of two programs, the first for a token that has expired, and a sign-in, to the end",
        arguments: [LoneRenewal.Program.plain, .narrowForced])
    func programs(other: LoneRenewal.Program) {
        EveryOrder.check([LoneRenewal(expiresIn: -5, Rest(programs: [.forced, other], requests: 2, signIns: 1))], situations: 500)
    }

    @Test("the last request that the pace allows, pauses, and another configuration, to the end")
    func pace() {
        let rest = Rest(programs: [.forced], requests: 2, pauses: 1, readings: 1)
        EveryOrder.check([LoneRenewal(rest), LoneRenewal(used: 32, rest), LoneRenewal(used: 33, rest)], situations: 3000)
    }

    @Test("all programs and everything that can happen, four events")
    func all() {
        let rest = Rest(
            programs: LoneRenewal.Program.allCases, requests: 4, signIns: 2, revocations: 2, locks: 2, pauses: 4, readings: 1)
        EveryOrder.check(Self.starts(rest), depth: 4, situations: 5000)
    }
}
