@testable import PosternConfiguration
import PosternCore
import Testing

/// A file that is refused: where, and in which words.
struct Refused: Sendable, CustomTestStringConvertible {
    var text: String
    var line: Int
    var message: String

    init(_ text: String, _ line: Int, _ message: String) {
        self.text = text
        self.line = line
        self.message = message
    }

    var testDescription: String { text.split(separator: "\n").last.map(String.init) ?? text }
}

@Suite("Refused configurations")
struct RefusalTests {
    static let sections: [Refused] = [
        Refused("[callback", 1, "column 10: the table header must end with ] or ]]"),
        Refused("\nport = 7678", 2, "unknown key port in the file; known here: callback, sign-in, accounts, second-factor, store, daemon, attention, registration, provider, mcp, account"),
        Refused("[callbak]", 1, "unknown key callbak in the file; did you mean callback?"),
        Refused("[providers.x]", 1, "unknown key providers in the file; did you mean provider?"),
        Refused("callback = 1", 1, "callback in the file must be a table, not an integer"),
        Refused("[callback]\n\nadresses = []", 3, "unknown key adresses in [callback]; did you mean addresses?"),
        Refused("[callback]\naddresses = \"127.0.0.1\"", 2, "addresses in [callback] must be a list of strings, not a string"),
        Refused("[callback]\naddresses = []", 2, "addresses in [callback] must name at least one address"),
        Refused("[callback]\naddresses = [\"127.0.0.1\",\n 1]", 3, "addresses in [callback] must be a string, not an integer"),
        Refused(
            "[callback]\naddresses = [\"0.0.0.0\"]", 2,
            "addresses in [callback] must be loopback addresses, such as \"127.0.0.1\" and \"::1\"; \"0.0.0.0\" is none"),
        Refused("[callback]\naddresses = [\"::1\", \"0:0:0:0:0:0:0:1\"]", 2, "addresses in [callback] has ::1 twice"),
        Refused("[callback]\nport = 65536", 2, "port in [callback] must be from 0 to 65535, not 65536"),
        Refused("[callback]\nport = -1", 2, "port in [callback] must be from 0 to 65535, not -1"),
        Refused("[callback]\nport = \"7678\"", 2, "port in [callback] must be an integer, not a string"),
        Refused("[callback]\nport = 7678.0", 2, "port in [callback] must be an integer, not a float"),
        Refused("[callback]\nsame_user = true", 2, "unknown key same_user in [callback]; did you mean same-user?"),
        Refused("[callback]\nsame-user = 1", 2, "same-user in [callback] must be true or false, not an integer"),
        Refused("[callback]\ncertificate = \"/c\"", 2, "certificate in [callback] needs key beside it, the file of its private key"),
        Refused("[callback]\nkey = \"/k\"", 2, "key in [callback] needs certificate beside it, the file of its certificate"),
        Refused(
            "[callback]\ncertificate = \"~eve/c\"", 2,
            "certificate in [callback] begins with a ~ that cannot be expanded; give the full path"),
        Refused("[callback]\ncertificate = \"a\\u0000b\"", 2, "certificate in [callback] must not hold control characters"),
        Refused("[callback]\nkey = \"\"", 2, "key in [callback] must not be empty"),
        Refused("[sign-in]\ntimeout = 600", 2, "timeout in [sign-in] must be a string, not an integer"),
        Refused(
            "[sign-in]\ntimeout = \"10 m\"", 2,
            "timeout in [sign-in] must be a number with s, m, h or d, such as \"90s\", \"10m\" or \"1h\", not \"10 m\""),
        Refused("[sign-in]\ntimeout = \"0s\"", 2, "timeout in [sign-in] must be from \"1s\" to \"1h\", not \"0s\""),
        Refused("[sign-in]\ntimeout = \"999999999h\"", 2, "timeout in [sign-in] must be from \"1s\" to \"1h\", not \"999999999h\""),
        Refused(
            "[sign-in]\ntimeout = \"-1s\"", 2,
            "timeout in [sign-in] must be a number with s, m, h or d, such as \"90s\", \"10m\" or \"1h\", not \"-1s\""),
        Refused(
            "[sign-in]\nbrowser = \"firefox\"", 2,
            "browser in [sign-in] must be \"portal\", \"none\" or a command as a list, such as [\"xdg-open\"], not \"firefox\""),
        Refused("[sign-in]\nbrowser = []", 2, "browser in [sign-in] names no program; use \"none\" to open no page"),
        Refused("[sign-in]\nbrowser = true", 2, "browser in [sign-in] must be a list of strings, \"portal\" or \"none\", not a boolean"),
        Refused("[sign-in]\nlanguages = [\"de\"]", 2, "languages in [sign-in] must be some of \"en\", \"ja\", \"it\", not \"de\""),
        Refused("[sign-in]\nlanguages = []", 2, "languages in [sign-in] must name at least one language, and each once"),
        Refused("[sign-in]\nlanguages = [\"en\", \"en\"]", 2, "languages in [sign-in] must name at least one language, and each once"),
        Refused(
            "[accounts]\none-account-per-mail = true", 2,
            "unknown key one-account-per-mail in [accounts]; did you mean one-account-per-email?"),
        Refused(
            "[store]\nkey = \"keyring\"", 2,
            "key in [store] must be one of \"auto\", \"credential\", \"secret-service\", \"file\", \"passphrase\""),
        Refused(
            "[daemon]\nidle-exit = \"sometimes\"", 2,
            "idle-exit in [daemon] must be a number with s, m, h or d, such as \"90s\", \"10m\" or \"1h\", not \"sometimes\""),
        Refused(
            "[daemon]\nlog-level = \"verbose\"", 2,
            "log-level in [daemon] must be one of \"error\", \"warning\", \"notice\", \"info\", \"debug\", not \"verbose\""),
        Refused("[daemon]\nlog-level = 1979-05-27", 2, "log-level in [daemon] must be a string, not a date or time"),
    ]

