import PosternCore
import Testing

@testable import PosternConfiguration

@Suite("Providers that packages bring")
struct PackagedProviderTests {
    static let tool = "[provider.tool]\nkind = \"oidc\"\nissuer = \"https://tool.example\"\nclient-id = \"t\"\n"
    static let work = "[provider.work]\nkind = \"oidc\"\nissuer = \"https://work.example\"\nclient-id = \"w\"\nclient-secret = \"hush\"\n"

    private func package(_ text: String, _ name: String = "tool.toml", mode: UInt32 = 0o644) -> ConfigurationFile {
        ConfigurationFile(path: "/usr/share/postern/providers.d/\(name)", bytes: Array(text.utf8), access: FileAccess(mode: mode), origin: .package)
    }

    private func read(_ package: String, under own: String) throws -> Configuration {
        try Reading.read([self.package(package), Reading.file("config.toml", own)])
    }

    @Test("Of a provider that is built in a package brings a client")
    func client() throws {
        let text = """
            [provider."github.com"]
            client-id = "p"
            client-secret = "public"
            client-authentication = "client_secret_post"
            scopes = ["repo"]
            display-name = "Forge"
            flow = "device"
            redirect-uri = "https://relay.example/back"
            """
        let configuration = try read(text, under: "")
        #expect(configuration.leftOut == [])
        #expect(configuration.provider("github.com")?.provider.clientID == "p" && configuration.leftOut.isEmpty)
        #expect(configuration.provider("github.com")?.provider.scopes == ["repo"] && configuration.provider("github.com")?.secret != nil)
    }

    @Test(
        "About the server of one that is built in it has no say",
        arguments: [
            "token-endpoint = \"http://127.0.0.1:18992/token\"", "authorization-endpoint = \"https://evil.example/\"", "revocation-endpoint = \"https://evil.example/\"",
            "userinfo-endpoint = \"https://evil.example/\"", "device-authorization-endpoint = \"https://evil.example/\"", "introspection-endpoint = \"https://evil.example/\"",
            "serves = [\"https://evil.example\"]", "issuer = \"https://evil.example\"", "host = \"evil.example\"", "parameters = { x = \"y\" }",
            "profile = { uid = \"login\" }", "jwks-uri = \"https://evil.example/\"", "registration-endpoint = \"https://evil.example/\"", "end-session-endpoint = \"https://evil.example/\"",
            "pushed-authorization-request-endpoint = \"https://evil.example/\"", "dpop = true", "register = true", "resource = \"https://evil.example/\"",
        ])
    func server(line: String) throws {
        for own in ["", "[provider.\"github.com\"]\nclient-id = \"mine\"\nclient-secret = \"hush\"\n", "[provider.\"github.com\"]\nscopes = [\"repo\"]\n"] {
            let configuration = try read("[provider.\"github.com\"]\nclient-id = \"p\"\n\(line)\n", under: own)
            let provider = try #require(configuration.provider("github.com")?.provider)
            let known = try #require(Catalogue.provider("github.com"))
            #expect(provider.endpoints == known.endpoints && provider.issuer == known.issuer && provider.serves == known.serves)
            #expect(provider.parameters == known.parameters && provider.profileMapping == known.profileMapping && provider.extensions == known.extensions)
            #expect(provider.clientID == (own.contains("mine") ? "mine" : nil))
            #expect(configuration.leftOut.map(\.line) == [3])
        }
        let tenant = try read("[provider.\"microsoft.com\"]\nclient-id = \"p\"\ntenant = \"evil.example\"\n", under: "")
        #expect(tenant.leftOut.count == 1 && tenant.provider("microsoft.com")?.provider.clientID == nil)
    }

    @Test("One with a name that means something else in replies or tokens is left out, and the rest is read", arguments: ["email", "phone_number", "password"])
    func reservedName(name: String) throws {
        let text = Self.tool.replacing("tool]", with: "\(name)]") + Self.tool
        let configuration = try read(text, under: Self.work)
        #expect(configuration.provider(name) == nil && configuration.provider("tool") != nil && configuration.provider("work") != nil)
        #expect(configuration.leftOut.count == 1)
        #expect(configuration.leftOut.first?.message.hasPrefix("[provider.\(name)]: the name \(name) is reserved") == true)
    }

