import StrictJSON
import Testing

@testable import PosternCore

@Suite struct EmailTrustTests {
    @Test(
        "A provider is the authority where the configuration says so, and for the domain itself only",
        arguments: [
            (.nobody, "ada@example.com", false), (.all, "ada@example.com", true), (.all, nil, false),
            (.domains(["example.com"]), "ada@Example.com", true), (.domains(["example.com"]), "ada@sub.example.com", false),
            (.domains(["example.com"]), "ada@badexample.com", false), (.domains(["example.com"]), nil, false),
        ] as [(EmailTrust, String?, Bool)])
    func authority(trust: EmailTrust, email: String?, isAuthority: Bool) {
        var provider = Provider.openID()
        provider.emailTrust = trust
        let identity = Identity(providerID: "work", subject: "1", email: email)
        #expect(provider.isAuthority(for: ProviderProfile(identity: identity, document: [:])) == isAuthority)
    }
}
