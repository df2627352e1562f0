import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// GitHub's ways, with the bodies it sends.
@Suite struct GitHubTests {
    private static let user =
        #"{"login":"octo","id":583231,"avatar_url":"https://avatars.githubusercontent.com/u/583231?v=4","name":null,"email":null}"#
    private static let emails = #"[{"email":"o@example.com","primary":true,"verified":true,"visibility":"private"}]"#

    private func grant(_ answer: ProviderResponse, scopes: [String] = ["read:user", "user:email"]) throws -> Grant {
        let provider = try ResolvedProvider(.gitHub())
        return try TokenResponse.grant(from: answer, to: .exchange, at: provider, scopes: scopes, sentAt: now, now: now)
    }

    private func context(scopes: [String] = ["read:user", "user:email"], provider: Provider = .gitHub()) throws -> ProfileContext {
        ProfileContext(
            provider: try ResolvedProvider(provider), grant: .sample(accessToken: "gho_aaaa", scopes: scopes), idToken: nil, keys: nil,
            cryptography: OpenSSLCryptography(), now: now)
    }

    private func profile(_ answers: ProviderResponse...) throws -> ProviderProfile {
        try GitHub().profile(from: answers, in: context())
    }

    // MARK: Token

    @Test("A token in a form, as GitHub sends it unasked")
    func tokenInForm() throws {
        let grant = try grant(.form("access_token=gho_aaaa&scope=read%3Auser%2Cuser%3Aemail&token_type=bearer"))
        #expect(grant.accessToken == Secret("gho_aaaa"))
        #expect(grant.scopes == ["read:user", "user:email"])
        #expect(grant.tokenType == "bearer")
        #expect(grant.expiresAt == nil && grant.refreshToken == nil && grant.idToken == nil)
    }

    @Test("A token in JSON, with commas between the scopes")
    func tokenInJSON() throws {
        #expect(try grant(.json(#"{"access_token":"gho_aaaa","scope":"repo,gist","token_type":"bearer"}"#)).scopes == ["repo", "gist"])
    }

    @Test("A GitHub App's token runs out, can be renewed, and has no scopes")
    func appToken() throws {
        let grant = try grant(
            .json(
                #"{"access_token":"ghu_aaaa","expires_in":28800,"refresh_token":"ghr_bbbb","refresh_token_expires_in":15811200,"token_type":"bearer","scope":""}"#
            ))
        #expect(grant.expiresAt == now.adding(seconds: 28_800))
        #expect(grant.refreshToken == Secret("ghr_bbbb"))
        #expect(grant.refreshTokenExpiresAt == now.adding(seconds: 15_811_200))
        #expect(grant.scopes == [])
    }

