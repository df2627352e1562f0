import PosternConfiguration
import PosternCore
import Testing

@Suite("How a provider's answers come back, and in which browser its page opens")
struct WaysBackTests {
    private static let work = """
        [provider.work]
        kind = "oidc"
        issuer = "https://login.example.com"
        client-id = "postern"

        """

    @Test("A provider can have a redirect URI and its own response mode")
    func redirectURI() throws {
        let configuration = try Reading.read(
            Self.work + "redirect-uri = \"https://app.example.com/__/auth/handler\"\nresponse-mode = \"form_post\"")
        let provider = try #require(configuration.provider("work")).provider
        #expect(provider.redirectURI == .relay("https://app.example.com/__/auth/handler"))
        #expect(provider.responseMode == .formPost)
        let plain = try #require(try Reading.read(Self.work).provider("work")).provider
        #expect(plain.redirectURI == nil && plain.responseMode == nil)
    }

    @Test(
        "An impossible value is refused with its line",
        arguments: [
            ("redirect-uri = \"http://127.0.0.1:7678/x\"", "must not be an address of this machine"),
            ("redirect-uri = \"javascript:alert(1)\"", "belongs to no application"),
            ("redirect-uri = \"https://app.example.com/x?y\"", "must not have a query"), ("redirect-uri = 1", "must be a string"),
            ("response-mode = \"post\"", "must be one of \"query\", \"fragment\", \"form_post\""),
            ("browser = \"firefox\"", "a command as a list"),
            ("browser = []", "names no program"), ("browser-of = []", "must be a table"),
            ("browser-of = { \"Ada@x\" = \"none\", \"ada@x\" = \"none\" }", "only in letter case"),
            ("browser-of = { ada = \"firefox\" }", "a command as a list"),
        ])
    func refused(line: String, words: String) throws {
        let error = try #require(Reading.refusal(Self.work + line))
        #expect(error.description.contains(words), "\(error)")
        #expect(error.line == 5)
    }

    @Test("The account's browser goes before the provider's, and that before the one of [sign-in]")
    func browser() throws {
        let configuration = try Reading.read(
            Self.work + """
                browser = ["firefox", "-P", "work"]
                [provider.work.browser-of]
                "Ada@Example.com" = ["chromium", "--profile-directory=Ada"]
                "grace@example.com" = "portal"
                """, "[sign-in]\nbrowser = [\"xdg-open\"]")
        #expect(configuration.browser(of: "work", account: nil) == .command(["firefox", "-P", "work"]))
        #expect(configuration.browser(of: "work", account: "ada@example.com") == .command(["chromium", "--profile-directory=Ada"]))
        #expect(configuration.browser(of: "work", account: "GRACE@example.com") == .portal)
        #expect(configuration.browser(of: "work", account: "else@example.com") == .command(["firefox", "-P", "work"]))
        #expect(configuration.browser(of: "github.com", account: "ada@example.com") == .command(["xdg-open"]))
    }
}