    static let oidc = "[provider.work]\nkind = \"oidc\"\nissuer = \"https://login.example\"\n"
    static let oauth2 = """
        [provider.old]
        kind = "oauth2"
        authorization-endpoint = "https://old.example/authorize"
        token-endpoint = "https://old.example/token"
        userinfo-endpoint = "https://old.example/me"

        """

    static let providers: [Refused] = [
        Refused("[provider]\nwork = 1", 2, "work in [provider] must be a table; a provider begins with [provider.NAME]"),
        Refused("[provider.\"bird.com\"]", 1, "unknown provider \"bird.com\"; give kind = \"oidc\", \"oauth2\" or \"oauth1\""),
        Refused(
            "[provider.github]\nclient-id = \"x\"", 1,
            "unknown provider github; did you mean [provider.\"github.com\"]? Else give kind = \"oidc\", \"oauth2\" or \"oauth1\""),
        Refused("[provider.github.com]\nclient-id = \"x\"", 1, "a name with a full stop needs quotes: [provider.\"github.com\"]"),
        Refused(
            "[provider.Work]", 1, "[provider.Work]: a provider's name consists of a to z, 0 to 9, full stop, - and _, at most 64 of them, and may not begin with a full stop"),
        Refused(
            "[provider.\"a/b\"]", 1,
            "[provider.\"a/b\"]: a provider's name consists of a to z, 0 to 9, full stop, - and _, at most 64 of them, and may not begin with a full stop"),
        Refused(
            "[provider.\"..\"]", 1, "[provider.\"..\"]: a provider's name consists of a to z, 0 to 9, full stop, - and _, at most 64 of them, and may not begin with a full stop"
        ),
        Refused("[provider.work]\nkind = \"saml\"", 2, "kind in [provider.work] must be \"oidc\", \"oauth2\" or \"oauth1\""),
        Refused(
            "[provider.\"github.com\"]\nkind = \"oidc\"", 2,
            "kind in [provider.\"github.com\"] must be left out: github.com is built in; another name makes another provider"),
        Refused("\n[provider.work]\nkind = \"oidc\"", 2, "[provider.work] needs issuer, the URL that its discovery document names"),
        Refused("[provider.old]\nkind = \"oauth2\"", 1, "[provider.old] needs authorization-endpoint and token-endpoint"),
        Refused(
            "[provider.old]\nkind = \"oauth2\"\nissuer = \"https://old.example\"\nprofile = { uid = \"sub\" }", 4,
            "profile in [provider.old] needs userinfo-endpoint, where the profile is"),
        Refused(
            "[provider.old]\nkind = \"oauth2\"\nissuer = \"https://old.example\"\ntrust-email = true", 4,
            "trust-email in [provider.old] needs userinfo-endpoint, where the profile is"),
        Refused(
            "[provider.old]\nkind = \"oauth2\"\nuserinfo-endpoint = \"https://old.example/me\"", 1,
            "[provider.old] needs authorization-endpoint and token-endpoint"),
        Refused(oidc + "clientid = \"x\"", 4, "unknown key clientid in [provider.work]; did you mean client-id?"),
        Refused(oidc + "parameter = {}", 4, "unknown key parameter in [provider.work]; did you mean parameters?"),
        Refused(oidc + "client-id = 17", 4, "client-id in [provider.work] must be a string, not an integer"),
        Refused(
            "[provider.work]\nkind = \"oidc\"\nissuer = \"http://login.example\"", 3,
            "issuer in [provider.work] \(EndpointURLError.plainHTTP(host: "login.example"))"),
        Refused(
            "[provider.work]\nkind = \"oidc\"\nissuer = \"https://login.example/?a\"", 3, "issuer in [provider.work] must not have a query"),
        Refused(
            oidc + "token-endpoint = \"login.example\"", 4,
            "token-endpoint in [provider.work] \(EndpointURLError.notAbsolute)"),
        Refused(
            oidc + "scopes = [\"openid email\"]", 4,
            "scopes in [provider.work] must be a list of single scopes, without blanks or quotes (RFC 6749 section 3.3)"),
        Refused(oidc + "scopes = [\"openid\", \"openid\"]", 4, "scopes in [provider.work] names a scope twice"),
        Refused(
            oidc + "step-up-scopes = [\"a b\"]", 4,
            "step-up-scopes in [provider.work] must be a list of single scopes, without blanks or quotes (RFC 6749 section 3.3)"),
        Refused(
            oidc + "parameters = {\n prompt = \"x\" }", 4, "column 15: an inline table must be on one line"),
        Refused(
            oidc + "parameters = { Redirect_URI = \"x\" }", 4,
            "Redirect_URI in [provider.work.parameters] is set by the sign-in itself; remove it"),
        Refused(oidc + "parameters = { prompt = true }", 4, "prompt in [provider.work.parameters] must be a string, not a boolean"),
        Refused(oidc + "profile = { id = \"sub\" }", 4, "unknown key id in [provider.work.profile]; did you mean uid?"),
        Refused(
            oidc + "trust-email = [\"@example.com\"]", 4,
            "trust-email in [provider.work] must be true, false or a list of domains, such as [\"example.com\"]"),
        Refused(
            oidc + "trust-email = []", 4,
            "trust-email in [provider.work] must be true, false or a list of domains, such as [\"example.com\"]"),
        Refused(
            oidc + "trust-email = \"example.com\"", 4,
            "trust-email in [provider.work] must be true, false or a list of domains, not a string"),
        Refused(oidc + "app = \"a\\nb\"", 4, "app in [provider.work] must not hold control characters"),
        Refused(
            "[provider.\"github.com\"]\napp = \"com.example.Tool\"", 2,
            "app in [provider.\"github.com\"] would take github.com from every other app; give an app's own client its own name"),
        Refused(oidc + "own-callback-path = \"yes\"", 4, "own-callback-path in [provider.work] must be true or false, not a string"),
        Refused(
            oidc + "client-authentication = \"private_key_jwt\"", 4,
            "client-authentication in [provider.work] must be one of \"client_secret_basic\", \"client_secret_post\", \"none\""),
        Refused(
            oidc + "client-secret = { env = \"S\" }\nclient-authentication = \"none\"", 5,
            "client-authentication in [provider.work] must not be \"none\" while there is a client-secret"),
        Refused(
            oidc + "client-secret = 17", 4,
            "client-secret in [provider.work] must be a string or a table such as { file = \"…\" }, not an integer"),
        Refused(oidc + "client-secret = {}", 4, "[provider.work.client-secret] must have exactly one of file, credential, command, env"),
        Refused(
            oidc + "client-secret = { file = \"/a\", env = \"B\" }", 4,
            "[provider.work.client-secret] must have exactly one of file, credential, command, env"),
        Refused(
            oidc + "client-secret = { path = \"/a\" }", 4,
            "unknown key path in [provider.work.client-secret]; known here: file, credential, command, env"),
        Refused(
            oidc + "client-secret = { credential = \"../x\" }", 4,
            "credential in [provider.work.client-secret] must be the name of a systemd credential, without slashes"),
        Refused(oidc + "client-secret = { command = [] }", 4, "command in [provider.work.client-secret] names no program"),
        Refused(
            oidc + "client-secret = { command = \"pass x\" }", 4,
            "command in [provider.work.client-secret] must be a list of strings, not a string"),
        Refused(
            oidc + "client-secret = { env = \"A-B\" }", 4,
            "env in [provider.work.client-secret] must be the name of an environment variable: letters, digits and _"),
        Refused(oauth2 + "token-endpoint = \"https://x\"", 6, "column 1: the key token-endpoint appears twice in one table"),
    ]

