import Testing

@testable import PosternCore

@Suite("Ending a session at a provider")
struct EndSessionTests {
    private func provider(_ endpoint: String? = "https://op.example/bye?tenant=1") throws -> ResolvedProvider {
        var provider = Provider.openID()
        provider.endpoints.endSession = endpoint
        return try ResolvedProvider(provider)
    }

    @Test("The page knows whose session it is, and comes back only where the provider knows our address")
    func url() throws {
        let bare = EndSessionRequest.url(at: try provider(), idToken: Secret("a.b.c"), redirectURI: nil, state: Secret("s"))
        #expect(bare?.reveal() == "https://op.example/bye?tenant=1&client_id=client&id_token_hint=a.b.c")
        let returning = EndSessionRequest.url(
            at: try provider(), idToken: nil, redirectURI: "http://127.0.0.1:7678/__/auth/signed-out", state: Secret("s"))
        #expect(
            returning?.reveal()
                == "https://op.example/bye?tenant=1&client_id=client"
                + "&post_logout_redirect_uri=http%3A%2F%2F127.0.0.1%3A7678%2F__%2Fauth%2Fsigned-out&state=s")
    }

    @Test("A huge ID token is left out, and without such a page there is no address")
    func limits() throws {
        let huge = Secret(String(repeating: "x", count: 9000))
        #expect(
            EndSessionRequest.url(at: try provider(), idToken: huge, redirectURI: nil, state: Secret("s"))?.reveal().contains("hint")
                == false)
        #expect(EndSessionRequest.url(at: try provider(nil), idToken: nil, redirectURI: nil, state: Secret("s")) == nil)
    }
}