    @Test("An error comes with status 200, in JSON or in a form")
    func errors() {
        let refusal = TokenEndpointError.refused(
            OAuthRefusal(status: 200, error: "bad_verification_code", errorDescription: "The code passed is incorrect or expired."))
        #expect(throws: refusal) {
            try grant(
                .json(
                    #"{"error":"bad_verification_code","error_description":"The code passed is incorrect or expired.","error_uri":"https://docs.github.com/…"}"#
                ))
        }
        #expect(throws: refusal) {
            try grant(.form("error=bad_verification_code&error_description=The+code+passed+is+incorrect+or+expired.&error_uri=x"))
        }
    }

    @Test("A refresh token that GitHub calls bad is useless now; other refusals leave it")
    func badRefreshToken() {
        func ends(_ error: String) -> Bool {
            TokenEndpointError.refused(OAuthRefusal(status: 200, error: error)).endsRefreshToken
        }
        #expect(ends("bad_refresh_token") && ends("invalid_grant"))
        #expect(!ends("incorrect_client_credentials") && !ends("slow_down") && !ends("redirect_uri_mismatch"))
    }

    @Test("A form from a provider that does not answer in forms is not read")
    func formElsewhere() throws {
        let provider = try ResolvedProvider(.oauth2())
        let error = #expect(throws: TokenEndpointError.self) {
            try TokenResponse.grant(
                from: .form("access_token=a&token_type=bearer"), to: .exchange, at: provider, scopes: [], sentAt: now, now: now)
        }
        guard case .malformed(.notJSON, nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A refusal says what to do about it")
    func advice() {
        let error = #expect(throws: TokenEndpointError.self) { try grant(.json(#"{"error":"incorrect_client_credentials"}"#)) }
        #expect(
            error?.description == "the token endpoint refused: incorrect_client_credentials (check client-id and client-secret; "
                + "`postern setup github.com` asks for the client again)")
    }

    // MARK: Hosts

    @Test(
        "An Enterprise host has its API below itself, a tenant of ghe.com beside itself",
        arguments: [
            ("git.example.com", "https://git.example.com", "https://git.example.com/api/v3"),
            ("Git.Example.com:8443", "https://Git.Example.com:8443", "https://Git.Example.com:8443/api/v3"),
            ("octocorp.ghe.com", "https://octocorp.ghe.com", "https://api.octocorp.ghe.com"),
            ("github.com", "https://github.com", "https://api.github.com"),
        ])
    func hosts(host: String, origin: String, api: String) throws {
        let provider = try GitHub().configured(.gitHub(), with: ProviderSettings(texts: ["host": host]))
        #expect(provider.endpoints.authorization == "\(origin)/login/oauth/authorize")
        #expect(provider.endpoints.token == "\(origin)/login/oauth/access_token")
        #expect(provider.endpoints.deviceAuthorization == "\(origin)/login/device/code")
        #expect(provider.endpoints.userinfo == "\(api)/user")
        #expect(try ResolvedProvider(provider).responseIssuer.expected == "\(origin)/login/oauth")
    }

    @Test("An Enterprise host has no path")
    func hostWithPath() {
        #expect(throws: ProviderSettingError(key: "host", problem: "must be a host name, perhaps with a port: \"git.example.com\"")) {
            try GitHub().configured(.gitHub(), with: ProviderSettings(texts: ["host": "git.example.com/github"]))
        }
    }

    // MARK: Callback

    @Test("The issuer of callbacks is GitHub's, or that of the host that takes its place")
    func issuer() throws {
        #expect(try ResolvedProvider(.gitHub()).responseIssuer == ResponseIssuer(expected: "https://github.com/login/oauth", isRequired: false))
        var enterprise = Provider.gitHub()
        enterprise.endpoints.authorization = "https://ghe.example/login/oauth/authorize"
        #expect(try ResolvedProvider(enterprise).responseIssuer.expected == "https://ghe.example/login/oauth")
        enterprise.endpoints.authorization = "https://ghe.example/elsewhere"
        #expect(try ResolvedProvider(enterprise).responseIssuer.expected == nil)
        enterprise.issuer = "https://token.example"
        #expect(try ResolvedProvider(enterprise).responseIssuer.expected == "https://token.example")
    }

    // MARK: Profile

    @Test("The user is asked for, then the addresses, then nothing more")
    func requests() throws {
        let context = try context()
        let first = try #require(GitHub().nextProfileRequest(after: [], in: context))
        #expect(first.url == "https://api.github.com/user")
        #expect(first.headers("Authorization") == ["Bearer gho_aaaa"])
        #expect(first.headers("Accept") == ["application/vnd.github+json"])
        #expect(first.headers("X-GitHub-Api-Version") == ["2022-11-28"])
        #expect(first.headers("User-Agent") == ["postern"])
        let second = try #require(GitHub().nextProfileRequest(after: [.json(Self.user)], in: context))
        #expect(second.url == "https://api.github.com/user/emails")
        #expect(second.headers("User-Agent") == ["postern"])
        #expect(GitHub().nextProfileRequest(after: [.json(Self.user), .json(Self.emails)], in: context) == nil)
    }

    @Test(
        "The addresses are asked for where the token may read them",
        arguments: [(["user"], true), (["repo", "user:email"], true), ([], true), (["read:user"], false), (["repo"], false)])
    func addressScope(scopes: [String], isAsked: Bool) throws {
        let request = GitHub().nextProfileRequest(after: [.json(Self.user)], in: try context(scopes: scopes))
        #expect((request != nil) == isAsked)
    }

    @Test("After a refusal nothing more is asked")
    func noAddressesAfterRefusal() throws {
        #expect(GitHub().nextProfileRequest(after: [.json("{}", status: 401)], in: try context()) == nil)
    }

    @Test("The endpoints of another host are its own")
    func enterprise() throws {
        var provider = Provider.gitHub()
        provider.endpoints.userinfo = "https://ghe.example/api/v3/user"
        let context = try context(provider: provider)
        #expect(GitHub().nextProfileRequest(after: [.json(Self.user)], in: context)?.url == "https://ghe.example/api/v3/user/emails")
        #expect(
            GitHub().revocationRequests(for: context.grant, at: context.provider, cryptography: OpenSSLCryptography()).map(\.url)
                == ["https://ghe.example/api/v3/applications/Iv1.0123456789abcdef/token"])
    }

    @Test("The identity is the number, the name falls back to the login, the address is the verified primary one")
    func identity() throws {
        let profile = try profile(.json(Self.user), .json(Self.emails))
        #expect(
            profile.identity
                == Identity(
                    providerID: "github.com", subject: "583231", displayName: "octo", email: "o@example.com", emailVerified: true,
                    photoURL: "https://avatars.githubusercontent.com/u/583231?v=4", username: "octo"))
        #expect(try JSON(parsing: Self.user) == .object(profile.document))
    }

    @Test(
        "Which address is taken",
        arguments: [
            (#"[{"email":"a@example.com","primary":false,"verified":true},{"email":"b@example.com","primary":true,"verified":true}]"#, "b@example.com", true),
            (#"[{"email":"b@example.com","primary":true,"verified":false}]"#, "b@example.com", false),
            (#"[{"email":"1+octo@users.noreply.github.com","primary":true,"verified":true}]"#, nil, nil),
            (#"[{"email":"octo@users.noreply.git.example.com","primary":true,"verified":true}]"#, nil, nil),
            (#"[{"email":"1+octo@Users.NoReply.GitHub.com","primary":true,"verified":true}]"#, nil, nil),
            (#"[{"email":"a@example.com","primary":false,"verified":true}]"#, nil, nil),
            (#"[{"email":"a@example.com","primary":"true","verified":1}]"#, nil, nil),
            (#"[{"email":17,"primary":true,"verified":true},null,"x"]"#, nil, nil),
            ("[]", nil, nil),
        ] as [(String, String?, Bool?)])
    func address(emails: String, email: String?, isVerified: Bool?) throws {
        let identity = try profile(.json(Self.user), .json(emails)).identity
        #expect(identity.email == email)
        #expect(identity.emailVerified == isVerified)
    }

    @Test("A token that may not read the addresses still signs in, with the public one unverified", arguments: [403, 404])
    func addressesForbidden(status: Int) throws {
        let user = #"{"login":"octo","id":1,"email":"public@example.com"}"#
        let identity = try profile(.json(user), .json(#"{"message":"Resource not accessible"}"#, status: status)).identity
        #expect(identity.email == "public@example.com" && identity.emailVerified == nil)
        #expect(try profile(.json(user)).identity.email == "public@example.com")
        let hidden = #"{"login":"octo","id":1,"email":"1+octo@users.noreply.github.com"}"#
        #expect(try profile(.json(hidden)).identity.email == nil)
    }

    @Test(
        "A user without a number is refused",
        arguments: [#"{"login":"octo"}"#, #"{"id":"583231"}"#, #"{"id":583231.0}"#, #"{"id":null}"#, #"{"id":0}"#, #"{"id":-1}"#, #"{"id":1e3}"#])
    func noNumber(user: String) {
        #expect(throws: ProfileError.member(JSONMemberError(path: "id", reason: .notAllowed("must be a positive integer")))) {
            try profile(.json(user))
        }
    }

    @Test("A refusal, a spent quota and an outage are told apart")
    func failures() {
        #expect(throws: ProfileError.refused(OAuthRefusal(status: 401, error: nil, errorDescription: "Bad credentials"))) {
            try profile(.json(#"{"message":"Bad credentials","documentation_url":"…"}"#, status: 401))
        }
        #expect(throws: ProfileError.transient(TransientFailure(status: 403, error: "rate limit"))) {
            try profile(.json(#"{"message":"API rate limit exceeded"}"#, status: 403, headers: [("X-RateLimit-Remaining", "0")]))
        }
        #expect(throws: ProfileError.transient(TransientFailure(status: 403, error: "rate limit", retryAfterSeconds: 60))) {
            try profile(.json(Self.user), .json("{}", status: 403, headers: [("Retry-After", "60")]))
        }
        #expect(throws: ProfileError.transient(TransientFailure(status: 502))) { try profile(.json(Self.user), ProviderResponse(status: 502)) }
        #expect(throws: ProfileError.refused(OAuthRefusal(status: 403, error: nil))) { try profile(ProviderResponse(status: 403)) }
        #expect(throws: ProfileError.noSource) { try profile() }
    }

    @Test("Addresses that are no list are an error, not silence")
    func malformedAddresses() {
        #expect(throws: ProfileError.self) { try profile(.json(Self.user), .json("{}")) }
        #expect(throws: ProfileError.self) { try profile(.json(Self.user), .json("<html>")) }
    }
}
