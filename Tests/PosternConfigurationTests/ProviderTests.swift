@testable import PosternConfiguration
@testable import PosternCore
import Testing

@Suite("Providers")
struct ProviderTests {
    @Test("A built-in provider that no file mentions is there, with what it lacks")
    func unmentioned() throws {
        let github = try #require(try Reading.read([]).provider("github.com"))
        #expect(
            github.provider.problem
                == "client-id is missing; put it under [provider.\"github.com\"] in /home/ada/.config/postern/config.toml, or run: postern setup github.com")
        #expect(github.secret == nil)
        #expect(github.provider.clientSecret == nil)
    }

    @Test("A built-in provider needs its client ID and secret, and keeps its own ways")
    func builtIn() throws {
        let configuration = try Reading.read(
            """
            [provider."github.com"]
            client-id = "Iv1.0123456789abcdef"
            client-secret = { file = "~/.config/postern/github.secret" }
            scopes = ["read:user"]
            parameters = { allow_signup = "false" }
            """)
        let github = try #require(configuration.provider("github.com"))
        #expect(github.provider.problem == nil)
        #expect(github.provider.clientID == "Iv1.0123456789abcdef")
        #expect(github.secret == .file("/home/ada/.config/postern/github.secret"))
        #expect(github.provider.scopes == ["read:user"])
        #expect(github.provider.parameters == ["allow_signup": "false"])
        #expect(github.provider.endpoints == Catalogue.provider("github.com")?.endpoints)
        #expect(github.provider.dialect is GitHub)
        #expect(configuration.providers.count == Catalogue.providers.count)
    }

    @Test("Endpoints of a built-in provider can be overridden")
    func overridden() throws {
        let configuration = try Reading.read(
            """
            [provider."github.com"]
            display-name = "GitHub at work"
            authorization-endpoint = "https://git.example/login/oauth/authorize"
            token-endpoint = "http://127.0.0.1:8080/login/oauth/access_token"
            userinfo-endpoint = "http://[::1]:8080/user"
            """)
        let github = try #require(configuration.provider("github.com")).provider
        #expect(github.displayName == "GitHub at work")
        #expect(github.endpoints.authorization == "https://git.example/login/oauth/authorize")
        #expect(github.endpoints.token == "http://127.0.0.1:8080/login/oauth/access_token")
        #expect(github.endpoints.userinfo == "http://[::1]:8080/user")
        #expect(github.endpoints.deviceAuthorization == Catalogue.provider("github.com")?.endpoints.deviceAuthorization)
    }

    @Test("A built-in provider without its secret says where the secret goes")
    func missingSecret() throws {
        let github = try #require(try Reading.read("", "[provider.\"github.com\"]\nclient-id = \"x\"").provider("github.com")).provider
        #expect(
            github.problem
                == "client-secret is missing; put it under [provider.\"github.com\"] in /home/ada/.config/postern/config.d/1.toml, or run: postern setup github.com")
    }

    @Test("Scopes that servers may have requested are not requested by themselves")
    func stepUpScopes() throws {
        let text = "[provider.\"github.com\"]\nclient-id = \"c\"\n"
        let usual = try #require(try Reading.read(text).provider("github.com")).provider
        let listing = try #require(try Reading.read(text + "step-up-scopes = [\"repo\"]").provider("github.com")).provider
        #expect(usual.stepUpScopes == [] && listing.stepUpScopes == ["repo"] && listing.scopes == usual.scopes)
    }

    @Test("A provider's own settings decide its kind, its scopes and its endpoints; the common keys are laid over them")
    func ownSettings() throws {
        let configuration = try Reading.read(
            """
            [provider."facebook.com"]
            client-id = "138"
            limited = true
            api-version = "v26.0"
            token-endpoint = "http://127.0.0.1:8080/token"
            """)
        let facebook = try #require(configuration.provider("facebook.com")).provider
        #expect(facebook.kind == .oidc && facebook.dialect is FacebookLimited && facebook.problem == nil)
        #expect(facebook.scopes == ["openid", "email", "public_profile"] && facebook.issuer == "https://www.facebook.com")
        #expect(facebook.clientAuthentication == ClientAuthentication.none)
        #expect(facebook.endpoints.authorization == "https://www.facebook.com/v26.0/dialog/oauth")
        #expect(facebook.endpoints.token == "http://127.0.0.1:8080/token")
    }

    @Test("Parameters are laid over those that are built in")
    func builtInParameters() throws {
        func parameters(_ line: String) throws -> [String: String]? {
            try Reading.read("[provider.\"facebook.com\"]\nclient-id = \"138\"\n\(line)").provider("facebook.com")?.provider.parameters
        }
        #expect(try parameters("") == ["return_scopes": "true"])
        #expect(try parameters("parameters = { display = \"popup\" }") == ["return_scopes": "true", "display": "popup"])
        #expect(try parameters("parameters = { return_scopes = \"false\" }") == ["return_scopes": "false"])
    }

    @Test("Its own key that is missing is named; a client secret in its place will do where the provider says so")
    func ownKeys() throws {
        func problem(_ lines: String) throws -> String? {
            try Reading.read("[provider.\"apple.com\"]\nclient-id = \"com.example.service\"\n\(lines)").provider("apple.com")?.provider.problem
        }
        let place = "put it under [provider.\"apple.com\"] in /home/ada/.config/postern/config.toml, or run: postern setup apple.com"
        #expect(try problem("") == "team-id is missing; \(place)")
        #expect(try problem("team-id = \"TEAM123456\"\nsigning-key = { file = \"apple.p8\" }") == "key-id is missing; \(place)")
        #expect(try problem("team-id = \"TEAM123456\"\nkey-id = \"KEY1234567\"") == "signing-key is missing; \(place)")
        let website = "redirect-uri = \"https://app.example.com/__/auth/handler\"\n"
        #expect(try problem(website + "team-id = \"TEAM123456\"\nkey-id = \"KEY1234567\"\nsigning-key = { file = \"apple.p8\" }") == nil)
        #expect(try problem(website + "client-secret = \"eyJ\"") == nil)
    }

    @Test("A provider that takes no address of this machine needs a page elsewhere, unless it is on this machine itself")
    func website() throws {
        func problem(_ line: String) throws -> String? {
            try Reading.read("[provider.\"apple.com\"]\nclient-id = \"com.example.service\"\nclient-secret = \"eyJ\"\n\(line)")
                .provider("apple.com")?.provider.problem
        }
        #expect(
            try problem("")
                == "redirect-uri is missing; put it under [provider.\"apple.com\"] in /home/ada/.config/postern/config.toml: "
                + "Apple accepts only https pages, so a page of yours must forward the answer to this machine")
        #expect(try problem("redirect-uri = \"https://app.example.com/__/auth/handler\"") == nil)
        #expect(try problem("authorization-endpoint = \"http://127.0.0.1:8080/auth/authorize\"") == nil)
    }

    @Test("A key in PEM is all of its file, a client secret the first line of it")
    func extents() throws {
        let apple = try #require(
            try Reading.read(
                """
                [provider."apple.com"]
                client-id = "com.example.service"
                client-secret = { env = "SECRET" }
                signing-key = { file = "/k/apple.p8" }
                """
            ).provider("apple.com"))
        #expect(apple.secrets.map(\.key) == ["client-secret", "signing-key"])
        #expect(apple.secrets.map(\.extent) == [.firstLine, .whole])
        #expect(apple.secrets.map(\.source) == [.environment("SECRET"), .file("/k/apple.p8")])
        var provider = apple.provider
        for secret in apple.secrets { secret.put(Secret(secret.name), into: &provider) }
        #expect(provider.clientSecret == Secret("client secret") && provider.secrets == ["signing-key": Secret("signing-key")])
    }

    @Test("An OpenID provider without a secret is a public client with the standard's claims")
    func publicClient() throws {
        let configuration = try Reading.read(
            """
            [provider.work]
            kind = "oidc"
            issuer = "https://login.example.com/realms/work"
            client-id = "postern"
            """)
        let work = try #require(configuration.provider("work")).provider
        #expect(work.kind == .oidc)
        #expect(work.displayName == "work")
        #expect(work.issuer == "https://login.example.com/realms/work")
        #expect(work.clientAuthentication == ClientAuthentication.none)
        #expect(work.scopes == ["openid", "email", "profile"])
        #expect(work.profileMapping.uid == "sub")
        #expect(work.emailTrust == .nobody)
        #expect(!work.hasOwnCallbackPath)
        #expect(work.problem == nil)
    }

    @Test("With a secret, how it is sent is left to the metadata")
    func confidentialClient() throws {
        let configuration = try Reading.read(RefusalTests.oidc + "client-id = \"x\"\nclient-secret = \"hunter2\"")
        let work = try #require(configuration.provider("work"))
        #expect(work.provider.clientAuthentication == nil)
        #expect(work.secret == .literal(Secret("hunter2")))
        #expect(work.provider.clientSecret == nil)
    }

    @Test("A client authentication that needs a secret is a problem without one")
    func authenticationWithoutSecret() throws {
        let work = try #require(
            try Reading.read(RefusalTests.oidc + "client-id = \"x\"\nclient-authentication = \"client_secret_post\"").provider("work"))
        #expect(work.provider.problem?.hasPrefix("client-secret is missing") == true)
    }

    @Test("An OAuth 2.0 server is described by its endpoints and its profile")
    func oauth2() throws {
        let configuration = try Reading.read(
            RefusalTests.oauth2 + """
                client-id = "x"
                client-secret = { credential = "old-secret" }
                client-authentication = "client_secret_basic"
                revocation-endpoint = "https://old.example/revoke"
                device-authorization-endpoint = "https://old.example/device"
                profile = { uid = "user.id", display-name = "user.name", email = "mail", photo = "avatar", username = "login" }
                trust-email = ["Example.com", "example.org"]
                own-callback-path = true
                ca-file = "/etc/old.pem"
                """)
        let old = try #require(configuration.provider("old"))
        #expect(old.provider.kind == .oauth2)
        #expect(old.provider.endpoints.revocation == "https://old.example/revoke")
        #expect(old.provider.endpoints.deviceAuthorization == "https://old.example/device")
        #expect(
            old.provider.profileMapping
                == ProfileMapping(uid: "user.id", displayName: "user.name", email: "mail", photo: "avatar", username: "login"))
        #expect(old.provider.emailTrust == .domains(["example.com", "example.org"]))
        #expect(old.provider.hasOwnCallbackPath)
        #expect(old.provider.caFile == "/etc/old.pem")
        #expect(old.provider.clientAuthentication == .clientSecretBasic)
        #expect(old.secret == .credential("old-secret"))
        #expect(old.provider.problem == nil)
    }

    @Test("An OAuth 2.0 server with an issuer may leave its endpoints to its metadata")
    func oauth2WithIssuer() throws {
        let configuration = try Reading.read(
            "[provider.new]\nkind = \"oauth2\"\nissuer = \"https://new.example\"\nuserinfo-endpoint = \"https://new.example/me\"")
        #expect(configuration.provider("new")?.provider.issuer == "https://new.example")
    }

    @Test("An OAuth 2.0 server needs no more than its issuer; its accounts are then their names, and a `login` is a hint")
    func issuerAlone() throws {
        let configuration = try Reading.read(
            """
            [provider.new]
            kind = "oauth2"
            issuer = "https://new.example"
            client-id = "x"
            [account.one]
            provider = "new"
            login = "ada@example.com"
            [account.two]
            provider = "new"
            login = "ada@example.com"
            """)
        let provider = try #require(configuration.provider("new")?.provider)
        #expect(provider.problem == nil && provider.needsDiscovery && !provider.namesPeople)
        #expect(configuration.namedAccounts.accounts.map(\.login?.text) == ["ada@example.com", "ada@example.com"])
        #expect(configuration.namedAccounts.accounts.allSatisfy { $0.isLoginHint && $0.knownLogin == nil })
    }

    @Test("Trust in addresses can be whole or none", arguments: [("true", EmailTrust.all), ("false", .nobody)])
    func emailTrust(word: String, trust: EmailTrust) throws {
        #expect(try Reading.read(RefusalTests.oidc + "trust-email = \(word)").provider("work")?.provider.emailTrust == trust)
    }

    @Test("Built-in providers have keys of their own, which a wrong value is told by")
    func keysOfTheirOwn() throws {
        let hosted = try Reading.read("[provider.\"gitlab.com\"]\nhost = \"git.example.com\"\nclient-id = \"x\"").provider("gitlab.com")
        #expect(hosted?.provider.issuer == "https://git.example.com" && hosted?.provider.problem == nil)
        let tenant = try Reading.read("[provider.\"microsoft.com\"]\ntenant = \"consumers\"\nclient-id = \"x\"").provider("microsoft.com")
        #expect(tenant?.provider.endpoints.token == "https://login.microsoftonline.com/consumers/oauth2/v2.0/token")
        let error = try #require(Reading.refusal("[provider.\"microsoft.com\"]\ntenant = \"a b\""))
        #expect(error.line == 2 && error.message.hasPrefix("tenant in [provider.\"microsoft.com\"] must be"))
        #expect(Reading.refusal("[provider.\"google.com\"]\nhost = \"x.example\"") != nil)
        for (kind, isTaken) in [("oidc", true), ("oauth2", false), ("oauth1", false)] {
            #expect((Reading.refusal("[provider.\"google.com\"]\nkind = \"\(kind)\"\nclient-id = \"c\"") == nil) == isTaken)
        }
    }

    @Test("A parameter that one provider reserves is refused for that one")
    func reservedOfOne() throws {
        let error = try #require(Reading.refusal("[provider.\"microsoft.com\"]\nparameters = { Tenant = \"common\" }"))
        #expect(error.line == 2 && error.message.contains("Tenant"))
        #expect(Reading.refusal("[provider.\"google.com\"]\nparameters = { tenant = \"common\" }") == nil)
    }

    @Test("Google's parameters are added to, and can be changed")
    func addedParameters() throws {
        func parameters(_ text: String) throws -> [String: String]? {
            try Reading.read("[provider.\"google.com\"]\nparameters = { \(text) }").provider("google.com")?.provider.parameters
        }
        #expect(try parameters("hd = \"example.com\"") == ["access_type": "offline", "hd": "example.com"])
        #expect(try parameters("access_type = \"online\"") == ["access_type": "online"])
    }

    @Test("Providers keep the order of the files, the unmentioned come last")
    func order() throws {
        let configuration = try Reading.read(RefusalTests.oidc, RefusalTests.oauth2)
        #expect(configuration.providers.map(\.provider.id) == ["work", "old"] + Catalogue.providers.map(\.id))
    }

    @Test(
        "Secrets are taken from each of their sources",
        arguments: [
            ("{ file = \"~/x\" }", SecretSource.file("/home/ada/x")), ("{ file = \"x\" }", .file("/home/ada/.config/postern/x")),
            ("{ credential = \"a.b\" }", .credential("a.b")),
            ("{ command = [\"pass\", \"show\", \"x\"] }", .command(["pass", "show", "x"])),
            ("{ env = \"WORK_SECRET\" }", .environment("WORK_SECRET")),
        ])
    func secretSources(text: String, source: SecretSource) throws {
        #expect(try Reading.read(RefusalTests.oidc + "client-secret = \(text)").provider("work")?.secret == source)
    }
}