    @Test(
        "A provider cannot have a name that stands for something else in replies, in whatever case",
        arguments: [
            "password", "Password", "PASSWORD", "anonymous", "Anonymous", "phone", "pHone", "custom", "firebase", "Firebase", "email", "Email",
            "phone_number", "Phone_Number", "emailLink", "emaillink",
        ])
    func reservedName(name: String) throws {
        let error = try #require(Reading.refusal("\n\n[provider.\(name)]\nkind = \"oidc\"\nissuer = \"https://login.example\""))
        #expect(
            error
                == ConfigurationError(
                    file: "/home/ada/.config/postern/config.toml", line: 3,
                    message: "[provider.\(name)]: the name \(name) is reserved: in replies it means something other than a provider; "
                        + "choose another name"))
    }

    @Test("A name that only begins like a reserved one is taken", arguments: ["password1", "my-phone", "phone.example", "email.example", "phone-number"])
    func unreservedName(name: String) {
        #expect(Reading.refusal("[provider.\"\(name)\"]\nkind = \"oidc\"\nissuer = \"https://login.example\"") == nil)
    }

    @Test("A section with a mistake is refused with its line and what to change", arguments: sections)
    func refusesSection(_ refused: Refused) throws {
        let error = try #require(Reading.refusal(refused.text))
        #expect(error.description == "/home/ada/.config/postern/config.toml:\(refused.line): \(refused.message)")
    }

    @Test("A provider with a mistake is refused with its line and what to change", arguments: providers)
    func refusesProvider(_ refused: Refused) throws {
        let error = try #require(Reading.refusal(refused.text))
        #expect(error.description == "/home/ada/.config/postern/config.toml:\(refused.line): \(refused.message)")
    }

    @Test(
        "Only loopback addresses are listened on",
        arguments: [
            "0.0.0.0", "192.168.1.1", "128.0.0.1", "127.1", "127.0.0.01", "127.0.0.256", "127.0.0.1.1", "localhost", "::", "::2", "[::1]",
            "::ffff:127.0.0.1", "fe80::1", "127.0.0.1 ", "0177.0.0.1", "",
        ])
    func otherAddresses(address: String) {
        #expect(Reading.refusal("callback.addresses = [\"\(address)\"]") != nil)
    }

    @Test(
        "An error never shows a secret",
        arguments: [
            "client-secret = \"hunter2\\u0007\"", "client-secret = [\"hunter2\"]",
            "client-secret = \"hunter2\"\nclient-authentication = \"none\"",
            "client-secret = hunter2", "client-secret = \"hunter2", "parameters = { client_secret = \"hunter2\" }",
            "client-secret = \"hunter2\"\nclient-secret = \"hunter2\"",
        ])
    func secretsStayOut(line: String) throws {
        let error = try #require(Reading.refusal(Self.oidc + line))
        #expect(!error.description.contains("hunter2"))
    }
}
