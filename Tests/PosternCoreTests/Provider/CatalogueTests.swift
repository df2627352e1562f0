import PosternCore
import Testing

@Suite struct CatalogueTests {
    @Test("Built-in providers have names of their own")
    func unique() {
        #expect(Set(Catalogue.providers.map(\.id)).count == Catalogue.providers.count)
        #expect(Catalogue.provider("github.com")?.displayName == "GitHub")
        #expect(Catalogue.provider("GitHub.com") == nil)
        #expect(Catalogue.provider("") == nil)
    }

    @Test("A built-in provider lacks its client ID and nothing else", arguments: Catalogue.providers.map(\.id))
    func complete(id: String) throws {
        var provider = try #require(Catalogue.provider(id))
        #expect(provider.clientID == nil && provider.clientSecret == nil)
        #expect(throws: ProviderProblem.clientIDMissing) { try ResolvedProvider(provider) }
        provider.clientID = "id"
        provider.clientSecret = Secret("secret")
        _ = try ResolvedProvider(provider)
        #expect(try provider.scopesToRequest(nil) == provider.scopes)
    }
}
