import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// GitLab's ways. What goes over the wire is in `Tests/PosternApplicationTests/Tables/Exchanges/gitlab.com.txt`.
@Suite struct GitLabTests {
    private func gitLab(host: String? = nil) throws -> Provider {
        var provider = try GitLab().configured(GitLab.provider, with: ProviderSettings(texts: host.map { ["host": $0] } ?? [:]))
        provider.clientID = "client"
        return provider
    }

    @Test(
        "A host of one's own has its own issuer and its own addresses",
        arguments: [
            (nil, "https://gitlab.com"), ("git.example.com", "https://git.example.com"), ("https://git.example.com/", "https://git.example.com"),
            ("git.example.com:8443/gitlab", "https://git.example.com:8443/gitlab"),
        ] as [(String?, String)])
    func host(host: String?, origin: String) throws {
        let provider = try gitLab(host: host)
        #expect(provider.issuer == origin)
        let resolved = try ResolvedProvider(provider)
        #expect(resolved.authorization.text == "\(origin)/oauth/authorize")
        #expect(resolved.token.text == "\(origin)/oauth/token")
        #expect(resolved.userinfo?.text == "\(origin)/oauth/userinfo")
        #expect(resolved.revocation?.text == "\(origin)/oauth/revoke")
        #expect(resolved.deviceAuthorization?.text == "\(origin)/oauth/authorize_device")
        #expect(resolved.jwks?.text == "\(origin)/oauth/discovery/keys")
        #expect(!provider.needsDiscovery)
    }

    @Test("What is no host is refused", arguments: ["", "http://git.example.com", "u@git.example.com", "git.example.com?x", "git example", "git.example.com#x"])
    func noHost(text: String) {
        let error = #expect(throws: ProviderSettingError.self) { try gitLab(host: text) }
        #expect(error?.key == "host")
    }

    @Test("A refresh repeats the redirect URI, and a client without a secret names itself")
    func refresh() throws {
        let request = TokenRequest.refresh(
            Secret("rt1"), redirectURI: "http://127.0.0.1:7678/__/auth/handler", at: try ResolvedProvider(gitLab()))
        #expect(
            request.bodyText
                == "grant_type=refresh_token&refresh_token=rt1&redirect_uri=http%3A%2F%2F127.0.0.1%3A7678%2F__%2Fauth%2Fhandler&client_id=client")
    }

    @Test("A refreshed ID token may name a later sign-in on the website, and elsewhere may not")
    func authenticationTime() throws {
        func refreshed(_ provider: Provider) throws -> String {
            let iss = JSON.string(try #require(provider.issuer))
            var grant = Grant.sample()
            grant.idToken = try TokenForge(changes: ["iss": iss, "auth_time": 1_799_999_000]).token()
            let credential = StoredCredential(
                providerID: provider.id, subject: "248289761001", displayName: nil, binding: provider.binding, grant: grant, generation: 1)
            let fresh = try UnverifiedIDToken(
                parsing: TokenForge(changes: ["iss": iss, "auth_time": 1_799_999_900, "nonce": nil]).token())
            return describe(
                IDTokenVerifier(cryptography: OpenSSLCryptography()).verdict(
                    on: fresh, keys: try TestKeys.providerKeys(),
                    expecting: .refresh(at: try ResolvedProvider(provider), of: credential, accessToken: Secret("at-2")), now: now))
        }
        #expect(try refreshed(gitLab()) == "verified")
        #expect(try refreshed(.openID()).contains("auth_time"))
    }
}
