import PosternCrypto
import Testing

@testable import PosternCore

@Suite("offline_access, and the consent that it needs")
struct OfflineAccessTests {
    private static let scopes = ["openid", "offline_access"]

    /// The `prompt` of the page; nil if it has none.
    private func prompt(
        at provider: Provider = .openID(), scopes: [String] = OfflineAccessTests.scopes, parameters: [String: String] = [:],
        hasRefreshToken: Bool = false
    ) throws -> String? {
        var provider = provider
        provider.clientID = "client"
        provider.clientSecret = Secret("s")
        let url = try AuthorizationRequest(
            to: ResolvedProvider(provider), redirectURI: "http://127.0.0.1:7678/__/auth/handler", state: Secret("state-1"),
            codeVerifier: CodeVerifier(stored: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))!, nonce: Secret("nonce-1"),
            scopes: scopes, parameters: parameters, hasRefreshToken: hasRefreshToken, cryptography: OpenSSLCryptography()
        ).url
        let prompts = url.split(separator: "?")[1].split(separator: "&").filter { $0.hasPrefix("prompt=") }
        #expect(prompts.count <= 1, "\(url)")
        return prompts.first.map { String($0.dropFirst("prompt=".count)) }
    }

    @Test("It is requested with the user's consent, unless there is a refresh token already or it is not requested at all")
    func consent() throws {
        #expect(try prompt() == "consent")
        #expect(try prompt(hasRefreshToken: true) == nil)
        #expect(try prompt(scopes: ["openid", "email"]) == nil)
        #expect(try prompt(parameters: ["max_age": "0"]) == "consent")
    }

    @Test(
        "A prompt that somebody set is sent as it is",
        arguments: [("login", "login"), ("login consent", "login%20consent"), ("none", "none"), ("select_account", "select_account")])
    func given(value: String, sent: String) throws {
        #expect(try prompt(parameters: ["prompt": value]) == sent)
        #expect(try prompt(parameters: ["prompt": value], hasRefreshToken: true) == sent)
        var provider = Provider.openID()
        provider.parameters = ["prompt": value]
        #expect(try prompt(at: provider) == sent)
        provider = .openID()
        provider.endpoints.authorization = "https://op.example/authorize?prompt=\(sent)"
        #expect(try prompt(at: provider) == sent)
    }

    @Test("No built-in provider needs it, nor does Microsoft under another name, nor a server without OpenID")
    func otherProviders() throws {
        for provider in Catalogue.providers where provider.kind != .oauth1 {
            var provider = provider
            provider.problem = nil
            guard provider.endpoints.authorization != nil else { continue }
            #expect(try prompt(at: provider) == nil, "\(provider.id)")
        }
        #expect(try prompt(at: .oauth2()) == nil)
        for host in ["login.microsoftonline.com", "login.microsoftonline.us", "contoso.b2clogin.com"] {
            var provider = Provider.openID()
            provider.endpoints.authorization = "https://\(host)/contoso/oauth2/v2.0/authorize"
            #expect(try prompt(at: provider) == nil, "\(host)")
        }
        var provider = Provider.openID()
        provider.endpoints.authorization = "https://login.microsoftonline.com.evil.example/authorize"
        #expect(try prompt(at: provider) == "consent")
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var account: String?
        var loginHint: String?
        /// The subjects with a refresh token, then those without.
        var stored: (with: [String], without: [String])
        var hasOne: Bool
    }

    @Test(
        "Whose refresh token counts",
        arguments: [
            Case(testDescription: "nobody has signed in", stored: ([], []), hasOne: false),
            Case(testDescription: "one account, with one", stored: (["ada"], []), hasOne: true),
            Case(testDescription: "one account, without one", stored: ([], ["ada"]), hasOne: false),
            Case(testDescription: "two accounts, one of them without", stored: (["ada"], ["bob"]), hasOne: false),
            Case(testDescription: "the account of the hint", loginHint: "ada", stored: (["ada"], ["bob"]), hasOne: true),
            Case(testDescription: "the account of the hint, without one", loginHint: "bob", stored: (["ada"], ["bob"]), hasOne: false),
            Case(testDescription: "a hint at somebody new", loginHint: "eve", stored: (["ada"], []), hasOne: false),
            Case(testDescription: "a named account", account: "club", stored: (["ada"], ["bob"]), hasOne: true),
            Case(testDescription: "a named account that nobody has signed in to", account: "new", stored: (["ada"], []), hasOne: false),
        ])
    func whose(_ example: Case) {
        let directory = AccountDirectory([
            NamedAccount(name: "club", providerID: "work", login: "ada"), NamedAccount(name: "new", providerID: "work"),
        ])
        func credential(_ subject: String, _ refreshToken: String?) -> StoredCredential {
            StoredCredential(
                providerID: "work", subject: subject, displayName: nil, binding: Provider.openID().binding,
                grant: .sample(refreshToken: refreshToken), generation: 1)
        }
        let stored = example.stored.with.map { credential($0, "rt") } + example.stored.without.map { credential($0, nil) }
        let request = SignInRequest(
            providerID: "work", intent: .signIn, app: "default", scopes: Self.scopes, loginHint: example.loginHint, account: example.account)
        #expect(directory.hasRefreshToken(for: request, among: stored) { $0.grant.hasRefreshToken(at: now) } == example.hasOne)
    }

    @Test("A refresh token that has expired is none")
    func expired() {
        var grant = Grant.sample(refreshToken: "rt")
        #expect(grant.hasRefreshToken(at: now))
        grant.refreshTokenExpiresAt = now
        #expect(!grant.hasRefreshToken(at: now) && grant.hasRefreshToken(at: now.adding(seconds: -1)))
    }
}
