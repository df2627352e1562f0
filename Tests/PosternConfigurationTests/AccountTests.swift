import PosternConfiguration
import PosternCore
import Testing

@Suite("Named accounts")
struct AccountTests {
    private static let work = """
        [provider.work]
        kind = "oidc"
        issuer = "https://op.example"
        client-id = "c"
        serves = ["https://api.example/v1/"]

        """

    @Test("Each has its keys")
    func keys() throws {
        let configuration = try Reading.read(
            Self.work + """
                [account.acme]
                provider = "work"
                login = "ada@example.com"
                for = ["https://api.example/v1/acme/", "https://ci.example"]
                scopes = ["openid", "ci"]
                resource = "https://api.example/"
                keep-fresh = true
                [account.plain]
                provider = "work"
                """)
        let acme = try #require(configuration.namedAccounts["acme"])
        #expect(acme.providerID == "work" && acme.login == AccountLogin("ada@example.com", kind: .address) && acme.keepsFresh)
        #expect(acme.prefixes.map(\.text) == ["https://api.example/v1/acme/", "https://ci.example"])
        #expect(acme.scopes == ["openid", "ci"] && acme.resource == "https://api.example/")
        #expect(configuration.namedAccounts["plain"] == NamedAccount(name: "plain", providerID: "work"))
        #expect(configuration.provider("work")?.provider.serves.map(\.text) == ["https://api.example/v1/"])
    }

    @Test(
        "A login says what it is, or has the form of it; what identifiers look like is known of some providers",
        arguments: [
            ("work", "\"ada\"", AccountLogin("ada", kind: .user)), ("work", "\"a@b\"", AccountLogin("a@b", kind: .address)),
            ("work", "\"1815\"", AccountLogin("1815")), ("github.com", "\"1815\"", AccountLogin("1815", kind: .id)),
            ("work", "{ id = \"ada\" }", AccountLogin("ada", kind: .id)), ("work", "{ user = \"a@b\" }", AccountLogin("a@b", kind: .user)),
            ("work", "{ address = \"a@b.example\" }", AccountLogin("a@b.example", kind: .address)),
        ])
    func login(provider: String, text: String, login: AccountLogin) throws {
        let gitHub = "[provider.\"github.com\"]\nclient-id = \"c\"\nclient-secret = \"s\"\n"
        let configuration = try Reading.read(Self.work + gitHub + "[account.acme]\nprovider = \"\(provider)\"\nlogin = \(text)\n")
        #expect(configuration.namedAccounts["acme"]?.login == login)
    }

    @Test("An account may be for its own URLs only, and a provider's name may mean an account")
    func only() throws {
        let configuration = try Reading.read(
            Self.work + """
                account = "acme"
                [account.acme]
                provider = "work"
                for = ["https://api.example/v1/acme/"]
                only = true
                [account.plain]
                provider = "work"
                for = ["https://ci.example"]
                only = false
                """)
        let accounts = configuration.namedAccounts
        #expect(accounts["acme"]?.isForTheseOnly == true && accounts["plain"]?.isForTheseOnly == false)
        #expect(accounts.meant(by: "work")?.name == "acme" && accounts.meant(by: "google.com") == nil)
    }

    @Test("What is built in goes with the server: another one has its own")
    func moved() throws {
        func serves(_ lines: String) throws -> [String] {
            let configuration = try Reading.read("[provider.\"github.com\"]\nclient-id = \"c\"\nclient-secret = \"s\"\n\(lines)")
            return configuration.provider("github.com")?.provider.serves.map(\.text) ?? []
        }
        #expect(try serves("").contains("https://api.github.com"))
        #expect(try serves("host = \"git.example\"") == ["https://git.example"])
        #expect(try serves("host = \"acme.ghe.com\"") == ["https://acme.ghe.com", "https://api.acme.ghe.com", "https://uploads.acme.ghe.com"])
        #expect(try serves("token-endpoint = \"https://git.example/token\"").isEmpty)
        #expect(try serves("token-endpoint = \"https://git.example/token\"\nserves = [\"https://git.example\"]") == ["https://git.example"])
    }

    @Test(
        "A name of an account or a provider has the characters that are allowed, and is not reserved",
        arguments: [
            ("a", true), (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false), ("x.y", true), ("-x", true), ("_", true),
            ("7", true), ("", false), (".x", false), ("X", false), ("x/y", false), ("password", false), ("anonymous", false), ("phone", false),
            ("custom", false), ("firebase", false),
        ])
    func names(name: String, isTaken: Bool) {
        let provider = Reading.refusal("[provider.\"\(name)\"]\nkind = \"oidc\"\nissuer = \"https://id.example\"\nclient-id = \"c\"\n")
        let account = Reading.refusal("[account.\"\(name)\"]\nprovider = \"google.com\"\n")
        #expect([provider == nil, account == nil] == [isTaken, isTaken])
    }

