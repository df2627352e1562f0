import PosternCrypto
import StrictJSON
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

    /// A sign-in, and whether `offline_access` is added to what it requests.
    struct Usual: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// `scopes_supported`; nil if the metadata have none.
        var listed: [String]? = ["openid", "offline_access"]
        var provider: Provider = .openID()
        var hasMetadata = true
        var intent: Intent?
        var isChosen = false
        var scopes = ["openid", "email"]
        var parameters: [String: String] = [:]
        var isAdded = false
        /// The `prompt` of the page.
        var prompt: String?
    }

    private static func changed(_ change: (inout Provider) -> Void) -> Provider {
        var provider = Provider.openID()
        change(&provider)
        return provider
    }

    @Test(
        "Where nobody chose any scopes, what the person keeps is requested with it as soon as the metadata list it",
        arguments: [
            Usual(testDescription: "listed", isAdded: true, prompt: "consent"),
            Usual(testDescription: "not listed", listed: ["openid", "email"]),
            Usual(testDescription: "no list", listed: nil),
            Usual(testDescription: "no metadata", hasMetadata: false),
            Usual(testDescription: "scopes of the configuration", provider: changed { $0.hasChosenScopes = true }),
            Usual(testDescription: "scopes of the program or the account", isChosen: true),
            Usual(
                testDescription: "chosen scopes with it", isChosen: true, scopes: ["openid", "offline_access"], isAdded: true, prompt: "consent"),
            Usual(testDescription: "an app's sign-in", intent: .signIn),
            Usual(testDescription: "an app's link", intent: .link),
            Usual(testDescription: "an app's reauthentication", intent: .reauthenticate),
            Usual(testDescription: "an app's credential", intent: .credential),
            Usual(testDescription: "a prompt of the program", parameters: ["prompt": "login"], isAdded: true, prompt: "login"),
            Usual(
                testDescription: "a prompt of the configuration", provider: changed { $0.parameters = ["prompt": "select_account"] }, isAdded: true,
                prompt: "select_account"),
            Usual(testDescription: "a page that may ask nothing", parameters: ["prompt": "none"], prompt: "none"),
            Usual(testDescription: "a configuration whose page may ask nothing", provider: changed { $0.parameters = ["prompt": "none"] }, prompt: "none"),
            Usual(
                testDescription: "Microsoft under another name",
                provider: changed { $0.endpoints.authorization = "https://login.microsoftonline.com/contoso/oauth2/v2.0/authorize" }, isAdded: true),
            Usual(testDescription: "a built-in provider", provider: changed { $0.dialect = Google() }),
            Usual(testDescription: "plain OAuth", provider: .oauth2()),
            Usual(testDescription: "a client registered with it", provider: changed { $0.registeredScopes = ["offline_access"] }, isAdded: true, prompt: "consent"),
            Usual(testDescription: "a client registered without it", provider: changed { $0.registeredScopes = ["openid", "email"] }),
        ])
    func usual(_ example: Usual) throws {
        var document: JSONObject = ["issuer": "https://op.example"]
        if let listed = example.listed { document["scopes_supported"] = .array(listed.map { .string($0) }) }
        let metadata = try ProviderMetadata(parsing: document.serialized, expectedIssuer: "https://op.example")
        let provider = try ResolvedProvider(example.provider, metadata: example.hasMetadata ? metadata : nil)
        let request = SignInRequest(
            providerID: "work", intent: example.intent, app: example.intent == nil ? "" : "mail", scopes: example.scopes,
            hasUsualScopes: !example.isChosen, parameters: example.parameters)
        let scopes = request.scopes(at: provider)
        #expect(scopes.contains("offline_access") == example.isAdded)
        #expect(scopes.filter { $0 != "offline_access" } == example.scopes.filter { $0 != "offline_access" })
        let page = try AuthorizationRequest(
            to: provider, redirectURI: "http://127.0.0.1:7678/__/auth/handler", state: Secret("state-1"),
            codeVerifier: CodeVerifier(stored: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))!, nonce: Secret("nonce-1"),
            scopes: scopes, parameters: example.parameters, cryptography: OpenSSLCryptography())
        #expect(page.parameters.first { $0.name == "prompt" }?.value == example.prompt)
        #expect(page.parameters.first { $0.name == "scope" }?.value == scopes.joined(separator: " "))
    }

    @Test("A plain OAuth server wants consent for it where it lists it, and only there", arguments: [true, false])
    func plainOAuth(isListed: Bool) throws {
        let document: JSONObject = ["issuer": "https://as.example", "scopes_supported": isListed ? ["read", "offline_access"] : ["read"]]
        let metadata = try ProviderMetadata(parsing: document.serialized, expectedIssuer: "https://as.example")
        var provider = Provider.oauth2()
        #expect(try OfflineAccess.needsConsent(["offline_access"], at: ResolvedProvider(provider, metadata: metadata)) == isListed)
        #expect(try !OfflineAccess.needsConsent(["read"], at: ResolvedProvider(provider, metadata: metadata)))
        #expect(try !ResolvedProvider(provider, metadata: metadata).offersOfflineAccess)
        provider.server = MCPServer(url: try EndpointURL("https://mcp.example/mcp"))
        #expect(try !ResolvedProvider(provider, metadata: metadata).offersOfflineAccess, "its own scopes say whether it is added")
    }

    @Test("A malformed list is ignored")
    func strangeList() throws {
        for list in ["\"offline_access\"", "[1]", "{}", "null"] {
            let body = #"{"issuer":"https://op.example","scopes_supported":\#(list)}"#
            #expect(try !ProviderMetadata(parsing: Array(body.utf8), expectedIssuer: "https://op.example").listsOfflineAccess, "\(list)")
        }
    }

    @Test("A client is registered with what it will request, and one that was registered before is not made to request more")
    func registered() throws {
        var provider = Provider.openID(clientID: nil)
        provider.endpoints.registration = "https://op.example/register"
        let document: JSONObject = ["issuer": "https://op.example", "scopes_supported": ["openid", "offline_access"]]
        let metadata = try ProviderMetadata(parsing: document.serialized, expectedIssuer: "https://op.example")
        func scope(_ provider: Provider) throws -> String? {
            let request = try ClientRegistrationRequest.request(for: provider, metadata: metadata, redirectURI: "http://127.0.0.1:7678/x")
            return try JSON(parsing: request.body).objectValue?["scope"]?.stringValue
        }
        #expect(try scope(provider) == "openid email offline_access")
        let answer = ProviderResponse.json(#"{"client_id":"c","token_endpoint_auth_method":"none"}"#)
        let client = try RegisteredClient(
            from: answer, of: provider, scopes: ["openid", "email", "offline_access"], redirectURI: "http://127.0.0.1:7678/x", asked: .none, now: now)
        #expect(client.scopes == ["openid", "email", "offline_access"])
        #expect(try ResolvedProvider(provider.speaking(as: client), metadata: metadata).offersOfflineAccess)
        provider.hasChosenScopes = true
        #expect(try scope(provider) == "openid email offline_access", "a sign-in may ask for it later")
        #expect(ClientScopes.requested(for: provider, metadata: metadata) == ["openid", "email"])
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
            NamedAccount(name: "club", providerID: "work", login: AccountLogin("ada", kind: .id)), NamedAccount(name: "new", providerID: "work"),
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
