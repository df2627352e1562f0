import Glibc
import PosternClient
import StrictJSON
import Testing

@testable import TestDaemon
@testable import postern

@Suite("How a failure ends the command")
struct CommandFailureTests {
    @Test(
        "the status says what kind of failure it was",
        arguments: [
            (PosternError.daemonUnreachable(path: "/s", reason: "no such file"), CommandStatus.daemonUnreachable),
            (.foreignDaemon(path: "/s", userID: 65534), .daemonUnreachable),
            (.daemonUnresponsive(path: "/s"), .daemonUnreachable),
            (.connectionLost(reason: "closed"), .failed),
            (.cancelled, .declined),
            (.malformedReply(reason: "x"), .failed),
            (.notUnderstood(name: "org.varlink.service.MethodNotImplemented", parameters: ["method": "io.postern.Lock"]), .failed),
            (.refused(.signInDenied(message: "m", providerID: "p", error: "access_denied")), .declined),
            (.refused(.signInDenied(message: "m", providerID: "p", error: "login_required")), .declined),
            (.refused(.signInDenied(message: "m", providerID: "p", error: "temporarily_unavailable")), .failed),
            (.refused(.signInTimedOut(message: "m", sessionID: "s")), .declined),
            (.refused(.signInCancelled(message: "m", sessionID: "s")), .declined),
            (.refused(.signInRequired(message: "m", providerID: "p", reason: "gone")), .signInNeeded),
            (.refused(.scopeNotGranted(message: "m", missing: ["a"])), .signInNeeded),
            (.refused(.stepUpRequired(message: "m", providerID: "p", scopes: ["a"], acrValues: [])), .signInNeeded),
            (.refused(.providerNotFound(message: "m", providerID: "p")), .failed),
            (.refused(.internalError(message: "m")), .failed),
            (.refused(.ambiguousAccount(message: "m", uids: ["1", "2"])), .failed),
        ])
    func status(error: PosternError, status: CommandStatus) {
        let failure = CommandFailure(error as any Error)
        #expect(failure.status == status)
        #expect(!failure.sentence.isEmpty)
    }

    @Test("an unreachable daemon is reported with what to try")
    func unreachable() {
        let failure = CommandFailure(PosternError.daemonUnreachable(path: "/s", reason: "nothing listens"))
        #expect(failure.sentence == "the daemon cannot be reached at /s: nothing listens")
        #expect(failure.advice?.contains(DaemonStart.hasSystemd ? "systemctl --user start postern.socket" : "nohup posternd") == true)
    }

    @Test("a daemon of another user is reported with its owner's name and what to do")
    func foreign() {
        let failure = CommandFailure(PosternError.foreignDaemon(path: "/s", userID: 0))
        #expect(failure.sentence.contains("/s") && failure.sentence.contains("user 0 (root)"))
        #expect(failure.advice?.contains("POSTERN_SOCKET") == true)
    }

    @Test("what a provider lacks is in the sentence of the daemon, with what to do, and a caller that waits for events is sent nowhere")
    func advice() {
        #expect(CommandFailure(InterfaceError.providerNotConfigured(message: "m", providerID: "github.com")).advice == nil)
        func advice(_ name: String) -> String? {
            CommandFailure(PosternError.notUnderstood(name: "org.varlink.service.\(name)", parameters: [:])).advice
        }
        #expect(advice("MethodNotImplemented") == nil)
        #expect(advice("MethodNotFound")?.contains("another version") == true)
        // An unknown name and a value that is not taken are the same error.
        let refused = PosternError.notUnderstood(name: "org.varlink.service.InvalidParameter", parameters: ["parameter": "intent"])
        #expect(CommandFailure(refused).sentence == "the daemon does not accept intent, or not with this value")
    }

    @Test("a daemon with too many calls under way says so itself, and no version is to blame")
    func overload() {
        let name = "org.varlink.service.PermissionDenied"
        let busy = CommandFailure(PosternError.notUnderstood(name: name, parameters: ["message": "too many calls are under way"]))
        #expect(busy.sentence == "too many calls are under way" && busy.advice == nil)
        let refused = CommandFailure(PosternError.notUnderstood(name: name, parameters: [:]))
        #expect(refused.sentence == "the daemon refuses this user" && refused.advice != nil)
    }

