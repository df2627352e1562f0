import PosternCore
import StrictJSON
import Testing

/// The suite's rows on discovery.
@Suite struct DiscoveryConformanceTests {
    @Test("discovery-openid-config: the metadata are fetched and used")
    func configuration() throws {
        var fake = try FakeOpenIDProvider()
        fake.metadata["authorization_endpoint"] = "https://op.example/somewhere/else"
        var party = RelyingParty(fake)
        #expect(try party.resolve().authorization.text == "https://op.example/somewhere/else")
    }

    @Test("discovery-jwks-uri-keys: keys are read where the metadata say")
    func keys() throws {
        var fake = try FakeOpenIDProvider()
        fake.metadata["jwks_uri"] = "https://op.example/jwks/of-this-run"
        var party = RelyingParty(fake)
        _ = try party.signIn()
        #expect(party.fake.requested("https://op.example/jwks/of-this-run").count == 1)
    }

    @Test("discovery-issuer-mismatch, and FAPI 2's row of that name: metadata of another issuer are refused")
    func issuerMismatch() throws {
        var fake = try FakeOpenIDProvider()
        fake.metadata["issuer"] = "https://op.example/INVALID"
        var party = RelyingParty(fake)
        #expect(throws: MetadataError.issuerMismatch(expected: "https://op.example", found: "https://op.example/INVALID")) { try party.signIn() }
        #expect(party.fake.requests.count == 1)
    }
}
