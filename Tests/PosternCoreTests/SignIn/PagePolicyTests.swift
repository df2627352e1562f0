import PosternCore
import Testing

@Suite("When a page may be opened")
struct PagePolicyTests {
    let start = Timestamp(seconds: 1_800_000_000)

    @Test("one page per provider in five seconds")
    func onePage() {
        var policy = PagePolicy()
        #expect(policy.pageWanted(providerID: "a", now: start) == .open)
        #expect(policy.pageWanted(providerID: "a", now: start.adding(seconds: 2)) == .wait(until: start.adding(seconds: 5)))
        #expect(policy.pageWanted(providerID: "b", now: start.adding(seconds: 2)) == .open)
        #expect(policy.pageWanted(providerID: "a", now: start.adding(seconds: 5)) == .open)
    }

    @Test("a clock that was set back does not keep pages shut")
    func clockSetBack() {
        var policy = PagePolicy()
        _ = policy.pageWanted(providerID: "a", now: start)
        #expect(policy.pageWanted(providerID: "a", now: start.adding(seconds: -86_400)) == .open)
    }
}
