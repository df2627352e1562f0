import PosternConfiguration
import PosternCore
import Testing

@Suite("The flow that people prefer")
struct FlowTests {
    @Test("for all, and for one provider", arguments: ProviderFlow.allCases)
    func preference(flow: ProviderFlow) throws {
        let configuration = try Reading.read(
            """
            [sign-in]
            flow = "\(flow.rawValue)"
            [provider.work]
            kind = "oidc"
            issuer = "https://op.example"
            client-id = "x"
            flow = "\(flow.rawValue)"
            """)
        #expect(configuration.signIn.flow == flow)
        #expect(configuration.provider("work")?.provider.flow == flow)
    }

    @Test("it is the browser where nothing is said, and a provider has none of its own")
    func defaults() throws {
        let configuration = try Reading.read([])
        #expect(configuration.signIn.flow == .browser)
        #expect(configuration.provider("github.com")?.provider.flow == nil)
    }

    @Test(
        "an unknown or unavailable flow is refused with its line",
        arguments: [
            Refused("[sign-in]\nflow = \"qr\"", 2, "flow in [sign-in] must be one of \"browser\", \"device\", not \"qr\""),
            Refused("[provider.\"github.com\"]\nflow = true", 2, "flow in [provider.\"github.com\"] must be a string, not a boolean"),
            Refused(
                "[provider.x]\nkind = \"oauth2\"\nauthorization-endpoint = \"https://a.example/a\"\n"
                    + "token-endpoint = \"https://a.example/t\"\n"
                    + "userinfo-endpoint = \"https://a.example/u\"\nflow = \"device\"", 6,
                "flow in [provider.x] must not be \"device\" without a device-authorization-endpoint"),
            Refused(
                "[provider.\"facebook.com\"]\nclient-id = \"x\"\nlimited = true\nflow = \"device\"", 4,
                "flow in [provider.\"facebook.com\"] must not be \"device\" without a device-authorization-endpoint"),
        ])
    func refused(_ refused: Refused) {
        let error = #expect(throws: ConfigurationError.self) { try Reading.read(refused.text) }
        #expect(error?.line == refused.line)
        #expect(error?.message == refused.message)
    }

    @Test("with the device flow GitHub needs no secret, and then has no other flow")
    func gitHub() throws {
        let github = try #require(
            try Reading.read("[provider.\"github.com\"]\nclient-id = \"x\"\nflow = \"device\"").provider("github.com")
        ).provider
        #expect(github.problem == nil && !github.hasBrowserFlow)
        let both = try #require(
            try Reading.read("[provider.\"github.com\"]\nclient-id = \"x\"\nclient-secret = { env = \"S\" }\nflow = \"device\"")
                .provider("github.com")
        ).provider
        #expect(both.clientAuthentication == .clientSecretPost)
    }
}
