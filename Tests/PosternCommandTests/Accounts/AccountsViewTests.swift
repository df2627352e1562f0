import PosternClient
import PosternConfiguration
import StrictJSON
import Testing

@testable import TestDaemon
@testable import postern

@Suite("The view of all accounts")
struct AccountsViewTests {
    static let providers = [provider("work", "Example Corp"), provider("github.com", "GitHub"), provider("x.com", "X"), provider("twitter.com", "X")]

    static func provider(_ id: String, _ name: String) -> Provider {
        Provider(providerID: id, displayName: name, kind: .oidc, flows: [], scopes: [], configured: true)
    }

    static func stored(
        _ provider: String, _ uid: String, account: String? = nil, email: String? = nil, state: Interface.CredentialState = .good,
        endsAt: String? = nil, reason: String? = nil, keptBy: [String]? = [""]
    ) -> Interface.StoredCredential {
        Interface.StoredCredential(
            providerID: provider, uid: uid, displayName: "Ada", email: email, account: account, scopes: [],
            expiresAt: "2026-11-22T06:24:00Z", refreshable: true, state: state, endsAt: endsAt, reason: reason, keptBy: keptBy)
    }

    static let settings = AccountSettings(
        accounts: [
            .init(name: "ada", providerID: "work", login: "1"), .init(name: "grace", providerID: "work", login: "2", urls: ["https://git.example/navy/"]),
            .init(name: "tools", providerID: "github.com"),
        ],
        serves: [("work", ["https://git.example"])], meant: [("work", "ada")])

    static let two = [
        stored("work", "1", account: "ada", email: "ada@example.com"),
        stored("work", "2", account: "grace", email: "grace@example.org", state: .signInNeeded, reason: "it was revoked"),
        stored("x.com", "3", endsAt: "2026-12-01T00:00:00Z"), stored("github.com", "4", email: "o@example.com", keptBy: ["mail", "notes"]),
        stored("twitter.com", "5", keptBy: ["", "mail"]),
    ]

    static func lines(_ view: AccountsView, width: Int? = nil) throws -> [String] {
        var lines: [String] = []
        try AccountsText(view: view, times: .exact, width: width).write { lines += $0 }
        return lines
    }

    static let user = User(
        uid: "u", isAnonymous: false, displayName: "Ada", email: "ada@example.com", emailVerified: true, providerData: [], secondFactors: [],
        createdAt: "2026-11-22T06:24:00Z", lastSignInAt: "2026-11-22T06:24:00Z")