    @Test(
        "A parameter that the daemon does not accept is named by its option, as wrong usage",
        arguments: [
            ("app", "--app "), ("minimumValiditySeconds", "--min-validity "), ("resource", "--resource "), ("account", "--account "), ("scopes", "--scope "),
            ("customParameters", "--param "), ("loginHint", "--login-hint "), ("displayName", "--name "), ("photoURL", "--photo "),
        ])
    func options(parameter: String, option: String) {
        let failure = CommandFailure(
            PosternError.notUnderstood(
                name: "org.varlink.service.InvalidParameter", parameters: ["parameter": .string(parameter)]))
        #expect(failure.status == .wrongUsage && failure.sentence.hasPrefix(option) && failure.reply?.parameters["parameter"] != nil)
    }

    @Test("An empty name counts as missing")
    func emptyName() {
        let failure = CommandFailure(InterfaceError.providerNotFound(message: "there is no provider called \"nothing\"", providerID: ""))
        #expect(failure.sentence == "the provider's name is empty" && failure.status == .wrongUsage && failure.reply != nil)
        #expect(failure.advice?.contains("postern provider list") == true)
    }

    @Test("a sentence from the daemon cannot steer the terminal")
    func hostile() {
        let failure = CommandFailure(InterfaceError.internalError(message: "x\u{1B}]0;title\u{7}"))
        #expect(!failure.sentence.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test(
        "A missing scope is answered with a complete command, which asks for the granted ones as well",
        arguments: [
            ("work", nil, "postern sign-in work --scope openid --scope mail.read"), ("acme", nil, "postern sign-in acme --scope openid --scope mail.read"),
            ("other", nil, "postern sign-in other --scope mail.read"), ("work", "2", "postern sign-in work --login-hint 2 --scope mail.read"),
            ("work", "1", "postern sign-in acme --scope openid --scope mail.read"),
        ] as [(String, String?, String)])
    func scopes(name: String, account: String?, command: String) {
        let kept = Interface.StoredCredential(
            providerID: "work", uid: "1", account: "acme", scopes: ["openid"], refreshable: true, state: .good)
        #expect(CommandFailure.signIn(to: name, account: account, demand: SignInDemand(scopes: ["mail.read"]), kept: [kept]) == command)
    }

    @Test(
        "Of several accounts one gets a name of its own, where a command takes no other choice",
        arguments: [
            (
                "demo",
                "give one a name: postern config set account.NAME.provider demo && postern config set account.NAME.login '{ id = \"ID\" }', "
                    + "where ID is 1, 2 or 3; then use NAME in place of demo"
            ),
            ("work", "say which one it is: postern config set account.work.login '{ id = \"ID\" }', where ID is 1, 2 or 3"),
            ("a.b", "say which one it is: postern config set 'account.\"a.b\".login' '{ id = \"ID\" }', where ID is 1, 2 or 3"),
            (
                nil,
                "give one a name: postern config set account.NAME.provider PROVIDER && postern config set account.NAME.login '{ id = \"ID\" }', "
                    + "where ID is 1, 2 or 3; then use NAME"
            ),
        ] as [(String?, String)])
    func naming(name: String?, advice: String) {
        #expect(AccountNaming.advice(of: name, uids: ["1", "2", "3"], accounts: ["work", "a.b"]) == advice)
        #expect(AccountNaming.advice(of: name, uids: [], accounts: []) == nil)
    }

    @Test("The command that renames is proposed where it would give the first name, and to the account that is meant")
    func renaming() {
        func kept(_ uid: String, _ email: String?, at providerID: String = "work", by keepers: [String] = [""], as name: String? = nil) -> StoredCredential {
            StoredCredential(
                providerID: providerID, uid: uid, email: email, account: name, scopes: [], refreshable: true, state: .good, keptBy: keepers)
        }
        func advice(_ kept: StoredCredential..., accounts: [String] = []) -> String? {
            AccountNaming.advice(of: "work", uids: ["1", "2"], accounts: accounts, kept: kept)
        }
        let (ada, bob) = (kept("1", "ada@example.com"), kept("2", nil))
        let renames = "give one a name: postern accounts rename ACCOUNT NAME, where ACCOUNT is ada@example.com or 2; then use NAME in place of work"
        #expect(advice(ada, bob) == renames)
        #expect(advice(ada, bob, kept("3", "Ada@example.com", at: "home", by: ["photos"])) == renames, "no account of the person's")
        let edits = "give one a name: postern config set account.NAME.provider work && "
        #expect(advice(ada, kept("2", "bob@example.com", by: ["photos"]))?.hasPrefix(edits) == true, "it renames none that only an app keeps")
        #expect(advice(ada, bob, kept("9", "ada@example.com", at: "home"))?.hasPrefix(edits) == true, "the address means two")
        #expect(advice(ada, kept("2", "bob@example.com", as: "bob"))?.hasPrefix(edits) == true, "a name that scripts use stays")
        #expect(advice(ada, bob, accounts: ["2"])?.hasPrefix(edits) == true && advice(ada, bob, kept("7", nil, at: "2"))?.hasPrefix(edits) == true)
    }

