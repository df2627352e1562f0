import Testing

@testable import PosternCore

@Suite("What a server demands of a request that it refused")
struct StepUpTests {
    /// The account has `read`, and was once asked for `write` as well.
    private static func credential() -> StoredCredential {
        var grant = Grant.sample(scopes: ["read"])
        grant.requestedScopes = ["read", "write"]
        return StoredCredential(
            providerID: "legacy", subject: "42", displayName: nil, binding: Provider.oauth2().binding, grant: grant, generation: 1)
    }

    private static func verdict(
        _ fields: [String], of credential: StoredCredential? = credential(), isServer: Bool = true, listed: [String] = [],
        resourceScopes: [String] = []
    ) throws -> ChallengeVerdict {
        var provider = Provider.oauth2()
        provider.scopes = ["profile"]
        provider.stepUpScopes = listed
        provider.resourceScopes = resourceScopes
        if isServer { provider.server = MCPServer(url: try EndpointURL("https://mcp.example/mcp")) }
        return ChallengeVerdict(
            on: AuthenticationChallenge.all(in: fields), to: credential, of: provider)
    }

    private static func more(_ missing: String..., classes: [String] = [], age: Int64? = nil) -> ChallengeVerdict {
        .stepUp(
            StepUp(
                subject: "42", missing: missing, granted: ["read"], requested: ["read", "write"], authenticationClasses: classes,
                longestSinceAuthentication: age))
    }

    private static func scope(_ value: String) -> String { "Bearer error=\"insufficient_scope\", scope=\"\(value)\"" }
    private static func words(_ letter: String) -> String { (0..<32).map { "\(letter)\($0)" }.joined(separator: " ") }
    private static func stronger(_ rest: String) -> String { "Bearer error=\"insufficient_user_authentication\"\(rest)" }