    @Test(
        "Where others name the client or the server, a package adds nothing",
        arguments: [
            "token-endpoint = \"https://evil.example/\"", "revocation-endpoint = \"https://evil.example/\"", "serves = [\"https://evil.example\"]",
            "profile = { uid = \"email\" }", "parameters = { x = \"y\" }", "client-authentication = \"none\"", "display-name = \"Evil\"",
            "redirect-uri = \"https://evil.example/\"", "app = \"evil\"",
        ])
    func ownSection(line: String) throws {
        for own in [Self.work, "[provider.work]\nkind = \"oidc\"\nissuer = \"https://work.example\"\nregister = true\n"] {
            let alone = try #require(try Reading.read(own).provider("work")?.provider)
            let package = "[provider.work]\nkind = \"oidc\"\nissuer = \"https://evil.example\"\nclient-id = \"e\"\n\(line)\n"
            let configuration = try read(package, under: own)
            let provider = try #require(configuration.provider("work")?.provider)
            #expect("\(provider)" == "\(alone)" && configuration.leftOut.isEmpty)
        }
    }

    @Test("What others say of a package's provider beside client and server goes over it")
    func overlay() throws {
        let configuration = try read(Self.tool + "scopes = [\"a\"]\n", under: "[provider.tool]\ntrust-email = true\nscopes = [\"b\"]\n")
        let provider = try #require(configuration.provider("tool")?.provider)
        #expect(provider.clientID == "t" && provider.scopes == ["b"] && configuration.leftOut.isEmpty)
    }

    @Test("A package that does not go with what others say of a provider that is built in is left out")
    func contradiction() throws {
        let configuration = try read(
            "[provider.\"gitlab.com\"]\nclient-id = \"p\"\nclient-secret = \"public\"\n", under: "[provider.\"gitlab.com\"]\nclient-authentication = \"none\"\n")
        #expect(configuration.leftOut.count == 1 && configuration.provider("gitlab.com")?.provider.clientID == nil)
    }

    @Test("Tokens of a package's provider are for its own origins")
    func serves() throws {
        let own = try read(Self.tool + "serves = [\"https://tool.example/api\"]\n", under: "")
        #expect(own.provider("tool")?.provider.serves.count == 1 && own.leftOut.isEmpty)
        for url in ["https://evil.example", "https://tool.example:8443", "http://127.0.0.1", "https://github.com"] {
            let other = try read(Self.tool + "serves = [\"https://tool.example\", \"\(url)\"]\n", under: "")
            #expect(other.provider("tool")?.provider.serves.isEmpty == true && other.leftOut.map(\.line) == [5])
        }
    }

    @Test(
        "They are for the server that gives out the tokens, and for none that another endpoint names",
        arguments: [
            ("kind = \"oidc\"\nissuer = \"https://tool.example\"\nrevocation-endpoint = \"https://git.example/x\"", "https://tool.example"),
            ("kind = \"oidc\"\nissuer = \"https://tool.example\"\ntoken-endpoint = \"https://tokens.example/t\"", "https://tokens.example"),
            (
                "kind = \"oauth2\"\nauthorization-endpoint = \"https://tool.example/a\"\ntoken-endpoint = \"https://tokens.example/t\"\nuserinfo-endpoint = \"https://git.example/u\"",
                "https://tokens.example"
            ), ("kind = \"oauth2\"\nissuer = \"https://tool.example\"\nuserinfo-endpoint = \"https://git.example/u\"", "https://tool.example"),
        ])
    func tokenServer(server: String, origin: String) throws {
        for other in ["https://tool.example", "https://tokens.example", "https://git.example"] {
            let text = "[provider.tool]\nserves = [\"\(other)/ada\"]\n\(server)\nclient-id = \"t\"\n"
            let configuration = try read(text, under: "")
            #expect((configuration.provider("tool")?.provider.serves.count == 1) == (other == origin))
            #expect(configuration.leftOut.map(\.line) == (other == origin ? [] : [2]))
            // The user may send them elsewhere.
            let told = try read(text, under: "[provider.tool]\nserves = [\"https://git.example\"]\n")
            #expect(told.provider("tool")?.provider.serves.map(\.text) == ["https://git.example"] && told.leftOut.isEmpty)
        }
        let oauth1 = """
            [provider.tool]
            kind = "oauth1"
            request-token-endpoint = "https://git.example/r"
            authorization-endpoint = "https://git.example/a"
            access-token-endpoint = "https://tool.example/t"
            profile-endpoint = "https://git.example/u"
            api-key = "k"
            api-secret = "s"
            """
        #expect(try read(oauth1 + "\nserves = [\"https://tool.example\"]\n", under: "").leftOut.isEmpty)
        #expect(try read(oauth1 + "\nserves = [\"https://git.example\"]\n", under: "").leftOut.map(\.line) == [9])
    }

