import PosternConfiguration
import PosternCore
import Testing

@Suite("Sections")
struct SectionTests {
    @Test("No file at all gives the defaults")
    func defaults() throws {
        let configuration = try Reading.read([])
        #expect(configuration.callback == Configuration.Callback())
        #expect(configuration.callback.addresses == ["127.0.0.1"])
        #expect(configuration.callback.port == 7678)
        #expect(configuration.callback.sameUser)
        #expect(configuration.signIn.timeout == .seconds(600))
        #expect(configuration.signIn.browser == .command(["xdg-open"]))
        #expect(configuration.signIn.languages == ["en", "ja", "it"])
        #expect(configuration.accounts.oneAccountPerEmail)
        #expect(configuration.store.key == .automatic)
        #expect(configuration.daemon.idleExit == .seconds(300))
        #expect(configuration.daemon.logLevel == .info)
    }

    @Test("Every key of the sections is taken")
    func everyKey() throws {
        let configuration = try Reading.read(
            """
            [callback]
            addresses = ["127.0.0.1", "::1", "127.8.9.10"]
            port = 0
            same-user = false
            certificate = "~/loopback.crt"
            key = "keys/loopback.key"
            [sign-in]
            timeout = "90s"
            browser = ["firefox", "--new-window"]
            languages = ["ja"]
            [accounts]
            one-account-per-email = false
            [store]
            key = "secret-service"
            [daemon]
            idle-exit = "1h"
            log-level = "debug"
            """)
        #expect(configuration.callback.addresses == ["127.0.0.1", "::1", "127.8.9.10"])
        #expect(configuration.callback.port == 0)
        #expect(!configuration.callback.sameUser)
        #expect(configuration.callback.certificate == "/home/ada/loopback.crt")
        #expect(configuration.callback.key == "/home/ada/.config/postern/keys/loopback.key")
        #expect(configuration.signIn.timeout == .seconds(90))
        #expect(configuration.signIn.browser == .command(["firefox", "--new-window"]))
        #expect(configuration.signIn.languages == ["ja"])
        #expect(!configuration.accounts.oneAccountPerEmail)
        #expect(configuration.store.key == .secretService)
        #expect(configuration.daemon.idleExit == .seconds(3600))
        #expect(configuration.daemon.logLevel == .debug)
    }

    @Test("A browser can also be a word", arguments: [("portal", Configuration.Browser.portal), ("none", .none)])
    func browserWords(word: String, browser: Configuration.Browser) throws {
        #expect(try Reading.read("sign-in.browser = \"\(word)\"").signIn.browser == browser)
    }

    @Test("A daemon can be told never to end when idle")
    func neverIdle() throws {
        #expect(try Reading.read("daemon.idle-exit = \"never\"").daemon.idleExit == nil)
    }

    @Test("Log levels are ordered from the rarest to the most talkative")
    func logLevels() {
        #expect(Configuration.LogLevel.allCases == Configuration.LogLevel.allCases.sorted())
    }
}

@Suite("Several files")
struct MergingTests {
    @Test("A later file overrides keys, and tables merge")
    func merging() throws {
        let configuration = try Reading.read(
            """
            [callback]
            port = 1
            same-user = false
            addresses = ["127.0.0.1", "::1"]
            [provider.work]
            kind = "oidc"
            issuer = "https://one.example"
            client-id = "first"
            parameters = { prompt = "login", hd = "one.example" }
            """,
            """
            callback = { port = 2, addresses = ["::1"] }
            [provider.work]
            client-id = "second"
            parameters.prompt = "consent"
            """,
            """
            [callback]
            port = 3
            """)
        #expect(configuration.callback.port == 3)
        #expect(!configuration.callback.sameUser)
        #expect(configuration.callback.addresses == ["::1"])
        let work = try #require(configuration.provider("work")).provider
        #expect(work.clientID == "second")
        #expect(work.issuer == "https://one.example")
        #expect(work.parameters == ["prompt": "consent", "hd": "one.example"])
    }

    @Test("A secret of a later file replaces the earlier one whole")
    func secretIsReplaced() throws {
        let provider = try #require(
            try Reading.read(
                "[provider.\"github.com\"]\nclient-id = \"x\"\nclient-secret = { file = \"/a\" }",
                "[provider.\"github.com\"]\nclient-secret = { env = \"B\" }"
            ).provider("github.com"))
        #expect(provider.secret == .environment("B"))
        let signing = "[provider.\"apple.com\"]\nclient-id = \"x\"\nteam-id = \"TEAM123456\"\nkey-id = \"KEY1234567\"\n"
        let apple = try #require(
            try Reading.read(
                signing + "signing-key = { file = \"/a\" }", "[provider.\"apple.com\"]\nsigning-key = { credential = \"b\" }"
            ).provider("apple.com"))
        #expect(apple.secrets.map(\.source) == [.credential("b")])
        let twitter = try #require(
            try Reading.read(
                "[provider.\"twitter.com\"]\napi-key = \"x\"\napi-secret = { file = \"/a\" }",
                "[provider.\"twitter.com\"]\napi-secret = { env = \"B\" }"
            ).provider("twitter.com"))
        #expect(twitter.secret == .environment("B"))
    }

    @Test("An error names the file that holds the mistake")
    func errorsNameTheirFile() throws {
        let error = try #require(Reading.refusal("[callback]\nport = 1\n", "\n\n[callback]\nport = \"x\"\n"))
        #expect(error.file == "/home/ada/.config/postern/config.d/1.toml")
        #expect(error.line == 4)
        #expect(error.description.hasPrefix("/home/ada/.config/postern/config.d/1.toml:4: port in [callback] must be"))
    }

    @Test("A relative path starts at the directory of the file it stands in")
    func relativePaths() throws {
        let configuration = try Reading.read(
            "", "[provider.work]\nkind = \"oidc\"\nissuer = \"https://one.example\"\nca-file = \"ca.pem\"")
        #expect(configuration.provider("work")?.provider.caFile == "/home/ada/.config/postern/config.d/ca.pem")
    }
}
