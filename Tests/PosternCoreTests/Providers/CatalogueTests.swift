@testable import PosternCore
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

    @Test("A built-in provider says where to register an app, and asks for all keys that it requires", arguments: Catalogue.providers.map(\.id))
    func registration(id: String) throws {
        let provider = try #require(Catalogue.provider(id))
        let registration = try #require(Catalogue.registration(at: id, in: RegistrationContext(kind: provider.kind, directory: "~/c")))
        #expect(registration.page.url.hasPrefix("https://"))
        guard let fields = registration.fields else { return }
        let asked = Set(fields.map(\.key))
        // The set-up asks for a secret that a flow without one makes optional.
        #expect(asked.isSuperset(of: ["client-id"] + provider.dialect.requiredKeys(of: provider, given: [])))
        let own = ["client-id", "client-secret", "redirect-uri"] + provider.dialect.settings.map(\.key)
        #expect(asked.isSubset(of: own))
    }

    @Test("What tokens are for ends with signing in, where people choose; git and mail have the scopes that they need")
    func purposes() throws {
        for provider in Catalogue.providers {
            let context = RegistrationContext(kind: provider.kind, directory: "~/c")
            let purposes = try #require(Catalogue.registration(at: provider.id, in: context)).purposes
            #expect(purposes.allSatisfy { Set($0.scopes).isSuperset(of: provider.scopes) && Set($0.scopes).count == $0.scopes.count })
            #expect(purposes.isEmpty || purposes.contains { $0.scopes == provider.scopes }, "\(provider.id)")
        }
        func first(_ id: String) -> ProviderRegistration.Purpose? {
            Catalogue.registration(at: id, in: RegistrationContext(kind: .oidc, directory: "~/c"))?.purposes.first
        }
        #expect(first("github.com")?.isForGit == true && first("github.com")?.scopes.last == "repo")
        #expect(first("gitlab.com")?.isForGit == true && first("gitlab.com")?.scopes.suffix(2) == ["api", "write_repository"])
        #expect(first("google.com")?.isForGit == false && first("google.com")?.scopes.last == "https://mail.google.com/")
        #expect(first("microsoft.com")?.scopes.last == "https://outlook.office.com/SMTP.Send")
    }

    @Test("A self-hosted server has its own page, with the callback URL filled in where the address permits")
    func registrationPage() throws {
        let context = RegistrationContext(
            kind: .oauth2, directory: "", host: "git.example.com", redirectURI: "http://127.0.0.1:7678/a b", redirectOrigin: nil)
        let page = try #require(Catalogue.registration(at: "github.com", in: context)?.page)
        #expect(page.isFilledIn)
        #expect(
            page.url == "https://git.example.com/settings/applications/new?oauth_application%5Bname%5D=Postern"
                + "&oauth_application%5Bcallback_url%5D=http%3A%2F%2F127.0.0.1%3A7678%2Fa%20b")
        #expect(Catalogue.registration(at: "gitlab.com", in: context)?.page.url == "https://git.example.com/-/user_settings/applications")
        #expect(Catalogue.registration(at: "work", in: context) == nil)
    }
}
