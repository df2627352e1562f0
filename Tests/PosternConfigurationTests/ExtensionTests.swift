import PosternConfiguration
import PosternCore
import Testing

@Suite("What a provider is spoken to with beyond OAuth and OpenID")
struct ExtensionTests {
    private static let work = "[provider.work]\nkind = \"oidc\"\nissuer = \"https://op.example\"\n"

    private func provider(_ lines: String, clientID: Bool = true) throws -> Provider {
        let text = Self.work + (clientID ? "client-id = \"c\"\n" : "") + lines
        return try #require(try Reading.read(text).provider("work")).provider
    }

    @Test("Nothing of it is on by itself")
    func defaults() throws {
        #expect(try provider("").extensions == ProviderExtensions())
    }

    @Test("Each has its key")
    func keys() throws {
        let provider = try provider(
            """
            resource = "https://api.example/"
            dpop = true
            end-session = true
            pushed-authorization-requests = true
            pushed-authorization-request-endpoint = "https://op.example/par"
            end-session-endpoint = "https://op.example/bye"
            """)
        #expect(provider.extensions.resources == ["https://api.example/"])
        #expect(provider.extensions.usesDPoP && provider.extensions.endsSession && provider.extensions.pushesAuthorization == true)
        #expect(
            provider.endpoints.pushedAuthorization == "https://op.example/par" && provider.endpoints.endSession == "https://op.example/bye")
        #expect(try self.provider("resource = [\"urn:a:b\", \"https://api.example/\"]").extensions.resources.count == 2)
        #expect(try self.provider("pushed-authorization-requests = false").extensions.pushesAuthorization == false)
    }

    @Test("A provider that is to register the client needs no client ID")
    func register() throws {
        let provider = try provider("register = true", clientID: false)
        #expect(provider.extensions.registersClient && provider.clientID == nil && provider.problem == nil)
        #expect(provider.clientAuthentication == nil)
        #expect(
            try self.provider("register = true\nclient-authentication = \"none\"", clientID: false).clientAuthentication
                == ClientAuthentication.none)
    }

    @Test(
        "An invalid value is reported with its line",
        arguments: [
            Refused(work + "resource = 1", 4, "resource in [provider.work] must be a string or a list of strings, not an integer"),
            Refused(
                work + "resource = \"https://api.example/#x\"", 4,
                "resource in [provider.work] must be absolute URIs without a fragment, such as \"https://api.example.com/\" (RFC 8707)"),
            Refused(work + "resource = [\"urn:a:b\", \"urn:a:b\"]", 4, "resource in [provider.work] names a service twice"),
            Refused(work + "dpop = \"yes\"", 4, "dpop in [provider.work] must be true or false, not a string"),
            Refused(
                work + "register = true\nclient-id = \"c\"", 5,
                "client-id in [provider.work] must be left out: with register = true the provider assigns it"),
            Refused(
                work + "pushed-authorization-requests = false\npushed-authorization-request-endpoint = \"https://op.example/par\"", 4,
                "pushed-authorization-requests in [provider.work] must not be false while there is a pushed-authorization-request-endpoint"),
            Refused(
                "[provider.old]\nkind = \"oauth2\"\nregister = true\nauthorization-endpoint = \"https://a.example/a\"\n"
                    + "token-endpoint = \"https://a.example/t\"\nuserinfo-endpoint = \"https://a.example/u\"", 3,
                "register in [provider.old] needs issuer, whose metadata name the address, or registration-endpoint"),
            Refused(
                "[provider.old]\nkind = \"oauth2\"\nend-session = true\nissuer = \"https://a.example\"\nuserinfo-endpoint = \"https://a.example/u\"",
                3,
                "end-session in [provider.old] must be left out: only OpenID providers have such a page"),
        ])
    func refused(_ refused: Refused) throws {
        let error = try #require(Reading.refusal(refused.text))
        #expect(error.line == refused.line)
        #expect(error.message == refused.message)
    }
}