    @Test(
        "is a table",
        arguments: [
            // A token that may be replaced.
            ([], .renewal), (["Bearer"], .renewal), (["Bearer realm=\"x\""], .renewal), (["Bearer error=\"invalid_token\""], .renewal),
            (["DPoP error=\"invalid_token\", algs=\"ES256\""], .renewal), (["Basic realm=\"x\""], .renewal),
            (["Bearer error=\"invalid_token\", error=\"x\""], .renewal),
            (["Bearer resource_metadata=\"https://mcp.example/x\", scope=\"admin\""], .renewal),
            (["Basic realm=\"x\", DPoP algs=\"ES256\", Bearer error=\"invalid_token\""], .renewal),
            // What no token helps against.
            (["Bearer error=\"invalid_request\""], .nothing), (["DPoP error=\"invalid_dpop_proof\""], .nothing),
            (["Bearer error=\"something_else\""], .nothing),
            // Proofs.
            (["DPoP error=\"use_dpop_nonce\""], .proof(nonce: nil)), (["DPoP error=\"use_dpop_nonce\", nonce=\"n-1\""], .proof(nonce: "n-1")),
            (["DPoP error=\"use_dpop_nonce\", nonce=\"a b\""], .proof(nonce: nil)),
            (["Bearer error=\"invalid_token\"", "DPoP error=\"use_dpop_nonce\""], .proof(nonce: nil)),
            // More scopes.
            ([scope("admin")], more("admin")), ([scope("admin read")], more("admin")), ([scope("admin admin  x")], more("admin", "x")),
            ([scope("write")], more("write")), (["bearer ERROR=insufficient_scope, Scope=admin"], more("admin")),
            ([scope("admin"), "DPoP error=\"insufficient_scope\", scope=\"x\""], more("admin", "x")),
            (["Bearer error=\"invalid_token\"", scope("admin")], more("admin")),
            ([scope("admin offline_access")], more("admin")),
            ([scope("read")], .refusal(.alreadyGranted(["read"]))),
            ([scope("offline_access")], .refusal(.noScopes)), ([scope("")], .refusal(.noScopes)),
            (["Bearer error=\"insufficient_scope\""], .refusal(.noScopes)), (["Basic error=\"insufficient_scope\""], .renewal),
            // A stronger sign-in.
            ([stronger(", acr_values=\"phr mfa\", max_age=\"300\"")], more(classes: ["phr", "mfa"], age: 300)),
            ([stronger(", acr_values=\"phr\"")], more(classes: ["phr"])), ([stronger(", max_age=\"0\"")], more(age: 0)),
            ([stronger(", max_age=60")], more(age: 60)), ([stronger("")], more(age: 0)),
            ([stronger(", max_age=300"), stronger(", max_age=60")], more(age: 60)),
            ([stronger(", acr_values=\"phr\", scope=\"admin\"")], more("admin", classes: ["phr"])),
            ([stronger(", acr_values=\"phr\", scope=\"read\"")], more(classes: ["phr"])),
            // What nobody could show to a person, or check.
            ([scope("a\u{e9}")], .refusal(.unreadable(parameter: "scope"))),
            ([scope("a\tb")], .refusal(.unreadable(parameter: "scope"))),
            ([scope("a\\\"b")], .refusal(.unreadable(parameter: "scope"))),
            ([scope(String(repeating: "x", count: 128))], more(String(repeating: "x", count: 128))),
            ([scope(String(repeating: "x", count: 129))], .refusal(.unreadable(parameter: "scope"))),
            ([scope((0..<33).map { "s\($0)" }.joined(separator: " "))], .refusal(.unreadable(parameter: "scope"))),
            ([scope(words("a")), scope(words("b"))], .refusal(.unreadable(parameter: "scope"))),
            ([stronger(", acr_values=\"a\tb\"")], .refusal(.unreadable(parameter: "acr_values"))),
            ([stronger(", max_age=\"-1\"")], .refusal(.unreadable(parameter: "max_age"))),
            ([stronger(", max_age=\"1e3\"")], .refusal(.unreadable(parameter: "max_age"))),
            ([stronger(", max_age=\"9999999999\"")], .refusal(.unreadable(parameter: "max_age"))),
        ] as [([String], ChallengeVerdict)])
    func table(fields: [String], expected: ChallengeVerdict) throws { #expect(try Self.verdict(fields) == expected) }

    @Test("A server that wants more and does not say what is given what its resource lists, but never a longer access")
    func resourceScopes() throws {
        let unnamed = ["Bearer error=\"insufficient_scope\""]
        #expect(try Self.verdict(unnamed, resourceScopes: ["read", "admin", "offline_access"]) == Self.more("admin"))
        #expect(try Self.verdict(unnamed, resourceScopes: ["read"]) == .refusal(.alreadyGranted(["read"])))
        #expect(try Self.verdict(unnamed, resourceScopes: ["offline_access"]) == .refusal(.noScopes))
        // One that says nothing says so.
        #expect(try Self.verdict([Self.scope("")], resourceScopes: ["admin"]) == .refusal(.noScopes))
    }

    @Test("Servers of a provider that is configured get no scope but those that are listed; a stronger sign-in they get")
    func listed() throws {
        #expect(try Self.verdict([Self.scope("admin x")], isServer: false, listed: ["x"]) == .refusal(.notListed(["admin"])))
        #expect(try Self.verdict([Self.scope("admin")], isServer: false, listed: ["admin"]) == Self.more("admin"))
        #expect(try Self.verdict([Self.scope("profile")], isServer: false) == Self.more("profile"), "it is requested anyway")
        #expect(try Self.verdict([Self.scope("read")], isServer: false) == .refusal(.alreadyGranted(["read"])))
        #expect(try Self.verdict([Self.stronger(", acr_values=phr")], isServer: false) == Self.more(classes: ["phr"]))
    }

    @Test("What is requested is the union, and what an account was once asked for stays in it")
    func union() throws {
        guard case .stepUp(let stepUp) = try Self.verdict([Self.scope("admin")]) else {
            Issue.record("no step-up")
            return
        }
        #expect(stepUp.scopes == ["read", "write", "admin"] && stepUp.parameters.isEmpty)
        var request = SignInRequest(providerID: "legacy", intent: nil, app: "", scopes: ["profile"], parameters: ["x": "y"])
        let usual = request
        request.take(stepUp)
        #expect(request.scopes == ["profile", "read", "write", "admin"] && request != usual && request.shownScopes == request.scopes)
        #expect(usual.shownScopes == nil)
        var less = usual
        less.scopes = request.scopes
        #expect(less != request, "a sign-in of which less is demanded is not joined")
        let narrowed = request.narrowed(at: .oauth2())
        #expect(narrowed?.scopes == ["read", "admin"] && narrowed?.narrowed(at: .oauth2()) == nil)
        #expect(usual.narrowed(at: .oauth2()) == nil)
    }

    @Test("The ways to sign in that one server demanded are demanded again for another")
    func keptClasses() throws {
        var credential = Self.credential()
        credential.grant.authenticationClasses = ["mfa"]
        credential.grant.provedClass = "mfa"
        #expect(try Self.verdict([Self.scope("admin")], of: credential) == Self.more("admin", classes: ["mfa"]))
        let renewed = credential.refreshed(with: Grant.sample(scopes: ["read"])).grant
        #expect(renewed.authenticationClasses == ["mfa"] && renewed.provedClass == "mfa" && renewed.requestedScopes == ["read", "write"])
    }

    @Test("Parameters are those of OpenID")
    func parameters() {
        let stepUp = StepUp(subject: nil, missing: [], authenticationClasses: ["phr", "mfa"], longestSinceAuthentication: 0)
        #expect(stepUp.parameters == ["acr_values": "phr mfa", "max_age": "0"])
    }

    @Test("A grant lacks what was demanded, and what the account would lose")
    func lacking() {
        let stepUp = StepUp(subject: "42", missing: ["admin"], granted: ["read"])
        let held = Grant.sample(scopes: ["read", "offline_access", "later"])
        func lacking(_ scopes: String..., beside held: Grant?) -> [String] {
            stepUp.lacking(in: .sample(scopes: scopes), beside: held, dialect: StandardDialect())
        }
        #expect(lacking("read", "admin", "later", beside: held) == [])
        #expect(lacking("read", "later", beside: held) == ["admin"])
        #expect(lacking("read", "admin", beside: held) == ["later"])
        #expect(lacking("admin", beside: nil) == [])
    }

    // MARK: What became of it

    private static let admin = StepUp(subject: "42", missing: ["admin"])

    @Test("What was refused is not tried again within ten minutes; something else is")
    func refused() {
        var memory = StepUpMemory()
        memory.refused(Self.admin, providerID: "work", now: now)
        #expect(memory.wait(for: Self.admin, providerID: "work", now: now) == 600)
        #expect(memory.wait(for: Self.admin, providerID: "work", now: now.adding(seconds: 599)) == 1)
        #expect(memory.wait(for: Self.admin, providerID: "work", now: now.adding(seconds: 600)) == nil)
        #expect(memory.wait(for: Self.admin, providerID: "work", now: now.adding(seconds: -1)) == nil, "the clock was set back")
        #expect(memory.wait(for: Self.admin, providerID: "home", now: now) == nil)
        var other = Self.admin
        other.subject = "43"
        #expect(memory.wait(for: other, providerID: "work", now: now) == nil)
        other = Self.admin
        other.authenticationClasses = ["phr"]
        #expect(memory.wait(for: other, providerID: "work", now: now) == nil)
    }

    @Test("What was granted is asked for once more, and then not for ten minutes")
    func granted() {
        var memory = StepUpMemory()
        memory.granted(Self.admin, providerID: "work", now: now)
        #expect(memory.wait(for: Self.admin, providerID: "work", now: now) == nil)
        memory.granted(Self.admin, providerID: "work", now: now.adding(seconds: 60))
        #expect(memory.wait(for: Self.admin, providerID: "work", now: now.adding(seconds: 60)) == 600)
        memory.granted(Self.admin, providerID: "work", now: now.adding(seconds: 700))
        #expect(memory.wait(for: Self.admin, providerID: "work", now: now.adding(seconds: 700)) == nil, "the earlier ones are forgotten")
    }

    @Test("A way to sign in that a server demanded is not given up for another server's")
    func classes() throws {
        var strong = Self.credential()
        strong.grant.authenticationClasses = ["phr", "mfa"]
        func classes(_ wanted: String) throws -> [String]? {
            guard case .stepUp(let stepUp) = try Self.verdict([Self.stronger(", acr_values=\"\(wanted)\"")], of: strong) else { return nil }
            return stepUp.authenticationClasses
        }
        #expect(try classes("mfa pwd") == ["mfa"] && classes("phr") == ["phr"])
        let wanted = [Self.stronger(", acr_values=\"pwd\"")]
        let refusal = ChallengeVerdict.refusal(.otherClass(["pwd"], kept: ["phr", "mfa"]))
        #expect(try Self.verdict(wanted, of: strong, isServer: false) == refusal)
        // Nobody but the server itself demanded one, and nothing says that its token has it.
        #expect(try Self.verdict(wanted, of: strong) == Self.more(classes: ["pwd"]))
        strong.grant.provedClass = "mfa"
        #expect(try Self.verdict(wanted, of: strong) == refusal)
    }

    @Test("Of many demands the oldest is forgotten")
    func bounded() {
        var memory = StepUpMemory()
        func demand(_ number: Int64) -> StepUp { StepUp(subject: "\(number)", missing: ["s"]) }
        for number in Int64(0)...64 { memory.refused(demand(number), providerID: "work", now: now.adding(seconds: number)) }
        let later = now.adding(seconds: 65)
        #expect(memory.wait(for: demand(0), providerID: "work", now: later) == nil)
        #expect((Int64(1)...64).allSatisfy { memory.wait(for: demand($0), providerID: "work", now: later) != nil })
    }
}
