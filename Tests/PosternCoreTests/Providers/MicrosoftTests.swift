import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// Entra's ways. What goes over the wire is in `Tests/PosternApplicationTests/Tables/Exchanges/microsoft.com.txt`.
@Suite struct MicrosoftTests {
    private static let company = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private func microsoft(tenant: String? = nil) throws -> Provider {
        let settings = ProviderSettings(texts: tenant.map { ["tenant": $0] } ?? [:])
        var provider = try Microsoft.provider.dialect.configured(Microsoft.provider, with: settings)
        provider.clientID = "client"
        return provider
    }

    private func issuer(_ tenant: String) -> String { "https://login.microsoftonline.com/\(tenant)/v2.0" }

    private func verdict(_ tenant: String, of configured: String? = nil, claims: JSONObject = [:], keys: KeySet? = nil) throws -> String {
        var changes: JSONObject = ["iss": .string(issuer(tenant)), "tid": .string(tenant)]
        changes.apply(claims)
        return try judge(TokenForge(changes: changes).token(), keys: keys, provider: microsoft(tenant: configured))
    }

    // MARK: Tenants

    @Test(
        "The tenant is a segment of every address",
        arguments: [
            (nil, "common"), ("organizations", "organizations"), ("Consumers", "consumers"), ("contoso.onmicrosoft.com", "contoso.onmicrosoft.com"),
            ("AAAABBBB-0000-CCCC-1111-DDDD2222EEEE", company),
        ] as [(String?, String)])
    func endpoints(tenant: String?, segment: String) throws {
        let endpoints = try microsoft(tenant: tenant).endpoints
        let base = "https://login.microsoftonline.com/\(segment)"
        #expect(endpoints.authorization == "\(base)/oauth2/v2.0/authorize")
        #expect(endpoints.token == "\(base)/oauth2/v2.0/token")
        #expect(endpoints.deviceAuthorization == "\(base)/oauth2/v2.0/devicecode")
        #expect(endpoints.jwks == "\(base)/discovery/v2.0/keys")
        #expect(endpoints.revocation == nil)
        // Discovery of an issuer with a placeholder in it could only fail.
        #expect(endpoints.endSession == "\(base)/oauth2/v2.0/logout")
    }

    @Test(
        "A token from elsewhere is believed where the tenant's ID is known, or any tenant will do",
        arguments: [
            (nil, true), ("organizations", true), ("consumers", true), (company, true), ("contoso.onmicrosoft.com", false),
        ] as [(String?, Bool)])
    func presented(tenant: String?, isBelieved: Bool) throws {
        let provider = try microsoft(tenant: tenant)
        #expect((provider.dialect.problemOfPresentedTokens(of: provider) == nil) == isBelieved)
        var named = provider
        named.issuer = issuer(Self.company)
        #expect(named.dialect.problemOfPresentedTokens(of: named) == nil)
    }

    @Test(
        "What is no tenant is refused",
        arguments: ["", "contoso", "a/b.example", "contoso.com/..", "contoso.com?x", "contoso.com:443", "u@contoso.com", "con toso.com", "9188040d-6c67-4c5b-b112"])
    func noTenant(text: String) throws {
        let error = #expect(throws: ProviderSettingError.self) { try microsoft(tenant: text) }
        #expect(error?.key == "tenant")
    }

    @Test(
        "The issuer is the token's tenant's, and the tenant is one that was asked for",
        arguments: [
            (nil, company, true), (nil, personal, true), ("organizations", company, true), ("organizations", personal, false),
            ("consumers", personal, true), ("consumers", company, false), (company, company, true), (company, personal, false),
            ("contoso.onmicrosoft.com", company, true),
        ] as [(String?, String, Bool)])
    func issuers(configured: String?, tenant: String, isTaken: Bool) throws {
        #expect(try (verdict(tenant, of: configured) == "verified") == isTaken)
    }

    @Test(
        "An issuer that does not match its tenant is refused",
        arguments: [
            ["tid": .string(personal)], ["tid": nil], ["tid": "../x", "iss": "https://login.microsoftonline.com/../x/v2.0"],
            ["iss": "https://login.microsoftonline.com/{tenantid}/v2.0", "tid": "{tenantid}"], ["iss": .string("https://sts.windows.net/\(company)/")],
        ] as [JSONObject])
    func wrongIssuer(claims: JSONObject) throws {
        #expect(try verdict(Self.company, claims: claims).hasPrefix("rejected: the ID token is from"))
    }

