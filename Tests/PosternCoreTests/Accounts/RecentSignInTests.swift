import PosternCore
import Testing

@Suite("How long a sign-in is recent")
struct RecentSignInTests {
    private let signIn = AppSignIn(id: "sign-in", app: "app", uid: "uid", authenticatedAt: now, providerID: "work")

    @Test("for five minutes to the second", arguments: [(0, true), (299, true), (300, true), (301, false), (86_400, false)])
    func seconds(_ seconds: Int64, _ isRecent: Bool) {
        #expect(signIn.isRecent(now: now.adding(seconds: seconds)) == isRecent)
    }

    @Test("a clock that was set back makes nothing recent", arguments: [-1, -86_400])
    func clockSetBack(_ seconds: Int64) {
        #expect(!signIn.isRecent(now: now.adding(seconds: seconds)))
    }
}
