import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

@Suite("An account, for people")
struct AccountTextTests {
    private static func account(
        _ provider: String = "work", _ uid: String = "1906", name: String? = nil, who: String? = "Grace Hopper", email: String? = "grace@example.com",
        keptBy: [String]? = [""]
    ) -> StoredCredential {
        StoredCredential(
            providerID: provider, uid: uid, displayName: who, email: email, account: name, scopes: [], refreshable: true, state: .good, keptBy: keptBy)
    }

    @Test(
        "it and its provider have their own names, and its identifier is told if there is no other",
        arguments: [
            (account(name: "grace"), "Grace Hopper at Example Corp (account grace)"),
            (account(), "Grace Hopper at Example Corp (account grace@example.com)"),
            (account(who: nil), "grace@example.com at Example Corp"), (account(email: nil), "Grace Hopper at Example Corp (account 1906)"),
            (account(who: nil, email: nil), "1906 at Example Corp"), (account(who: "G\u{1B}"), "G\u{FFFD} at Example Corp (account grace@example.com)"),
        ])
    func description(account: StoredCredential, text: String) {
        #expect(AccountText(account, at: "Example Corp").description == text)
        let event = SignInEvent(sessionID: "s", state: .completed, expiresAt: "", account: account)
        #expect(PersonText.outcome(of: event, providerName: "Example Corp") == "signed in as \(text)")
        let proved = AccountDialogue.Proved(reply: [:], account: account, wayName: "Example Corp")
        #expect(PersonText.outcome(of: proved) == "signed in as \(text)")
    }

    @Test(
        "a command means it by its name, by its provider where it is alone there, or by both",
        arguments: [
            (account(name: "grace"), "grace", "grace"), (account(), "work --account grace@example.com", "work --login-hint grace@example.com"),
            (account(email: nil), "work --account 1906", "work --login-hint 1906"), (account("home"), "home", "home"),
        ])
    func words(account: StoredCredential, token: String, signIn: String) {
        let kept = [account, Self.account("work", "1815", email: "ada@example.com")]
        #expect(AccountText.words(for: account, among: kept) == token)
        #expect(CredentialText.signIn(to: account, among: kept) == "postern sign-in \(signIn)")
    }

    @Test("what it needs is told by its address, with the command for it and for none beside it")
    func need() {
        var credential = Self.account()
        #expect(CredentialText.need(of: credential, among: [credential]) == nil)
        (credential.state, credential.reason) = (.signInNeeded, "it was revoked")
        let kept = [credential, Self.account("work", "1815", email: "ada@example.com")]
        #expect(
            CredentialText.need(of: credential, among: kept)
                == "work (grace@example.com) needs a new sign-in: it was revoked; run postern sign-in work --login-hint grace@example.com")
    }

    @Test(
        "an account is found by what the user types: a configured name before a provider, and either before an address",
        arguments: [
            ("grace", nil, ["1"]), ("work", nil, ["1", "2", "3"]), ("GRACE@example.com", nil, ["1", "4"]), ("2", nil, ["2"]),
            ("home", nil, ["4", "5"]), ("work", "ada@example.com", ["2"]), ("work", "1", ["1"]), ("work", "octo", []), ("nobody", nil, []),
            ("ada", nil, ["3"]),
        ] as [(String, String?, [String])])
    func meant(word: String, account: String?, uids: [String]) {
        let kept = [
            Self.account("work", "1", name: "grace"), Self.account("work", "2", email: "ada@example.com"),
            Self.account("work", "3", name: "ada", email: nil), Self.account("home", "4"), Self.account("home", "5", email: "ada"),
        ]
        #expect(AccountRemoval.meant(by: word, account, among: kept).map(\.uid) == uids)
    }

    @Test(
        "whoever has it beside the person is told apart from the person",
        arguments: [([""], true, []), (["", "mail"], true, ["mail"]), (["mail"], false, ["mail"]), (nil, true, [])] as [([String]?, Bool, [String])])
    func keepers(keptBy: [String]?, isPersons: Bool, apps: [String]) {
        let account = Self.account(keptBy: keptBy)
        #expect(account.isKeptByPerson == isPersons && account.apps == apps)
    }

    @Test(
        "the outcome is reported, with the apps whose users had it",
        arguments: [
            ((true, nil, nil, nil), false, ["revoked at Work, and forgotten here"]),
            (
                (true, nil, nil, ["mail"]), false,
                ["revoked at Work, and forgotten here", "users of the app mail had it, too, and get no more tokens of Work here"]
            ),
            (
                (false, nil, nil, ["a", "b", "c"]), true,
                [
                    "forgotten here; what was granted stays granted at Work",
                    "users of the apps a, b and c had it, too, and get no more tokens of Work here",
                ]
            ),
            ((false, true, nil, []), false, ["forgotten here; Work has no way to revoke it: remove the access in your account settings there"]),
            (
                (false, false, "it did not answer", nil), false,
                ["forgotten here, but not revoked at Work: it did not answer; remove the access in your account settings there"]
            ),
        ] as [((Bool, Bool?, String?, [String]?), Bool, [String])])
    func outcome(reply: (Bool, Bool?, String?, [String]?), keepsGrant: Bool, lines: [String]) {
        let reply = Interface.RevokeCredential.Reply(revokedAtProvider: reply.0, hasNoWay: reply.1, reason: reply.2, apps: reply.3)
        #expect(RevocationText.lines(of: reply, at: "Work", keepsGrant: keepsGrant) == lines)
    }
}
