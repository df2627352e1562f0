@testable import PosternCore
import Testing

@Suite("Whose token is meant")
struct AccountDirectoryTests {
    private func credential(
        _ subject: String, email: String? = nil, username: String? = nil, as name: String? = nil, at: Int64 = 0, login: String? = nil,
        verified: Bool? = nil, of providerID: String = "git"
    ) -> StoredCredential {
        StoredCredential(
            providerID: providerID, subject: subject, displayName: nil, email: email, emailVerified: verified, username: username,
            signedInAs: name.map { SignInName(name: $0, at: Timestamp(seconds: at), login: login.map { AccountLogin($0) }) },
            binding: ProviderBinding(clientID: "c", authority: "a", tokenOrigin: nil),
            grant: Grant(accessToken: Secret("t-\(subject)"), tokenType: "bearer", scopes: [], obtainedAt: Timestamp(seconds: 0)),
            generation: 1)
    }

    private func account(
        _ name: String, login: String? = nil, for prefixes: [String] = [], only: Bool = false, at providerID: String = "git"
    ) throws -> NamedAccount {
        var account = NamedAccount(name: name, providerID: providerID, login: login.map { AccountLogin($0) })
        account.prefixes = try prefixes.map { try URLPrefix($0) }
        account.isForTheseOnly = only
        return account
    }

    /// The accounts in their order, with their ranks.
    private func served(_ directory: AccountDirectory, _ url: String, _ credentials: [StoredCredential]) throws -> [String] {
        let origins = [try URLPrefix("https://git.example"), try URLPrefix("https://api.git.example")]
        let others = directory.accounts.contains { $0.providerID == "other" } ? ["https://git.example", "https://git.example/mirror/"] : []
        return directory.served(
            try URLPrefix.AskedURL(url), providers: [("git", origins), ("other", try others.map { try URLPrefix($0) })],
            credentials: { id in credentials.filter { $0.providerID == id } }
        ).map { "\($0.rank) \($0.account?.name ?? "-")/\($0.credential?.subject ?? "-")" }
    }

