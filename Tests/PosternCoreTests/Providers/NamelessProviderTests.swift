import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

@Suite("A provider that says nothing about who signs in")
struct NamelessProviderTests {
    private static let provider: Provider = {
        var provider = Provider.oauth2()
        provider.endpoints.userinfo = nil
        return provider
    }()

    private func context(account: String?, at provider: Provider = Self.provider, metadata: ProviderMetadata? = nil) throws -> ProfileContext {
        ProfileContext(
            provider: try ResolvedProvider(provider, metadata: metadata), grant: .sample(), idToken: nil, keys: nil,
            cryptography: OpenSSLCryptography(), now: now, account: account)
    }

    @Test("has accounts that are their names, and is asked nothing")
    func named() throws {
        let context = try context(account: "club")
        #expect(StandardDialect().nextProfileRequest(after: [], in: context) == nil)
        let profile = try StandardDialect().profile(from: [], in: context)
        #expect(profile.identity == Identity(providerID: "legacy", subject: "club"))
        #expect(!profile.namesPerson)
    }

    @Test("makes nobody known where a name is not enough")
    func unnamed() throws {
        let context = try context(account: nil)
        #expect(throws: ProfileError.noSource) { try StandardDialect().profile(from: [], in: context) }
    }

    @Test("is not asked at an endpoint that only its metadata name")
    func metadata() throws {
        let document = #"{"issuer":"https://as.example","userinfo_endpoint":"https://as.example/userinfo"}"#
        let metadata = try ProviderMetadata(parsing: Array(document.utf8), expectedIssuer: "https://as.example")
        #expect(try ResolvedProvider(Self.provider, metadata: metadata).userinfo == nil)
        let context = try context(account: "club", metadata: metadata)
        #expect(StandardDialect().nextProfileRequest(after: [], in: context) == nil)
    }

    @Test("is plain OAuth without an endpoint for the profile, and nothing else")
    func kinds() {
        #expect(!Self.provider.namesPeople && Provider.oauth2().namesPeople && Provider.openID().namesPeople)
        #expect(Catalogue.providers.filter { !$0.namesPeople }.isEmpty)
    }

    @Test("has a name for what programs of the person keep, and none for an app's user")
    func requests() {
        func name(_ intent: Intent?, account: String? = nil) -> String? {
            SignInRequest(providerID: "legacy", intent: intent, app: "", scopes: [], account: account).accountName
        }
        #expect(name(nil) == "legacy" && name(nil, account: "club") == "club" && name(.credential) == "legacy")
        #expect([Intent.signIn, .link, .reauthenticate].allSatisfy { name($0, account: "club") == nil })
    }

    @Test("gives a new grant that is kept without anything of the old one, which may be somebody else's", arguments: [false, true])
    func kept(namesPerson: Bool) throws {
        let binding = Self.provider.binding
        let held = StoredCredential(
            providerID: "legacy", subject: "club", displayName: "Ada", email: "ada@example.com", binding: binding,
            grant: Grant(
                accessToken: Secret("at-1"), tokenType: "bearer", refreshToken: Secret("rt-1"), scopes: ["read"], obtainedAt: now),
            generation: 1)
        let completed = CompletedSignIn(
            grant: Grant(accessToken: Secret("at-2"), tokenType: "bearer", scopes: ["read"], obtainedAt: now),
            profile: ProviderProfile(
                identity: Identity(providerID: "legacy", subject: "club"), document: namesPerson ? ["id": "club"] : [:]),
            proof: Proof(.page, seenAt: now, at: binding), rawNonce: nil, user: nil, isNewUser: false)
        let standing = try #require(
            StandingCredential(completed, boundTo: binding, for: "", at: Self.provider, among: AccountDirectory()))
        for origin in [nil, ProviderBinding(clientID: "other", authority: binding.authority)] {
            var elsewhere = completed
            elsewhere.proof.origin = origin
            #expect(StandingCredential(elsewhere, boundTo: binding, for: "", at: Self.provider, among: AccountDirectory()) == nil)
        }
        let write = CredentialWrite(of: standing, for: .person, beside: held, now: now)
        guard case .grant(let credential)? = write else {
            Issue.record("nothing is kept")
            return
        }
        #expect(credential.grant.accessToken == Secret("at-2"))
        #expect(credential.grant.refreshToken == (namesPerson ? Secret("rt-1") : nil))
        #expect(credential.email == (namesPerson ? "ada@example.com" : nil))
    }
}
