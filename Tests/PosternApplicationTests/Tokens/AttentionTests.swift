import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// What the user is shown, what becomes of the button, and what the configured command is told.
@Suite("The user is told, step by step", .serialized)
struct AttentionTests {
    private let daemon: TestApplication

    init() throws {
        daemon = try TestApplication(TestApplication.example + "\n[attention]\ncommand = [\"told\"]\n")
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
    }

    private func happens(_ event: NoticeEvent) {
        daemon.executor.isolated { daemon.notices.happens(event) }
        daemon.settle()
    }

    private var isBusy: Bool { daemon.executor.isolated { daemon.application.isBusy } }

    private func endRun(_ problem: String? = nil) {
        daemon.executor.isolated { daemon.commands.end(problem) }
        daemon.settle()
    }

    private var events: [String?] { daemon.commands.runs.map { $0["POSTERN_EVENT"] } }

    // MARK: Notices

    @Test("A refusal is shown once, with the command, and without the provider's words")
    func shown() throws {
        _ = daemon.refused()
        _ = daemon.refused()
        let notice = try #require(daemon.notices.shown.first)
        #expect(daemon.notices.shown.count == 1)
        #expect(notice.summary == "Sign in to work again" && notice.button == "Sign in")
        #expect(notice.body == "Ada: The provider no longer renews its access. Or run: postern sign-in work")
    }

    @Test("It is shown again after a day, in its own place, and not before")
    func reminder() {
        _ = daemon.refused()
        endRun()
        daemon.pass(seconds: 86_399)
        #expect(daemon.notices.shown.count == 1)
        daemon.pass(seconds: 1)
        #expect(daemon.notices.shown.count == 2 && daemon.notices.displayed.count == 1)
        #expect(Set(daemon.notices.shown.map(\.id)).count == 1)
        daemon.pass(seconds: 86_400)
        #expect(daemon.notices.shown.count == 3)
    }

    @Test("A run of the daemon that begins before the day is over shows nothing, and then it does")
    func nextLife() throws {
        _ = daemon.refused()
        endRun()
        daemon.pass(seconds: 3600)
        let next = try daemon.restarted(after: 3600)
        #expect(next.notices.shown.isEmpty)
        next.pass(seconds: 86_400 - 3600)
        #expect(next.notices.shown.count == 1)
    }

