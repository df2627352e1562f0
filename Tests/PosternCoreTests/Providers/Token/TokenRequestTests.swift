import PosternCore
import Testing

@Suite struct TokenRequestTests {
    private let verifier = CodeVerifier(stored: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))!

    private func exchange(
        at provider: Provider, code: String = "c+1/=&x", redirectURI: String = "http://127.0.0.1:7678/__/auth/handler"
    ) throws
        -> ProviderRequest
    {
        try TokenRequest.exchange(code: Secret(code), redirectURI: redirectURI, codeVerifier: verifier, at: ResolvedProvider(provider))
    }

    @Test("A public client names itself in the body")
    func publicClient() throws {
        let request = try exchange(at: .openID())
        #expect(request.method == "POST")
        #expect(request.url == "https://op.example/token")
        #expect(request.headers("Content-Type") == ["application/x-www-form-urlencoded"])
        #expect(request.headers("Accept") == ["application/json"])
        #expect(request.headers("Authorization") == [])
        #expect(
            request.bodyText
                == "grant_type=authorization_code&code=c%2B1%2F%3D%26x&redirect_uri=http%3A%2F%2F127.0.0.1%3A7678%2F__%2Fauth%2Fhandler"
                + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&client_id=client")
    }

    @Test("With client_secret_basic the credentials are in the header alone")
    func basic() throws {
        var provider = Provider.openID(clientID: "a:b", secret: "p %q")
        provider.clientAuthentication = .clientSecretBasic
        let request = try exchange(at: provider)
        #expect(request.headers("Authorization") == ["Basic YSUzQWI6cCslMjVx"])
        #expect(!request.bodyText.contains("client_"))
    }

    @Test("With client_secret_post they are in the body alone")
    func post() throws {
        let request = try exchange(at: .openID(secret: "p %q", authentication: .clientSecretPost))
        #expect(request.headers("Authorization") == [])
        #expect(request.bodyText.hasSuffix("&client_id=client&client_secret=p+%25q"))
    }

    @Test("A client that authenticates itself by nothing does not send the secret it has")
    func none() throws {
        let request = try exchange(at: .openID(secret: "hidden", authentication: ClientAuthentication.none))
        #expect(!request.bodyText.contains("hidden") && request.headers("Authorization").isEmpty)
    }

    @Test("The redirect URI is the authorization request's, byte for byte")
    func redirectURI() throws {
        let request = try exchange(at: .openID(), redirectURI: "http://[::1]:7678/__/auth/handler/work%20x")
        #expect(request.bodyText.contains("&redirect_uri=http%3A%2F%2F%5B%3A%3A1%5D%3A7678%2F__%2Fauth%2Fhandler%2Fwork%2520x&"))
    }

    @Test("A refresh names the refresh token and no scope")
    func refresh() throws {
        let request = try TokenRequest.refresh(Secret("ghr_b+b"), redirectURI: "http://127.0.0.1:7678/", at: ResolvedProvider(.gitHub()))
        #expect(request.url == "https://github.com/login/oauth/access_token")
        #expect(
            request.bodyText == "grant_type=refresh_token&refresh_token=ghr_b%2Bb&client_id=Iv1.0123456789abcdef&client_secret=s3cret")
    }
}
