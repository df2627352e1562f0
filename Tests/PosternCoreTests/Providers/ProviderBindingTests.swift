import Testing

@testable import PosternCore

@Suite("What was begun with a provider")
struct ProviderBindingTests {
    @Test("belongs to one client of one issuer, and to the token endpoint's origin where the configuration names one")
    func parts() {
        let provider = Provider.openID()
        func binding(_ change: (inout Provider) -> Void) -> ProviderBinding {
            var changed = provider
            change(&changed)
            return changed.binding
        }
        #expect(binding { $0.clientID = "another" } != provider.binding)
        #expect(binding { $0.issuer = "https://other.example" } != provider.binding)
        for origin in ["https://op.example:444", "https://other.example"] {
            #expect(binding { $0.endpoints.token = "\(origin)/token" } != provider.binding)
        }
        // Within its own host a provider may move its endpoints.
        #expect(binding { $0.endpoints.token = "https://op.example/oauth2/token" } == provider.binding)
        #expect(binding { $0.endpoints.userinfo = "https://other.example/userinfo" } == provider.binding)
        var plain = Provider.oauth2()
        plain.endpoints.token = "https://other.example/token"
        #expect(plain.binding != Provider.oauth2().binding)
    }
}