    @Test(
        "A package takes over no URL of a server whose tokens come from elsewhere",
        arguments: [
            ("", "https://github.com", "github.com"), ("", "https://oauth2.googleapis.com", "google.com"), ("", "https://api.x.com", "twitter.com"),
            ("[provider.\"gitlab.com\"]\nhost = \"git.example\"\nclient-id = \"g\"\n", "https://git.example", "[provider.\"gitlab.com\"]"),
            ("[provider.\"gitlab.com\"]\nhost = \"git.example\"\nclient-id = \"g\"\n", "https://gitlab.com", "gitlab.com"),
            (PackagedProviderTests.work + "serves = [\"https://git.example/\"]\n", "https://git.example", "[provider.work]"),
            (PackagedProviderTests.work + "serves = [\"https://git.example/other\"]\n", "https://GIT.example:443", "[provider.work]"),
            (PackagedProviderTests.work + "[account.acme]\nprovider = \"work\"\nfor = [\"https://git.example/acme\"]\n", "https://git.example", "[account.acme]"),
            // Adds to another package's provider.
            ("[provider.first]\nserves = [\"https://git.example\"]\n", "https://git.example", "[provider.first]"),
        ])
    func others(own: String, origin: String, holder: String) throws {
        let first = "[provider.first]\nkind = \"oidc\"\nissuer = \"https://first.example\"\nclient-id = \"f\"\n"
        let text = "[provider.tool]\nkind = \"oidc\"\nissuer = \"https://tool.example\"\ntoken-endpoint = \"\(origin)/token\"\nclient-id = \"t\"\n"
        let files = [package(first, "a.toml"), package(text + "serves = [\"\(origin)/ada\"]\n"), Reading.file("config.toml", own)]
        let configuration = try Reading.read(files)
        #expect(configuration.provider("tool")?.provider.serves.isEmpty == true)
        #expect(configuration.leftOut.map(\.line) == [6])
        #expect(configuration.leftOut.first?.message.contains("come from \(holder)") == true)
    }

    @Test("Its own server stays its own where the user names it for the same provider")
    func ownAccount() throws {
        let text = Self.tool + "serves = [\"https://tool.example/api\"]\n"
        for own in [
            "[account.acme]\nprovider = \"tool\"\nfor = [\"https://tool.example/acme\"]\n", "[provider.tool]\nserves = [\"https://tool.example\"]\n",
            Self.work + "serves = [\"https://git.example\"]\n", "[provider.\"github.com\"]\nclient-id = \"mine\"\n",
        ] {
            let configuration = try read(text, under: own)
            #expect(configuration.provider("tool")?.provider.serves.count == 1 && configuration.leftOut.isEmpty)
        }
    }