    @Test("The button starts the sign-in that the command would, and the recovery takes the notice back")
    func button() throws {
        _ = daemon.refused()
        var keptBy: [JSON] {
            daemon.call("ListCredentials")["credentials"]?.arrayValue?.first?.objectValue?["keptBy"]?.arrayValue ?? []
        }
        #expect(!keptBy.isEmpty && !keptBy.contains(""))
        happens(.buttonPressed(activationToken: "token-1"))
        let url = try #require(daemon.pages.opened.first)
        #expect(url.hasPrefix("https://work.example/authorize?"))
        #expect(daemon.pages.activationTokens == ["token-1"])
        daemon.browserReturns("state=\(url.query("state") ?? "")&code=abc")
        daemon.answerToken("at-2", refreshToken: "rt-2")
        daemon.answer(json: #"{"id":"42","name":"Ada"}"#)
        #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-2")
        #expect(daemon.notices.displayed.isEmpty && daemon.notices.shown.count == 1)
        #expect(keptBy.contains(""), "it is kept for the person, and not only for the app that had it")
        endRun()
        endRun()
        #expect(events == ["signInNeeded", "good"])
    }

    @Test("A sign-in by another way takes it back as well; so do a revocation and a lock")
    func withdrawn() {
        _ = daemon.refused()
        daemon.signIn(accessToken: "at-2", refreshToken: "rt-2")
        #expect(daemon.notices.displayed.isEmpty)
        daemon.pass(seconds: 7200)
        _ = daemon.refused()
        #expect(daemon.notices.displayed.count == 1)
        daemon.call("Lock")
        #expect(daemon.notices.displayed.isEmpty)
        daemon.call("Unlock")
        daemon.pass(seconds: 86_400)
        #expect(daemon.notices.displayed.count == 1)
        daemon.call("RevokeCredential", ["providerID": "work"])
        #expect(daemon.notices.displayed.isEmpty)
    }

    @Test("The daemon is not idle while a button is shown, and is afterwards")
    func busy() {
        _ = daemon.refused()
        endRun()
        #expect(isBusy)
        happens(.closed)
        #expect(!isBusy)
    }

    @Test("Where nothing can be shown, that is a line for those who look for it, and nobody waits")
    func notShown() {
        _ = daemon.refused()
        endRun()
        happens(.notShown("there is no bus"))
        #expect(!isBusy)
        let lines = daemon.log.entries.filter { $0.message.contains("there is no bus") }
        #expect(lines.map(\.level) == [.debug])
    }

    @Test("Where the daemon opens no pages there is no button, and the command alone is named")
    func noBrowser() throws {
        let daemon = try TestApplication("[sign-in]\nbrowser = \"none\"\n\(TestApplication.example)")
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        _ = daemon.refused()
        let notice = try #require(daemon.notices.shown.first)
        #expect(notice.button == nil && notice.body.hasSuffix("its access. Run: postern sign-in work"))
    }

    @Test("A name from outside is one line of text that ends")
    func hostileName() throws {
        let daemon = try TestApplication()
        let reply = daemon.beginSignIn()
        daemon.answerToken("at-1", refreshToken: "rt-1")
        let name = "Ada\\n\\u202E" + String(repeating: "x", count: 200)
        daemon.answer(json: #"{"id":"42","name":"\#(name)"}"#)
        #expect(reply.isFinished)
        _ = daemon.refused()
        let body = try #require(daemon.notices.shown.first?.body)
        #expect(!body.unicodeScalars.contains { $0 == "\n" || $0 == "\u{202E}" } && body.count <= 401)
    }

    // MARK: Languages

    @Test(
        "It is in the person's language, where the configuration has that",
        arguments: [
            ([:], "[]", "Sign in to work again", "Sign in"),
            (["LANG": "ja_JP.UTF-8"], "[]", "work にもう一度サインインしてください", "サインイン"),
            (["LANG": "it"], "[]", "Accedi di nuovo a work", "Accedi"), (["LANG": "it"], "[\"en\", \"ja\"]", "Sign in to work again", "Sign in"),
            (["LANG": "de_DE"], "[\"ja\", \"it\"]", "work にもう一度サインインしてください", "サインイン"),
        ])
    func language(environment: [String: String], offered: String, summary: String, button: String) throws {
        let daemon = try TestApplication(
            "\(offered == "[]" ? "" : "[sign-in]\nlanguages = \(offered)\n")\(TestApplication.example)",
            languages: PersonLanguages(environment: environment))
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        _ = daemon.refused()
        let notice = try #require(daemon.notices.shown.first)
        #expect(notice.summary == summary && notice.button == button)
        #expect(notice.body.hasPrefix("Ada") && notice.body.hasSuffix("postern sign-in work"))
    }

    // MARK: The command

    @Test("Its runs are one after the other, in order, and a failure is a line in the log")
    func oneAtATime() {
        _ = daemon.refused()
        daemon.signIn(accessToken: "at-2", refreshToken: "rt-2")
        #expect(events == ["signInNeeded"])
        #expect(daemon.commands.runs[0]["POSTERN_ACCOUNT"] == "42" && daemon.commands.runs[0]["POSTERN_PROVIDER"] == "work")
        #expect(isBusy)
        endRun("ended with status 1")
        #expect(events == ["signInNeeded", "good"])
        endRun()
        #expect(daemon.log.entries.contains { $0.message == "the command of [attention] (told) ended with status 1" })
    }

    @Test("A command that hangs holds up a bounded number of changes")
    func bounded() {
        for round in 0..<70 {
            _ = daemon.refused()
            daemon.signIn(accessToken: "at-\(round)", refreshToken: "rt-\(round)")
        }
        #expect(daemon.commands.runs.count == 1)
        #expect(daemon.log.entries.contains { $0.message.contains("is too slow for the changes") })
        for _ in 0..<200 { endRun() }
        #expect(daemon.commands.runs.count == 64)
    }
}

/// Renewals that nobody asks for.
@Suite("Accounts that are kept fresh, step by step", .serialized)
struct FreshAccountTests {
    private let daemon: TestApplication
    private let day: Int64 = 86_400

    init() throws { daemon = try Self.application() }

    private static let account = "\n[account.mine]\nprovider = \"work\"\nlogin = \"42\"\nkeep-fresh = true\n"

    private static func application() throws -> TestApplication {
        let daemon = try TestApplication(TestApplication.example + account)
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        return daemon
    }

    private var isBusy: Bool { daemon.executor.isolated { daemon.application.isBusy } }

    @Test("It is renewed every three days or a little sooner, without anybody asking")
    func regularly() {
        daemon.providerAnswers()
        daemon.pass(seconds: 3 * day - 3 * day / 10 - 1)
        #expect(daemon.tokenRequests.isEmpty)
        daemon.pass(seconds: 3 * day / 10 + 1)
        #expect(daemon.tokenRequests.count == 1)
        daemon.pass(seconds: 27 * day)
        #expect((9...11).contains(daemon.tokenRequests.count), "\(daemon.tokenRequests.count)")
    }

    @Test("An account without keep-fresh is left alone")
    func others() throws {
        let daemon = try TestApplication()
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        daemon.pass(seconds: 30 * day)
        #expect(daemon.tokenRequests.isEmpty)
    }

    @Test("A provider that cannot be reached is tried again later and later, and never hammered")
    func failing() {
        daemon.executor.isolated { daemon.provider.automatic = { _ in .success(ProviderResponse(status: 503, headers: [], body: [])) } }
        daemon.pass(seconds: 3 * day + 3600)
        let soon = daemon.tokenRequests.count
        #expect((1...30).contains(soon), "\(soon)")
        let before = daemon.tokenRequests.count
        daemon.pass(seconds: 10 * day)
        #expect(daemon.tokenRequests.count - before <= 41, "\(daemon.tokenRequests.count)")
        daemon.providerAnswers()
        daemon.pass(seconds: 7 * 3600)
        #expect(daemon.call("ListCredentials")["credentials"]?.arrayValue?.first?.objectValue?["state"] == "good")
        #expect(daemon.call("GetAccessToken", ["providerID": "mine"]).error == nil)
    }

    @Test("A renewal that needs the user is not attempted")
    func refused() {
        _ = daemon.refused()
        daemon.pass(seconds: 30 * day)
        #expect(daemon.tokenRequests.count == 1)
    }

    @Test("A renewal due at the start is done before the daemon may exit")
    func atStart() throws {
        let next = try daemon.restarted(configuration: TestApplication.example + Self.account, after: 5 * day)
        #expect(next.executor.isolated { next.application.isBusy } && next.tokenRequests.isEmpty)
        next.providerAnswers()
        next.pass(seconds: 10)
        #expect(next.tokenRequests == ["rt-1"])
        #expect(!next.executor.isolated { next.application.isBusy })
    }
}
