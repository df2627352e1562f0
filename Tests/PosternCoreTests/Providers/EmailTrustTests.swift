import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// A provider that is trusted with addresses, and calls one unverified somewhere.
@Suite("Whom an address identifies") struct EmailTrustTests {
    private func trusted(_ provider: Provider, _ trust: EmailTrust = .all) -> Provider {
        var provider = provider
        provider.emailTrust = trust
        return provider
    }

    @Test("A provider vouches for an address that it does not deny", arguments: [(nil, true), (true, true), (false, false)] as [(Bool?, Bool)])
    func denied(verified: Bool?, vouches: Bool) {
        let identity = Identity(providerID: "legacy", subject: "1", email: "ada@example.com", emailVerified: verified)
        #expect(trusted(.oauth2()).vouches(for: ProviderProfile(identity: identity, document: [:])) == vouches)
    }

    @Test("An ID token's no counts beside a userinfo answer without a word")
    func thinUserinfo() throws {
        var fake = try FakeOpenIDProvider()
        fake.claims = ["email": "ada@example.com", "email_verified": false]
        fake.userinfo = .json(#"{"sub":"248289761001","email":"ada@example.com"}"#)
        var party = RelyingParty(fake)
        let profile = try party.signIn().profile
        #expect(!trusted(party.provider).vouches(for: profile))
    }

    @Test("A false value under a mapped path counts")
    func nested() throws {
        let mapping = ProfileMapping(uid: "data.id", displayName: "n", email: "data.mail", photo: "p", username: "u")
        for document in [
            #"{"data":{"id":"1","mail":"ada@example.com","email_verified":false}}"#,
            #"{"email_verified":false,"data":{"id":"1","mail":"ada@example.com"}}"#,
        ] {
            let provider = trusted(.oauth2(mapping: mapping))
            let context = ProfileContext(
                provider: try ResolvedProvider(provider), grant: .sample(), idToken: nil, keys: nil, cryptography: OpenSSLCryptography(),
                now: now)
            #expect(!provider.vouches(for: try StandardDialect().profile(from: [.json(document)], in: context)))
        }
    }

    @Test("GitHub's no about one of the addresses counts, however the address came")
    func gitHub() throws {
        let provider = trusted(.gitHub())
        func profile(_ user: String, _ emails: String) throws -> ProviderProfile {
            let context = ProfileContext(
                provider: try ResolvedProvider(provider), grant: .sample(), idToken: nil, keys: nil, cryptography: OpenSSLCryptography(),
                now: now)
            return try GitHub().profile(from: [.json(user), .json(emails)], in: context)
        }
        let denied = #"[{"email":"Ada@example.com","primary":true,"verified":false}]"#
        #expect(try !provider.vouches(for: profile(#"{"id":1}"#, denied)))
        let notPrimary = #"[{"email":"ada@example.com","primary":false,"verified":false}]"#
        #expect(try !provider.vouches(for: profile(#"{"id":1,"email":"ada@example.com"}"#, notPrimary)))
        #expect(try provider.vouches(for: profile(#"{"id":1}"#, #"[{"email":"ada@example.com","primary":true,"verified":true}]"#)))
    }

    @Test("KELVIN SIGN is no k, in an address or in a list of domains")
    func kelvin() {
        #expect(EmailAddress.lowercased("ADA@\u{212A}.Example") == "ada@\u{212A}.example")
        #expect(EmailAddress.normalized("\u{212A}@Example.com") == "\u{212A}@example.com")
        let identity = Identity(providerID: "legacy", subject: "1", email: "ada@\u{212A}.example")
        let profile = ProviderProfile(identity: identity, document: [:])
        #expect(!trusted(.oauth2(), .domains(["k.example"])).vouches(for: profile))
    }
}