    @Test(
        "What is not taken of a package's file is left out with its line, and everybody else's configuration is taken",
        arguments: [
            "[callback]\nport = 1\n", "[sign-in]\nbrowser = [\"x\"]\n", "[account.a]\nprovider = \"github.com\"\n", "[attention]\ncommand = [\"x\"]\n", "provider = 1\n",
            "provider.x = 1\n", "[[provider]]\nkind = \"oidc\"\n",
            "[provider.\"github.com\"]\nclient-secret = { command = [\"x\"] }\n", "[provider.\"github.com\"]\nclient-secret = { file = \"/etc/shadow\" }\n",
            "[provider.\"github.com\"]\nclient-secret = { env = \"X\" }\n", "[provider.\"github.com\"]\nbrowser = [\"x\"]\n",
            "[provider.\"github.com\"]\nca-file = \"/x\"\n", "[provider.\"github.com\"]\ntrust-email = true\n", "[provider.\"github.com\"]\nclient-id = 7\n",
            "provider = { \"github.com\" = { browser-of = { a = [\"x\"] } } }\n", "[provider.\"apple.com\"]\nsigning-key = { file = \"/x\" }\n",
            "[provider.acme]\nkind = \"oidc\"\nissuer = \"https://acme.example\"\nclient-id = \"x\"\n", "[provider.new]\nkind = \"oidc\"\n", "[provider.new]\n",
            "[provider.\"A B\"]\nkind = \"oidc\"\nissuer = \"https://new.example\"\n", "[provider.password]\nkind = \"oidc\"\nissuer = \"https://new.example\"\n",
            "[provider.new]\nkind = \"oidc\"\nissuer = \"ftp://new.example\"\n", "[provider.new\n",
        ])
    func bad(text: String) throws {
        let own = "[callback]\nport = 5\n" + Self.work + "[account.acme]\nprovider = \"work\"\n"
        for text in [text, Self.tool + text] where !text.contains("provider = ") || !text.contains("tool") {
            let configuration = try read(text, under: own)
            #expect(configuration.callback.port == 5 && configuration.provider("work")?.provider.clientID == "w")
            #expect(configuration.namedAccounts.accounts.map(\.name) == ["acme"] && configuration.provider("github.com")?.isMentioned == false)
            #expect(configuration.leftOut.count == 1 && configuration.leftOut.first?.line != nil)
            #expect(configuration.leftOut.first?.message.contains("left out") == true)
        }
        // The rest of the file is taken.
        let rest = try read(Self.tool + "[callback]\nport = 1\n[provider.new]\n", under: own)
        #expect(rest.provider("tool") != nil && rest.leftOut.count == 2)
        let files = [package(text), Reading.file("config.toml", own)]
        #expect(ConfigurationReader(mainFile: "\(Reading.directory)/config.toml", home: "/home/ada").mistakes(in: files).isEmpty)
    }

    @Test("A file of a package that others can write is left out")
    func writable() throws {
        let configuration = try Reading.read([package(Self.tool, mode: 0o666), Reading.file("config.toml", Self.work)])
        #expect(configuration.provider("tool") == nil && configuration.provider("work") != nil && configuration.leftOut.count == 1)
    }

    @Test("Of two packages with one name the first has it")
    func twice() throws {
        let evil = "[provider.tool]\nkind = \"oidc\"\nissuer = \"https://evil.example\"\nclient-id = \"e\"\n"
        let configuration = try Reading.read([package(Self.tool, "a.toml"), package(evil, "b.toml")])
        #expect(configuration.provider("tool")?.provider.issuer == "https://tool.example" && configuration.leftOut.count == 1)
    }

    @Test("Packages do not take the room of others' providers")
    func many() throws {
        func sections(_ prefix: String, _ count: Int) -> String {
            (0..<count).map { "[provider.\(prefix)\($0)]\nkind = \"oidc\"\nissuer = \"https://x.example\"\nclient-id = \"x\"\n" }.joined()
        }
        let configuration = try read(sections("p", 64), under: sections("u", 60))
        #expect(configuration.provider("u59") != nil && configuration.provider("p3") != nil && configuration.provider("p4") == nil)
        #expect(configuration.leftOut.count == 60)
        #expect(try read(sections("p", 10), under: sections("u", 64)).leftOut.count == 10)
    }

    @Test("An unreadable package file does not affect the rest")
    func unreadable() throws {
        let directory = PrivateDirectory()
        for path in ["usr", "usr/share", "usr/share/postern", "usr/share/postern/providers.d", "usr/share/postern/providers.d/a.toml"] {
            directory.makeDirectory(path)
        }
        directory.write("usr/share/postern/providers.d/b.toml", Self.tool, mode: 0o644)
        directory.write("usr/share/postern/providers.d/c.toml", String(repeating: "#", count: (1 << 20) + 1), mode: 0o644)
        let environment = ["HOME": "/home/ada", "POSTERN_SYSTEM_ROOT": directory.path]
        let configuration = try ConfigurationLoader.load(path: "\(directory.path)/config.toml", environment: environment)
        #expect(configuration.provider("tool") != nil && configuration.leftOut.count == 2)
        #expect(try ConfigurationText(path: "\(directory.path)/config.toml", environment: environment).paths.count == 1)
    }

    @Test("The keys that packages may give are keys that there are")
    func allowed() {
        let known = ProviderSection.keys + ProviderSection.keys(of: .oauth1) + ["limited"]
        #expect(PackagedProviders.keys.subtracting(known).isEmpty && PackagedProviders.keysOfBuiltIn.isSubset(of: PackagedProviders.keys))
    }
}