    @Test("An address means the one account that has it, after names and providers, and of several none")
    func accountAddressed() throws {
        func kept(_ providerID: String, _ uid: String, _ email: String, as name: String? = nil, by keepers: [String] = [""]) -> StoredCredential {
            StoredCredential(
                providerID: providerID, uid: uid, email: email, account: name, scopes: [], refreshable: true, state: .good, keptBy: keepers)
        }
        func meant(_ word: String, _ kept: StoredCredential..., known: Bool = false) throws -> String? {
            let refusal: InterfaceError = known ? .ambiguousAccount(message: "m", uids: []) : .providerNotFound(message: "m", providerID: word)
            return try CommandFailure(refusal).accountAddressed(word, among: kept).map { "\($0.providerID) \($0.account ?? "-")" }
        }
        let (work, home) = (kept("work", "1", "ada@example.com"), kept("home", "2", "Ada@example.com", as: "acme"))
        #expect(try meant("ADA@example.com", work) == "work ADA@example.com" && meant("ada@example.com", home) == "acme -")
        #expect(try meant("ada@example.com", work, kept("club", "1", "ada@example.com", by: ["photos"])) == "work ada@example.com")
        #expect(try meant("eve@example.com", work) == nil && meant("1", work) == nil && meant("ada@example.com", work, known: true) == nil)
        #expect(throws: CommandFailure.self) { try meant("ada@example.com", work, home) }
        do { _ = try meant("ada@example.com", work, home, kept("work", "3", "ada@example.com")) } catch let failure as CommandFailure {
            #expect(failure.sentence == "ada@example.com is the address of 3 accounts" && failure.status == .wrongUsage)
            #expect(failure.advice == "say which: work --account 1, acme, work --account 3")
        }
    }

    @Test("What a provider chose is one word of the command for a shell")
    func hostileNames() {
        let hostile = "$(touch${IFS}x)"
        let advice = AccountNaming.advice(of: "demo", uids: ["u2;id", hostile, "it's"], accounts: [])
        #expect(advice?.contains("where ID is 'u2;id', '$(touch${IFS}x)' or 'it'\\''s'; then") == true)
        #expect(AccountNaming.advice(of: "work", uids: [hostile], accounts: ["work"])?.hasSuffix("where ID is '$(touch${IFS}x)'") == true)
        let ambiguous = CommandFailure(InterfaceError.ambiguousAccount(message: "m", uids: [hostile]))
        #expect(ambiguous.advice?.contains("ID is '$(touch${IFS}x)'") == true)
        #expect(ambiguous.namingAccounts(of: nil).advice?.contains("ID is '$(touch${IFS}x)'") == true)
        let scope = CommandFailure(InterfaceError.scopeNotGranted(message: "m", missing: [hostile]))
        #expect(scope.advice == "sign in again with: --scope '$(touch${IFS}x)'")
        let stronger = CommandFailure(
            InterfaceError.stepUpRequired(message: "m", providerID: "p", scopes: [], acrValues: [hostile, "b"], maxAgeSeconds: 300))
        #expect(CommandFailure(InterfaceError.scopeNotGranted(message: "nothing would change", missing: [])).advice == nil)
        #expect(CommandFailure(InterfaceError.scopeNotGranted(message: "run `postern sign-in p --scope a`", missing: ["a"])).advice == nil)
        #expect(stronger.advice == "sign in again with: --param 'acr_values=$(touch${IFS}x) b' --param max_age=300")
    }

    @Test(
        "what a server demands is shown before a page, and asked for beside what the account has",
        arguments: [
            (SignInDemand(scopes: ["admin", "repo"]), ["acme asks for: admin, repo"], "--scope read --scope admin --scope repo"),
            (SignInDemand(scopes: ["read"]), ["acme asks for: read"], "--scope read"),
            (SignInDemand(scopes: [], acrValues: ["phr", "phrh"]), ["acme asks for a stronger sign-in: phr or phrh"], "--param acr_values=phr phrh"),
            (SignInDemand(scopes: [], maxAgeSeconds: 300), ["acme asks for a sign-in within the last 5m"], "--param max_age=300"),
            (SignInDemand(scopes: [], maxAgeSeconds: 0), ["acme asks for a new sign-in"], "--param max_age=0"),
            (SignInDemand(scopes: ["a\u{1B}[2J"]), ["acme asks for: a\u{1B}[2J".plain], "--scope read --scope a\u{1B}[2J"),
            (SignInDemand(scopes: []), [], ""),
        ])
    func demand(demand: SignInDemand, lines: [String], options: String) {
        #expect(demand.lines(of: "acme") == lines)
        #expect(demand.options(besides: ["read"]).joined(separator: " ") == options)
    }