@Suite("Permissions")
struct PermissionTests {
    static let secret = "[provider.\"github.com\"]\nclient-id = \"x\"\nclient-secret = \"hunter2\"\n"

    @Test("A file that others can write is refused", arguments: [0o620, 0o602, 0o666, 0o777] as [UInt32])
    func writable(mode: UInt32) throws {
        let error = try #require(Reading.refusal("", mode: mode))
        #expect(error.line == nil)
        #expect(error.message == "the file can be changed by others; chmod go-w /home/ada/.config/postern/config.toml")
    }

    @Test("A file of another user is refused")
    func foreign() {
        #expect(throws: ConfigurationError.self) {
            try Reading.read([Reading.file("config.toml", "", mode: 0o600, ownerIsTrusted: false)])
        }
    }

    @Test("A file that others can read is fine as long as no secret stands in it", arguments: [0o644, 0o444, 0o640] as [UInt32])
    func readable(mode: UInt32) throws {
        #expect(
            Reading.refusal("[callback]\nport = 1\n" + Self.secret.replacing("\"hunter2\"", with: "{ env = \"X\" }"), mode: mode) == nil)
        let error = try #require(Reading.refusal(Self.secret, mode: mode))
        #expect(error.line == 3)
        #expect(error.message.contains("chmod 600 /home/ada/.config/postern/config.toml"))
        #expect(!error.message.contains("hunter2"))
    }

    @Test(
        "The administrator's file cannot be closed, so what to do with a secret in it is something else",
        arguments: [
            (Self.secret, "client-secret"),
            ("[provider.\"facebook.com\"]\nclient-id = \"1\"\nclient-token = \"hunter2\"\n", "client-token"),
            ("[provider.\"apple.com\"]\nclient-id = \"x\"\nsigning-key = \"hunter2\"\n", "signing-key"),
            ("[accounts]\nauthority = \"firebase\"\napi-key = \"hunter2\"\n", "api-key"),
            (
                "[second-factor.phone]\ngateway = \"https://sms.example.com\"\ngateway-token = \"hunter2\"\n", "gateway-token"
            ),
        ])
    func ofTheAdministrator(text: String, key: String) throws {
        func file(_ origin: ConfigurationFile.Origin) -> ConfigurationFile {
            ConfigurationFile(path: "/x/config.toml", bytes: Array(text.utf8), access: FileAccess(mode: 0o644), origin: origin)
        }
        let users = try #require(#expect(throws: ConfigurationError.self) { try Reading.read([file(.user)]) }?.message)
        #expect(users.hasSuffix("chmod 600 /x/config.toml, or write \(key) = { file = … }"))
        let read = try Reading.read([file(.administrator)])
        let message = try #require(read.leftOut.first?.message)
        #expect(read.leftOut.count == 1 && read.providers.allSatisfy { $0.secrets.isEmpty } && read.secondFactors.phone == nil)
        #expect(message.contains("users must be able to read this file") && !message.contains("chmod") && !message.contains("hunter2"))
        #expect(message.contains("\(key) = { file = \"~/.config/postern/NAME.secret\" }"))
    }

    @Test("It is the file that holds the secret whose permissions count")
    func perFile() throws {
        let open = Reading.file("config.toml", "[callback]\nport = 1\n", mode: 0o644)
        let closed = Reading.file("config.d/1.toml", Self.secret, mode: 0o600)
        #expect(throws: Never.self) { try Reading.read([open, closed]) }
    }
}