    @Test("A configured issuer is the only one, as in a national cloud")
    func exactIssuer() throws {
        var provider = try microsoft()
        provider.issuer = "https://login.microsoftonline.us/\(Self.company)/v2.0"
        #expect(provider.dialect.issuerRule(of: provider) == .exact(provider.issuer))
        #expect(try ResolvedProvider(provider).responseIssuer.expected == provider.issuer)
        #expect(try ResolvedProvider(microsoft()).responseIssuer.expected == nil)
    }

    @Test(
        "A key signs for the issuer that it is listed for",
        arguments: [
            ("{tenantid}", true), (company, true), (personal, false), (nil, true),
        ] as [(String?, Bool)])
    func keyIssuers(keyTenant: String?, isTaken: Bool) throws {
        let further: JSONObject = keyTenant.map { ["issuer": .string(issuer($0))] } ?? [:]
        let verdict = try verdict(Self.company, keys: TestKeys.keySet(TestKeys.jwk("es", kid: "es", further: further)))
        #expect((verdict == "verified") == isTaken)
        #expect(isTaken || verdict.hasSuffix("the key that signed it is not for that issuer"))
    }

    @Test("A key that is listed for two issuers signs for both")
    func keyOfTwoIssuers() throws {
        let keys = try TestKeys.keySet(
            TestKeys.jwk("es", kid: "es", further: ["issuer": .string(issuer(Self.personal))]),
            TestKeys.jwk("es", kid: "es", further: ["issuer": .string(issuer(Self.company))]))
        #expect(try verdict(Self.company, keys: keys) == "verified")
        #expect(try verdict(Self.personal, keys: keys) == "verified")
    }

    @Test("Elsewhere a key's issuer means nothing")
    func keyIssuerElsewhere() throws {
        let keys = try TestKeys.keySet(TestKeys.jwk("es", kid: "es", further: ["issuer": "https://other.example"]))
        #expect(try judge(TokenForge().token(), keys: keys) == "verified")
    }

    // MARK: Requests