    @Test(
        "Where an account's address or identifier was given for a provider, the name to use is told",
        arguments: [
            ("1", "1 is an account at gitlab.com; use gitlab.com"),
            ("ada@example.com", "ada@example.com is an account at gitlab.com and work; use gitlab.com or acme"),
            ("3", "3 is an account at work; use acme"),
            (
                "2",
                "2 is one of several accounts at work; give it a name: postern accounts rename 2 NAME; then use NAME in place of work"
            ), ("work", nil), ("acme", nil), ("", nil),
        ] as [(String, String?)])
    func account(word: String, advice: String?) {
        func kept(_ providerID: String, _ uid: String, email: String? = nil, account: String? = nil) -> Interface.StoredCredential {
            Interface.StoredCredential(
                providerID: providerID, uid: uid, email: email, account: account, scopes: [], refreshable: true, state: .good)
        }
        let stored = [
            kept("gitlab.com", "1", email: "ada@example.com"), kept("work", "2"), kept("work", "3", email: "ada@example.com", account: "acme"),
        ]
        #expect(AccountNaming.advice(called: word, among: stored) == advice)
    }

    @Test("Only a command that has the option advises it")
    func offering() {
        let failure = CommandFailure(InterfaceError.ambiguousAccount(message: "m", uids: ["1", "a b"]))
        #expect(failure.advice?.contains("--account") == false)
        #expect(failure.offeringAccounts([]).advice == "choose one with: --account 1, --account 'a b'")
        #expect(CommandFailure("other").offeringAccounts([]).advice == nil && CommandFailure("other").namingAccounts(of: "p").advice == nil)
        // By what people know them, as long as that means one.
        func kept(_ uid: String, _ email: String) -> StoredCredential {
            StoredCredential(providerID: "work", uid: uid, email: email, scopes: [], refreshable: true, state: .good)
        }
        let apart = [kept("1", "ada@example.com"), kept("a b", "grace@example.com")]
        #expect(failure.offeringAccounts(apart).advice == "choose one with: --account ada@example.com, --account grace@example.com")
        let alike = [kept("1", "ada@example.com"), kept("a b", "ADA@example.com")]
        #expect(failure.offeringAccounts(alike).advice == "choose one with: --account 1, --account 'a b'")
    }

    @Test("What a shell would read otherwise is quoted", arguments: [("a", "a"), ("https://x/y", "https://x/y"), ("a;b", "'a;b'"), ("it's", "'it'\\''s'"), ("", "''")])
    func shellWords(word: String, quoted: String) { #expect(ShellWord.quoted(word) == quoted) }

    @Test(
        "A shell reads a quoted word as it was",
        arguments: ["", "a", "it's", "'", "'\u{301}; echo x; '\u{301}", "a'\u{200D}$(echo x)'\u{200D}", "\\'\u{FE0F}", "`echo x`", "$HOME", "a\nb", "-n", "é"])
    func shell(word: String) throws {
        let child = try ChildProcess(path: "/bin/sh", arguments: ["-c", "printf '<%s>' \(ShellWord.quoted(word))"], environment: [:], log: STDERR_FILENO)
        let output = try #require(child.collectOutput(timeout: 20_000))
        #expect(output.utf8.elementsEqual("<\(word)>".utf8), "\(output)")
    }

    @Test(
        "The key of an account is TOML, whatever its name",
        arguments: [("work", "account.work.login"), ("a.b", "'account.\"a.b\".login'"), ("a b", "'account.\"a b\".login'"), ("a\"\u{301}b", "'account.\"a\\\"\u{301}b\".login'")])
    func accountKey(name: String, key: String) {
        let advice = AccountNaming.advice(of: name, uids: ["1"], accounts: [name]) ?? ""
        #expect(advice.utf8.starts(with: "say which one it is: postern config set \(key) '{ id = \"ID\" }'".utf8), "\(advice)")
    }
}
