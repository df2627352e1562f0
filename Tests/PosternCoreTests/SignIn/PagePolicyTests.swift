import PosternCore
import Testing

@Suite("When a page may be opened")
struct PagePolicyTests {
    /// - Returns: the seconds at which a page was opened, of those who ask once a second and whose pages can be opened or not.
    private func openings(_ policy: inout PagePolicy, until end: Int64, fails: (Int) -> Bool) -> [Int64] {
        var openings: [Int64] = []
        for second in 0..<end {
            guard case .open(let opening) = policy.pageWanted(providerID: "a", uptime: 1000 + second) else { continue }
            if fails(openings.count) { policy.pageFailed(opening) }
            openings.append(second)
        }
        return openings
    }

    @Test("one page per provider in five seconds")
    func onePage() {
        var policy = PagePolicy()
        #expect(openings(&policy, until: 12, fails: { _ in false }) == [0, 5, 10])
        guard case .open = policy.pageWanted(providerID: "b", uptime: 1011) else {
            Issue.record("another provider's page waits")
            return
        }
        #expect(policy.pageWanted(providerID: "a", uptime: 1012) == .wait(seconds: 3))
    }

    @Test("one that failed holds the next one up for a second, and further ones in a row for longer, as pages do")
    func failing() {
        var policy = PagePolicy()
        #expect(openings(&policy, until: 30, fails: { _ in true }) == [0, 1, 3, 7, 12, 17, 22, 27])
    }

    @Test("a page that was opened holds the next one up in full, and ends the row of failures")
    func mended() {
        var policy = PagePolicy()
        #expect(openings(&policy, until: 20, fails: { [0, 1, 3].contains($0) }) == [0, 1, 3, 8, 9, 14, 19])
    }

    @Test("a failure that is known late shortens no pause of a later page, and counts once")
    func late() {
        var policy = PagePolicy()
        guard case .open(let first) = policy.pageWanted(providerID: "a", uptime: 0),
            case .open(let second) = policy.pageWanted(providerID: "a", uptime: 5)
        else {
            Issue.record("the pages wait")
            return
        }
        policy.pageFailed(first)
        #expect(policy.pageWanted(providerID: "a", uptime: 6) == .wait(seconds: 4))
        for _ in 0..<3 { policy.pageFailed(second) }
        guard case .open(let third) = policy.pageWanted(providerID: "a", uptime: 6) else {
            Issue.record("the page waits")
            return
        }
        policy.pageFailed(third)
        #expect(policy.pageWanted(providerID: "a", uptime: 7) == .wait(seconds: 1))
    }
}