    @Test("a line an account, then what needs the person, with the command, then the users of apps and accounts kept only for apps' users")
    func text() throws {
        var view = AccountsView(credentials: Self.two, providers: Self.providers, settings: Self.settings)
        view.users = [AccountsView.AppUser(app: "mail", user: Self.user)]
        #expect(
            try Self.lines(view) == [
                "ACCOUNT          WHO                WHERE            STATE    UNTIL                 FOR",
                "ada (also work)  ada@example.com    Example Corp     good     renews itself         https://git.example",
                "grace            grace@example.org  Example Corp     sign in  -                     https://git.example/navy/, https://git.example",
                "x.com            Ada                X (x.com)        good     2026-12-01T00:00:00Z  programs that name it",
                "twitter.com      Ada                X (twitter.com)  good     renews itself         programs that name it; users of mail",
                "tools            nobody             GitHub           sign in  -                     programs that name it",
                "", "Needs you:", "  grace needs a new sign-in: it was revoked", "    postern sign-in grace", "  nobody is signed in to tools",
                "    postern sign-in tools", "", "Users of apps:", "  mail  Ada <ada@example.com>", "", "Kept for users of apps only:",
                "APP          WHO            WHERE   STATE  UNTIL", "mail, notes  o@example.com  GitHub  good   renews itself",
            ])
    }

    @Test("an account that nothing renews works until it expires and then needs a sign-in; one that does not expire, until it is revoked")
    func unrenewable() throws {
        func line(_ state: Interface.CredentialState, endsAt: String?) throws -> [String] {
            var credential = Self.stored("work", "1", email: "ada@example.com", state: state, endsAt: endsAt)
            (credential.refreshable, credential.expiresAt, credential.renewalAdvice) = (false, endsAt, endsAt.map { _ in "ask for it" })
            return try Self.lines(AccountsView(credentials: [credential], providers: Self.providers, settings: nil))
        }
        let end = "2026-12-01T00:00:00Z"
        for state in [Interface.CredentialState.good, .endsSoon] {
            #expect(try line(state, endsAt: end)[1].contains("  ends   \(end), then sign in again  "), "\(state)")
        }
        #expect(
            try Array(line(.endsSoon, endsAt: end).dropFirst(3)) == [
                "Needs you:", "  work works until \(end), then sign in again; without a refresh token it cannot be renewed: ask for it",
                "    postern sign-in work",
            ])
        #expect(try line(.good, endsAt: end).count == 2)
        #expect(try line(.good, endsAt: nil)[1].contains("  good   no expiry  "))
        #expect(try line(.signInNeeded, endsAt: end)[1].contains("  sign in  -  "))
    }

    @Test("a terminal that is too narrow for a row has a paragraph for each account, and cuts only what an account is for")
    func narrow() throws {
        let view = AccountsView(credentials: [Self.two[0]], providers: Self.providers, settings: nil)
        #expect(try Self.lines(view, width: 40) == ["ada", "  who    ada@example.com", "  where  Example Corp", "  state  good", "  until  renews itself", "  for    programs that name it"])
        #expect(try Self.lines(view, width: 75).last == "ada      ada@example.com  Example Corp  good   renews itself  programs tha…")
    }

    @Test("unnamed accounts at one provider have no word, and the command that decides is shown")
    func ambiguous() throws {
        let some = [Self.stored("work", "1", email: "ada@example.com", state: .signInNeeded), Self.stored("work", "2")]
        let view = AccountsView(credentials: some, providers: Self.providers, settings: AccountSettings())
        let lines = try Self.lines(view)
        #expect(lines[1].hasPrefix("-  ") && lines[2].hasPrefix("-  "))
        #expect(
            lines.suffix(4) == [
                "  ada@example.com needs a new sign-in: no reason is known", "    postern sign-in work --login-hint ada@example.com",
                "  work could mean any of your 2 accounts there; say which, once it has a name", "    postern accounts rename ada@example.com NAME",
            ])
        let named = AccountsView(
            credentials: [some[0], Self.stored("work", "2", account: "b")], providers: [], settings: AccountSettings(accounts: [.init(name: "b", providerID: "work")]))
        #expect(try Self.lines(named).suffix(2) == ["  work could mean any of your 2 accounts there; say which", "    postern config set provider.work.account b"])
        #expect(AccountsView(credentials: Self.two, providers: [], settings: Self.settings).ambiguities.isEmpty)
    }

    @Test("what comes from outside does not steer the terminal")
    func hostile() throws {
        let view = AccountsView(
            credentials: [Self.stored("work", "\u{1B}", email: "\u{1B}[2J", state: .signInNeeded, reason: "a\u{1B}b\nc", keptBy: ["", "\u{1B}m"])],
            providers: [Self.provider("work", "\u{202E}X")], settings: nil)
        for width in [nil, 40, 100] {
            #expect(try Self.lines(view, width: width).allSatisfy { line in line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E } })
        }
    }

    @Test("the document has all of it, in the same order")
    func document() throws {
        var view = AccountsView(credentials: Self.two, providers: Self.providers, settings: Self.settings)
        view.users = [AccountsView.AppUser(app: "mail", user: Self.user)]
        let accounts = (0..<AccountsDocument.count(of: view)).map { AccountsDocument.element($0, of: view) }
        #expect(accounts.map { $0["name"]?.stringValue ?? "-" } == ["ada", "grace", "x.com", "twitter.com", "tools", "-"])
        #expect(accounts.map { $0["meantByProvider"] } == [true, false, true, true, false, false])
        #expect(accounts.map { $0["person"] } == [true, true, true, true, true, false])
        #expect(accounts[5]["apps"] == ["mail", "notes"] && accounts[5]["command"] == nil && accounts[4]["uid"] == nil)
        #expect(
            accounts[1] == [
                "providerID": "work", "providerName": "Example Corp", "name": "grace", "account": "grace", "uid": "2", "displayName": "Ada",
                "email": "grace@example.org", "state": "signInNeeded", "reason": "it was revoked", "expiresAt": "2026-11-22T06:24:00Z",
                "refreshable": true, "meantByProvider": false, "urls": ["https://git.example/navy/", "https://git.example"], "person": true,
                "apps": [], "command": "postern sign-in grace",
            ])
        #expect(AccountsDocument.rest(of: view)["users"]?.arrayValue?.first == .object(["app": "mail", "user": .object(Self.user.object)]))
    }

    @Test("the apps are asked for in bounds, and default is one of them")
    func apps() {
        let many = (0..<100).map { Self.stored("work", "\($0)", keptBy: ["a\($0)", "", "default"]) }
        let view = AccountsView(credentials: many, providers: [], settings: nil)
        #expect(view.apps(limit: 4) == ["default", "a0", "a1", "a2"])
        #expect(AccountsView(credentials: [], providers: [], settings: nil).apps(limit: 4) == ["default"])
    }

    @Test("a table of many parts is one table", arguments: [nil, 30, 12] as [Int?])
    func long(width: Int?) {
        let rows = (0..<(2 * LongTable.part + 5)).map { ["row \($0)", $0 == 700 ? "something wide" : "x", "last"] }
        var whole = Table()
        whole.add(["A", "B", "C"])
        for row in rows { whole.add(row) }
        var parts: [[String]] = []
        LongTable(headings: ["A", "B", "C"], count: rows.count) { rows[$0] }.write(within: width) { parts.append($0) }
        #expect(parts.flatMap(\.self) == whole.listing(within: width))
        #expect(parts.count == 3)
    }

    @Test("a terminal shows a few of those that are kept for users of apps, a file shows all")
    func others() throws {
        let many = (0..<50).map { Self.stored("work", "\($0)", keptBy: ["mail"]) }
        let view = AccountsView(credentials: many, providers: Self.providers, settings: nil)
        let shown = try Self.lines(view, width: 80)
        #expect(shown.count == 1 + 1 + AccountsText.mostOthers + 1 && shown.last == "and 30 more; postern accounts | less shows them all")
        #expect(try Self.lines(view).count == 1 + 1 + 50)
    }
}
