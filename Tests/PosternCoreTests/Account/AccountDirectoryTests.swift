@testable import PosternCore
import Testing

@Suite("Whose token is meant")
struct AccountDirectoryTests {
    private func credential(
        _ subject: String, email: String? = nil, username: String? = nil, as name: String? = nil, at: Int64 = 0, login: String? = nil,
        verified: Bool? = nil
    ) -> StoredCredential {
        StoredCredential(
            providerID: "git", subject: subject, displayName: nil, email: email, emailVerified: verified, username: username,
            signedInAs: name.map { SignInName(name: $0, at: Timestamp(seconds: at), login: login) },
            binding: ProviderBinding(clientID: "c", authority: "a", tokenOrigin: nil),
            grant: Grant(accessToken: Secret("t-\(subject)"), tokenType: "bearer", scopes: [], obtainedAt: Timestamp(seconds: 0)),
            generation: 1)
    }

    private func account(_ name: String, login: String? = nil, for prefixes: [String] = []) throws -> NamedAccount {
        NamedAccount(name: name, providerID: "git", login: login, prefixes: try prefixes.map { try URLPrefix($0) })
    }

    private func served(_ directory: AccountDirectory, _ url: String, _ credentials: [StoredCredential]) throws -> [String] {
        let origins = [try URLPrefix("https://git.example"), try URLPrefix("https://api.git.example")]
        return directory.served(
            try URLPrefix.AskedURL(url), providers: [("git", origins), ("other", [])],
            credentials: { $0 == "git" ? credentials : [] }
        ).map { "\($0.account?.name ?? "-")/\($0.credential?.subject ?? "-")" }
    }

    @Test("A login is the identifier or the user name exactly, or the address in any letter case")
    func login() {
        let kept = [credential("1", email: "Ada@Example.com", username: "ada"), credential("2", email: "bob@example.com", username: "Bob")]
        let directory = AccountDirectory()
        for login in ["1", "ada", "ada@example.COM"] { #expect(directory.choice(called: login, among: kept) == .one(kept[0])) }
        for login in ["ADA", "bob", "3", "", "example.com"] { #expect(directory.choice(called: login, among: kept) == .none) }
    }

    @Test("Where one's user name is another's identifier, nobody knows which is meant")
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
        #expect(owners.mapValues(\.name) == ["3": "first", "7": "by-address", "99": "last"])
        for credential in kept { #expect(directory.owner(of: credential, among: kept) == owners[credential.subject]) }
        #expect(directory.owners(of: kept, at: "other").mapValues(\.name) == ["5": "elsewhere"])
        #expect(directory.owners(of: [], at: "git").isEmpty)
    }

    @Test("An account is configured by its name, or by its login in whatever letter case")
    func configured() throws {
        let directory = AccountDirectory([try account("acme", login: "Bob@example.com"), try account("any")])
        for name in ["acme", "bob@EXAMPLE.com", "any"] { #expect(directory.configured(called: name, at: "git") != nil) }
        for name in ["Acme", "bob", ""] { #expect(directory.configured(called: name, at: "git") == nil) }
        #expect(directory.configured(called: "acme", at: "other") == nil)
    }

    @Test("The longest prefix wins, and an account with its own URL is for that alone")
    func longest() throws {
        let directory = AccountDirectory([
            try account("acme", login: "work", for: ["https://git.example/acme/", "https://ci.acme.example"]),
            try account("home", login: "ada"),
        ])
        let kept = [credential("1", username: "ada"), credential("2", username: "work"), credential("3", username: "eve")]
        #expect(try served(directory, "https://git.example/acme/x.git", kept) == ["acme/2", "home/1", "-/3"])
        #expect(try served(directory, "https://git.example/other/x.git", kept) == ["home/1", "-/3"])
        #expect(try served(directory, "https://ci.acme.example/job", kept) == ["acme/2"])
        #expect(try served(directory, "https://api.git.example/user", kept) == ["home/1", "-/3"])
        #expect(try served(directory, "https://git.example.evil/acme/", kept).isEmpty)
    }

    @Test("Who has signed in goes before who has not, at the same distance")
    func signedIn() throws {
        let directory = AccountDirectory([try account("b", login: "bob"), try account("a", login: "ada")])
        #expect(try served(directory, "https://git.example/", [credential("1", username: "ada")]) == ["a/1", "b/-"])
        #expect(try served(AccountDirectory(), "https://git.example/", []) == ["-/-"])
    }

    @Test("The URLs of an account go before its provider's")
    func serves() throws {
        let origins = [try URLPrefix("https://git.example")]
        func isServed(_ url: String, as account: NamedAccount?) throws -> Bool {
            AccountDirectory().serves(try URLPrefix.AskedURL(url), as: account, of: origins)
        }
        let acme = try account("acme", login: "work", for: ["https://ci.acme.example"])
        #expect(try isServed("https://ci.acme.example/x", as: acme) && !isServed("https://git.example/x", as: acme))
        #expect(try isServed("https://git.example/x", as: account("home")) && isServed("https://git.example/x", as: nil))
        #expect(try !isServed("https://evil.example/x", as: acme) && !isServed("https://evil.example/x", as: nil))
    }
}