    @Test("It comes back to localhost, and the tenant is nobody's parameter")
    func request() throws {
        let provider = try microsoft()
        #expect(provider.redirectHost == .localhost)
        #expect(throws: AuthorizationRequestError.reservedParameter(name: "tenant")) {
            try AuthorizationRequest(
                to: ResolvedProvider(provider), redirectURI: "http://localhost:7678/__/auth/handler", state: Secret("s"),
                codeVerifier: #require(CodeVerifier(randomBytes: Array(repeating: 7, count: 32))), nonce: Secret("n"), scopes: ["openid"],
                parameters: ["tenant": "common"], cryptography: OpenSSLCryptography())
        }
    }

    @Test("A public client shows no secret, another one shows it in the form")
    func authentication() throws {
        var provider = try microsoft()
        #expect(try ResolvedProvider(provider).clientAuthentication == .none)
        provider.clientSecret = Secret("shh")
        #expect(try ResolvedProvider(provider).clientAuthentication == .clientSecretPost)
    }

    @Test("Scopes of Graph have two names in any letter case, and those of OpenID are not always told")
    func scopes() {
        let dialect = Microsoft.provider.dialect
        #expect(dialect.missingScopes(asked: ["User.Read"], granted: ["https://graph.microsoft.com/user.read"]) == [])
        #expect(dialect.missingScopes(asked: ["https://graph.microsoft.com/User.Read"], granted: ["User.Read"]) == [])
        #expect(dialect.missingScopes(asked: ["openid", "offline_access", "email"], granted: ["User.Read"]) == [])
        #expect(dialect.missingScopes(asked: ["Mail.Read"], granted: ["User.Read"]) == ["Mail.Read"])
        #expect(dialect.missingScopes(asked: ["https://vault.azure.net/user.read"], granted: ["User.Read"]) == ["https://vault.azure.net/user.read"])
    }

    // MARK: Errors

    private func refusal(_ body: String) throws -> OAuthRefusal? {
        do throws(TokenEndpointError) {
            _ = try TokenAnswer(.json(body, status: 400), dialect: Microsoft.provider.dialect, now: now)
            return nil
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            return refusal
        }
    }

    @Test("An error's first sentence is told, and what to do about it")
    func error() throws {
        let refusal = try refusal(
            #"{"error":"invalid_grant","error_description":"AADSTS70008: It has expired.\r\nTrace ID: t\r\nCorrelation ID: c","error_codes":[70008],"trace_id":"t"}"#)
        #expect(refusal?.error == "invalid_grant")
        #expect(refusal?.errorDescription == "AADSTS70008: It has expired.")
        #expect(refusal?.description == "invalid_grant: AADSTS70008: It has expired. (the code or the refresh token is too old; sign in again)")
    }

    @Test(
        "Errors of other shapes are still errors",
        arguments: [
            #"{"error":"invalid_scope","error_description":"x"}"#, #"{"error":"invalid_scope","error_description":"x","error_codes":"70011"}"#,
            #"{"error":"invalid_scope","error_description":"x","error_codes":[]}"#, #"{"error":"invalid_scope","error_description":"x","error_codes":[null,1.5,99999999999]}"#,
        ])
    func otherErrors(body: String) throws {
        #expect(try refusal(body) == OAuthRefusal(status: 400, error: "invalid_scope", errorDescription: "x"))
    }

    @Test("What passes is no refusal")
    func transient() {
        #expect(throws: TokenEndpointError.transient(TransientFailure(status: 400, error: "temporarily_unavailable", errorDescription: "AADSTS90033"))) {
            try refusal(#"{"error":"temporarily_unavailable","error_description":"AADSTS90033","error_codes":[90033]}"#)
        }
    }

    @Test(
        "What the support wants to know is not for the person",
        arguments: [
            ("AADSTS1: No. Trace ID: a Correlation ID: b", "AADSTS1: No."), ("AADSTS1: No.\nTrace ID: a", "AADSTS1: No."), ("No.", "No."), ("", ""),
        ])
    func sentence(description: String, sentence: String) { #expect(MicrosoftError.sentence(description) == sentence) }

    // MARK: Profile

    private func context(_ claims: JSONObject, scopes: [String]) throws -> ProfileContext {
        let provider = try ResolvedProvider(microsoft())
        var changes: JSONObject = ["iss": .string(issuer(Self.company)), "tid": .string(Self.company)]
        changes.apply(claims)
        let token = try UnverifiedIDToken(parsing: TokenForge(changes: changes).token())
        let verdict = IDTokenVerifier(cryptography: OpenSSLCryptography()).verdict(
            on: token, keys: try TestKeys.providerKeys(),
            expecting: .signIn(at: provider, nonce: TokenForge.rightNonce, accessToken: Secret("at-1")), now: now)
        guard case .verified(let idToken) = verdict else { throw IDTokenRejection.invalidSignature }
        return ProfileContext(
            provider: provider, grant: .sample(scopes: scopes), idToken: idToken, keys: nil, cryptography: OpenSSLCryptography(), now: now)
    }

    @Test(
        "Graph is asked where the token is good for it and it can be told whose answer it is",
        arguments: [(["User.Read"], "o", true), (["User.Read"], nil, false), (["openid"], "o", false)] as [([String], String?, Bool)])
    func graph(scopes: [String], objectID: String?, isAsked: Bool) throws {
        let context = try context(["oid": objectID.map { .string($0) } ?? .null], scopes: scopes)
        #expect((Microsoft.provider.dialect.nextProfileRequest(after: [], in: context) != nil) == isAsked)
    }

    @Test(
        "An address is verified where the tenant owns its domain, and else is not",
        arguments: [(true, true), (1, true), ("1", true), (false, false), (0, false), ("0", false), (nil, nil)] as [(JSON, Bool?)])
    func address(isOwner: JSON, isVerified: Bool?) throws {
        let context = try context(["email": "ada@contoso.com", "email_verified": true, "xms_edov": isOwner], scopes: ["openid"])
        let profile = try Microsoft.provider.dialect.profile(from: [], in: context)
        #expect(profile.identity.emailVerified == isVerified)
        #expect(!context.provider.provider.isAuthority(for: profile))
    }
}
