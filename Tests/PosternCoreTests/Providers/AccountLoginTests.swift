@testable import PosternCore
import Testing

@Suite("What kind of name a login is")
struct AccountLoginTests {
    private static let uuids = ["0f8fad5b-d9cb-469f-a165-70867728950e", "7C9E6679-7425-40DE-944B-E07FC1F90AE7"]

    @Test(
        "is one of three, by what identifiers look like at the provider",
        arguments: [
            ("ada@example.com", ["1"], AccountLogin.Kind.address), ("ada@localhost", [], .address), ("4711", ["1", "22"], .id),
            ("4711", ["1", "ada"], .user), ("4711", ["a1"], .user), ("4711", [], .user), ("4711", uuids, .user), ("ada", ["bob"], .user),
            ("demo-1815", ["demo-1906"], .user), ("F81D4FAE-7dec-11d0-a765-00a0c91e6bf6", uuids, .id), ("", ["1"], .user),
            ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6", ["1"], .user), ("f81d4fae-7dec-11d0-a765-00a0c91e6bfg", uuids, .user),
        ] as [(String, [String], AccountLogin.Kind)])
    func kind(text: String, subjects: [String], kind: AccountLogin.Kind) {
        #expect(AccountLogin(text, identifiersAreNumbers: nil).kind(among: subjects) == kind)
        #expect(AccountLogin(text).kind(among: subjects) == kind)
        for given in AccountLogin.Kind.allCases { #expect(AccountLogin(text, kind: given).kind(among: subjects) == given) }
    }

    @Test("is known before anybody has signed in, where the provider's identifiers are known to be numbers")
    func numbers() {
        #expect(GitHub().identifiersAreNumbers == true && StandardDialect().identifiersAreNumbers == nil)
        #expect(AccountLogin("4711", identifiersAreNumbers: true).kind == .id && AccountLogin("4711", identifiersAreNumbers: nil).kind == nil)
        #expect(AccountLogin("octo", identifiersAreNumbers: true).kind == .user)
        #expect(AccountLogin(Self.uuids[0], identifiersAreNumbers: true).kind == .user)
    }

    @Test("is compared byte for byte: two forms of a letter are two names")
    func bytes() {
        let (composed, decomposed) = ("\u{E9}va", "e\u{301}va")
        #expect(AccountLogin(composed) != AccountLogin(decomposed) && Set([AccountLogin(composed), AccountLogin(decomposed)]).count == 2)
        var credential = StoredCredential(
            providerID: "git", subject: composed, displayName: nil, username: composed,
            signedInAs: SignInName(name: "acme", at: now, login: AccountLogin(composed)),
            binding: ProviderBinding(clientID: "c", authority: "a", tokenOrigin: nil),
            grant: Grant(accessToken: Secret("t"), tokenType: "bearer", scopes: [], obtainedAt: now), generation: 1)
        for (text, isSame) in [(composed, true), (decomposed, false)] {
            #expect(credential.isPinned(to: NamedAccount(name: "acme", providerID: "git", login: AccountLogin(text))) == isSame)
            #expect(credential.isCalled(text) == isSame)
        }
        credential.email = "\(composed)@example.com"
        #expect(!credential.isCalled("\(decomposed)@example.com"))
    }

    @Test("finds no stored account by a name of another kind")
    func choice() throws {
        func credential(_ subject: String, username: String? = nil) -> StoredCredential {
            StoredCredential(
                providerID: "git", subject: subject, displayName: nil, username: username,
                binding: ProviderBinding(clientID: "c", authority: "a", tokenOrigin: nil),
                grant: Grant(accessToken: Secret("t"), tokenType: "bearer", scopes: [], obtainedAt: now), generation: 1)
        }
        let (owner, stranger) = (credential("4711", username: "ada"), credential("99", username: "4711"))
        func choice(_ login: AccountLogin, _ kept: [StoredCredential]) -> AccountDirectory.Choice {
            AccountDirectory().choice(of: NamedAccount(name: "acme", providerID: "git", login: login), among: kept)
        }
        for login: AccountLogin in ["4711", AccountLogin("4711", kind: .id)] {
            #expect(choice(login, [owner, stranger]) == .one(owner) && choice(login, [stranger]) == .none)
        }
        let user = AccountLogin("4711", kind: .user)
        #expect(choice(user, [owner, stranger]) == .one(stranger) && choice(user, [owner]) == .none)
    }
}