    @Test("A login is the identifier or the user name exactly, or the address in any letter case")
    func login() {
        let kept = [credential("1", email: "Ada@Example.com", username: "ada"), credential("2", email: "bob@example.com", username: "Bob")]
        let directory = AccountDirectory()
        for login in ["1", "ada", "ada@example.COM"] { #expect(directory.choice(called: login, among: kept) == .one(kept[0])) }
        for login in ["ADA", "bob", "3", "", "example.com"] { #expect(directory.choice(called: login, among: kept) == .none) }
    }

    @Test("If one account's user name is another's identifier, the name is ambiguous")
    func identifier() {
        let kept = [credential("1", username: "2"), credential("2", username: "bob")]
        #expect(AccountDirectory().choice(called: "2", among: kept) == .several(kept))
    }

    @Test("Two with one address are distinguished by neither")
    func several() {
        let kept = [credential("1", email: "a@example.com"), credential("2", email: "A@example.com")]
        #expect(AccountDirectory().choice(called: "a@example.com", among: kept) == .several(kept))
    }

    @Test("An account that was confirmed under a name has it, whatever it or another is called; until its login is changed")
    func pinned() throws {
        let mail = try account("mail", login: "ada@example.com")
        let directory = AccountDirectory([mail])
        let confirmed = credential("1", email: "countess@example.com", as: "mail", at: 1, login: "ada@example.com")
        let namesake = credential("2", email: "Ada@example.com", verified: true)
        #expect(directory.choice(of: mail, among: [namesake, confirmed]) == .one(confirmed))
        #expect(directory.choice(of: mail, among: [credential("1", as: "other", at: 1, login: "ada@example.com"), credential("2")]) == .none)
        #expect(directory.choice(of: mail, among: [credential("1", as: "mail", at: 1, login: "bob@example.com")]) == .none)
        let number = try account("number", login: "7")
        #expect(directory.choice(of: number, among: [credential("8", as: "number", at: 1)]) == .none)
    }

    @Test("An address means one that the provider does not deny, and that it has verified where it ever says so")
    func addressed() throws {
        let mail = try account("mail", login: "ada@example.com")
        let directory = AccountDirectory([mail])
        let (unsaid, verified) = (credential("1", email: "Ada@example.com"), credential("2", email: "ada@example.com", verified: true))
        #expect(directory.choice(of: mail, among: [unsaid]) == .one(unsaid))
        #expect(directory.choice(of: mail, among: [unsaid, verified]) == .one(verified))
        #expect(directory.choice(of: mail, among: [credential("3", email: "ada@example.com", verified: false)]) == .none)
        // A user name or an identifier that looks like the address is none.
        #expect(directory.choice(of: mail, among: [credential("4", username: "ada@example.com"), credential("ada@example.com")]) == .none)
    }

    @Test("A name without a login is whoever signed in under it last")
    func name() throws {
        let acme = try account("acme")
        let directory = AccountDirectory([acme, try account("home", login: "bob")])
        let bob = credential("2", username: "bob")
        #expect(directory.choice(of: acme, among: [bob]) == .none)
        let unnamed = credential("3")
        #expect(directory.choice(of: acme, among: [bob, unnamed]) == .none)
        let (earlier, later) = (credential("5", as: "acme", at: 10), credential("6", as: "acme", at: 20))
        #expect(directory.choice(of: acme, among: [later, earlier, unnamed]) == .one(later))
        #expect(directory.owner(of: later, among: [later, earlier]) == acme && directory.owner(of: earlier, among: [later, earlier]) == nil)
    }

    @Test("Each credential has the first name that claims it, whoever asks for one or for all")
    func owners() throws {
        var directory = AccountDirectory([
            try account("first", login: "user-3"), try account("second", login: "3"), try account("both", login: "shared@example.com"),
            try account("nobody", login: "user-1000"), try account("last"), try account("by-address", login: "USER-7@example.com"),
        ])
        directory.accounts.append(NamedAccount(name: "elsewhere", providerID: "other", login: "user-5"))
        let kept = (0..<100).map { number in
            credential(
                "\(number)", email: number < 2 ? "shared@example.com" : "user-\(number)@example.com", username: "user-\(number)",
                as: number > 90 ? "last" : nil, at: Int64(number))
        }
        let owners = directory.owners(of: kept, at: "git")
        let claimed = owners.map { "\($0.key.subject) \($0.value.name)" }.sorted()
        #expect(claimed == ["3 first", "7 by-address", "99 last"])
        for credential in kept { #expect(directory.owner(of: credential, among: kept) == owners[CredentialKey(credential)]) }
        #expect(directory.owners(of: kept, at: "other").values.map(\.name) == ["elsewhere"])
        #expect(directory.owners(of: [], at: "git").isEmpty)
    }

    @Test("An account is configured by its name, or by its login in whatever letter case")
    func configured() throws {
        let directory = AccountDirectory([try account("acme", login: "Bob@example.com"), try account("any")])
        for name in ["acme", "bob@EXAMPLE.com", "any"] { #expect(directory.configured(called: name, at: "git") != nil) }
        for name in ["Acme", "bob", ""] { #expect(directory.configured(called: name, at: "git") == nil) }
        #expect(directory.configured(called: "acme", at: "other") == nil)
    }

    /// A situation: accounts, whom the provider's name means, who has signed in, and who comes in which order for URLs.
    struct Situation: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Name, URLs, whether it is for them only, provider. The login is the name.
        var accounts: [(name: String, urls: [String], only: Bool, provider: String)] = []
        var meant: [String: String] = [:]
        /// User names at `git`, and at `other` those that begin with `o`.
        var signedIn: [String]
        var urls: [String: [String]]

        static func named(_ name: String, _ urls: String..., only: Bool = false, at provider: String = "git") -> (String, [String], Bool, String) {
            (name, urls, only, provider)
        }
    }

    private static let acme = "https://git.example/acme/"
    private static let both = "https://git.example"

    @Test(
        "The longest URL of an account's own decides, then what its provider serves, where an account with its own gives way",
        arguments: [
            Situation(testDescription: "nobody yet", signedIn: [], urls: ["https://git.example/x": ["1 -/-"]]),
            Situation(
                testDescription: "one account without a name", signedIn: ["ada"],
                urls: ["https://git.example/x": ["1 -/ada"], "https://api.git.example/user": ["1 -/ada"], "https://evil.example/": []]),
            Situation(
                testDescription: "one without a name beside one with a path", accounts: [Situation.named("acme", acme)], signedIn: ["ada", "acme"],
                urls: [
                    "https://git.example/acme/x.git": ["1 acme/acme", "2 -/ada"], "https://git.example/other": ["1 -/ada", "2 acme/acme"],
                    "https://git.example": ["1 -/ada", "2 acme/acme"], "https://api.git.example/user": ["1 -/ada", "2 acme/acme"],
                    "https://git.example.evil/acme/": [],
                ]),
            Situation(
                testDescription: "a cluster's URL takes nothing away", accounts: [Situation.named("acme", "https://k8s.example:6443")],
                signedIn: ["acme"],
                urls: [
                    "https://k8s.example:6443/api": ["1 acme/acme"], "https://git.example/x": ["1 acme/acme"], "https://k8s.example/api": [],
                ]),
            Situation(
                testDescription: "two with a path are equally close elsewhere",
                accounts: [Situation.named("acme", acme), Situation.named("corp", "https://git.example/corp")], signedIn: ["acme", "corp"],
                urls: [
                    "https://git.example/corp/x": ["1 corp/corp", "2 acme/acme"], "https://git.example/x": ["1 acme/acme", "1 corp/corp"],
                ]),
            Situation(
                testDescription: "one that is for its URLs only", accounts: [Situation.named("acme", acme, only: true)], signedIn: ["acme", "ada"],
                urls: [
                    "https://git.example/acme/x": ["1 acme/acme", "2 -/ada"], "https://git.example/x": ["1 -/ada"],
                    "https://api.git.example/": ["1 -/ada"],
                ]),
            Situation(
                testDescription: "only that one", accounts: [Situation.named("acme", acme, only: true)], signedIn: ["acme"],
                urls: ["https://git.example/x": [], "https://git.example/acme": ["1 acme/acme"]]),
            Situation(
                testDescription: "the longer of two of an account's own",
                accounts: [Situation.named("acme", acme, both), Situation.named("poet", "https://git.example/acme/poems")],
                signedIn: ["acme", "poet", "ada"],
                urls: [
                    "https://git.example/acme/poems/1": ["1 poet/poet", "2 acme/acme", "3 -/ada"],
                    "https://git.example/acme/x": ["1 acme/acme", "2 -/ada", "3 poet/poet"],
                    "https://git.example/x": ["1 acme/acme", "2 -/ada", "3 poet/poet"],
                ]),
            Situation(
                testDescription: "who has signed in goes before who has not, at the same distance",
                accounts: [Situation.named("bob"), Situation.named("ada"), Situation.named("acme", acme)], signedIn: ["ada"],
                urls: [
                    "https://git.example/": ["1 ada/ada", "1 bob/-", "2 acme/-"],
                    "https://git.example/acme/": ["1 acme/-", "2 ada/ada", "2 bob/-"],
                ]),
            Situation(
                testDescription: "the provider's name decides among those that are equally close",
                accounts: [Situation.named("bob"), Situation.named("ada"), Situation.named("acme", acme)], meant: ["git": "ada"],
                signedIn: ["ada", "bob", "acme", "eve"],
                urls: [
                    "https://git.example/": ["1 ada/ada", "2 bob/bob", "2 -/eve", "3 acme/acme"],
                    "https://git.example/acme/": ["1 acme/acme", "2 ada/ada", "3 bob/bob", "3 -/eve"],
                ]),
            Situation(
                testDescription: "nobody takes the place of the account that the provider's name means",
                accounts: [Situation.named("ada"), Situation.named("bob")], meant: ["git": "ada"], signedIn: ["bob"],
                urls: ["https://git.example/": ["1 ada/-", "2 bob/bob"]]),
            Situation(
                testDescription: "an account that is no closer for being meant",
                accounts: [Situation.named("acme", acme, both), Situation.named("corp", acme), Situation.named("ada")], meant: ["git": "ada"],
                signedIn: ["acme", "corp", "ada"],
                urls: ["https://git.example/acme/": ["1 acme/acme", "1 corp/corp", "2 ada/ada"]]),
            Situation(
                testDescription: "another provider's account is as close as before",
                accounts: [Situation.named("ada"), Situation.named("bob"), Situation.named("olga", at: "other")], meant: ["git": "ada"],
                signedIn: ["ada", "bob", "olga"],
                urls: [
                    "https://git.example/": ["1 ada/ada", "1 olga/olga", "2 bob/bob"],
                    "https://git.example/mirror/x": ["1 olga/olga", "2 ada/ada", "3 bob/bob"],
                ]),
        ])
    func order(_ situation: Situation) throws {
        var directory = AccountDirectory(
            try situation.accounts.map { try account($0.name, login: $0.name, for: $0.urls, only: $0.only, at: $0.provider) })
        directory.meant = situation.meant
        let kept = situation.signedIn.map { credential($0, username: $0, of: $0.hasPrefix("o") ? "other" : "git") }
        for (url, order) in situation.urls {
            #expect(try served(directory, url, kept) == order, "\(url)")
        }
    }

    @Test("What comes near a URL that no token is for are the URLs on its host, with whose they are")
    func near() throws {
        let directory = AccountDirectory([
            try account("acme", for: ["https://git.example/acme/", "https://GIT.example:8443", "https://k8s.example"], only: true),
            try account("gone", for: ["https://git.example/gone/"], at: "nowhere"),
        ])
        func near(_ url: String) throws -> [String] {
            try directory.near(try URLPrefix.AskedURL(url), providers: [("git", [URLPrefix("https://git.example/api")])])
                .map { "\($0.name) \($0.prefix.text)" }
        }
        #expect(
            try near("https://git.example") == [
                "acme https://git.example/acme/", "acme https://GIT.example:8443", "git https://git.example/api",
            ])
        #expect(try near("https://git.example/acme/x") == ["acme https://GIT.example:8443", "git https://git.example/api"])
        #expect(try near("https://example/").isEmpty && near("https://k8s.example/x").isEmpty)
    }

    @Test("The URLs of an account are added to its provider's, unless it is for them only")
    func serves() throws {
        let origins = [try URLPrefix("https://git.example")]
        func isServed(_ url: String, as account: NamedAccount?) throws -> Bool {
            AccountDirectory().serves(try URLPrefix.AskedURL(url), as: account, of: origins)
        }
        let acme = try account("acme", login: "work", for: ["https://ci.acme.example"])
        #expect(try isServed("https://ci.acme.example/x", as: acme) && isServed("https://git.example/x", as: acme))
        let only = try account("acme", login: "work", for: ["https://ci.acme.example"], only: true)
        #expect(try isServed("https://ci.acme.example/x", as: only) && !isServed("https://git.example/x", as: only))
        #expect(try isServed("https://git.example/x", as: account("home")) && isServed("https://git.example/x", as: nil))
        #expect(try !isServed("https://evil.example/x", as: acme) && !isServed("https://evil.example/x", as: nil))
    }
}