    @Test(
        "An invalid value is reported with its line",
        arguments: [
            Refused(work + "[account.a]", 6, "[account.a] needs provider, the name of the account's provider"),
            Refused(
                work + "[account.a]\nprovider = \"wrk\"", 7,
                "provider in [account.a] is not a configured provider; did you mean \"work\"?"),
            Refused(
                work + "[account.work]\nprovider = \"work\"", 6,
                "[account.work]: work is the name of a provider; an account needs its own name"),
            Refused(
                work + "[account.\"google.com\"]\nprovider = \"work\"", 6,
                "[account.\"google.com\"]: google.com is the name of a provider; an account needs its own name"),
            Refused(work + "[account.password]\nprovider = \"work\"", 6, "[account.password]: the name password is reserved; choose another one"),
            Refused(work + "[account.email]\nprovider = \"work\"", 6, "[account.email]: the name email is reserved; choose another one"),
            Refused(
                work + "[account.phone_number]\nprovider = \"work\"", 6,
                "[account.phone_number]: the name phone_number is reserved; choose another one"),
            Refused(
                work + "[account.A]\nprovider = \"work\"", 6,
                "[account.A]: an account's name consists of a to z, 0 to 9, full stop, - and _, at most 64 of them, and may not begin with a full stop"),
            Refused(work + "[account]\na = 1", 7, "a in [account] must be a table; an account begins with [account.NAME]"),
            Refused(work + "[account.a]\nprovider = \"work\"\nlogn = \"x\"", 8, "unknown key logn in [account.a]; did you mean login?"),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nlogin = \"\"", 8,
                "login in [account.a] must not be empty"),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nlogin = { id = \"1\", user = \"x\" }", 8,
                "login in [account.a] must say one of id, address and user, such as { id = \"1815\" }"),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nlogin = {}", 8,
                "login in [account.a] must say one of id, address and user, such as { id = \"1815\" }"),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nlogin = { name = \"x\" }", 8,
                "unknown key name in [account.a.login]; known here: id, address, user"),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nlogin = { address = \"x\" }", 8,
                "address in [account.a.login] must be an email address, not \"x\""),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nlogin = { id = \"1\" }\n[account.b]\nprovider = \"work\"\nlogin = \"1\"", 11,
                "login in [account.b] is that of [account.a] already"),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nlogin = \"x\"\n[account.b]\nprovider = \"work\"\nlogin = \"x\"", 11,
                "login in [account.b] is that of [account.a] already"),
            Refused(work + "[account.a]\nprovider = \"work\"\nfor = []", 8, "for in [account.a] must name at least one URL"),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nonly = true", 8,
                "only in [account.a] needs for, the URLs that the account's tokens are for"),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nonly = \"yes\"", 8, "only in [account.a] must be true or false, not a string"),
            Refused(
                work + "account = \"a\"", 6,
                "account in [provider.work] must name an account of this provider, not \"a\"; give it an [account.NAME] with provider = \"work\" first"),
            Refused(
                work + "account = \"acne\"\n[account.acme]\nprovider = \"work\"", 6,
                "account in [provider.work] must name an account of this provider, not \"acne\"; did you mean \"acme\"?"),
            Refused(
                work + "account = \"a\"\n[account.a]\nprovider = \"google.com\"", 6,
                "account in [provider.work] must name an account of this provider; \"a\" is one of google.com"),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nfor = [\"http://example.com/\"]", 8,
                "for in [account.a] must be URLs that tokens are for; \"http://example.com/\" is plain http to example.com; only loopback "
                    + "addresses are allowed without TLS, use https"),
            Refused(
                work + "[account.a]\nprovider = \"work\"\nresource = \"api\"", 8,
                "resource in [account.a] must be an absolute URI without a fragment, such as \"https://api.example.com/\" (RFC 8707)"),
            Refused(
                "[account.a]\nprovider = \"twitter.com\"\nscopes = [\"x\"]", 3, "scopes in [account.a] must be left out: OAuth 1.0a has none"),
        ])
    func refused(_ refused: Refused) throws {
        let error = try #require(Reading.refusal(refused.text))
        #expect(error.line == refused.line)
        #expect(error.message == refused.message)
    }
}
