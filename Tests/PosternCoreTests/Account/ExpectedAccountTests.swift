import PosternCore
import Testing

@Suite("The account that was asked for")
struct ExpectedAccountTests {
    static let ada = Identity(providerID: "work", subject: "1", displayName: "Ada", email: "ada@example.com", username: "ada")
    static let grace = Identity(providerID: "work", subject: "2", displayName: "Grace", email: "grace@example.com", username: "grace")
    static let silent = Identity(providerID: "work", subject: "3", displayName: "Somebody")

    private func isOther(_ identity: Identity, _ hint: String, known: [Identity] = []) -> Bool {
        ExpectedAccount.isOther(identity, thanAskedFor: hint, known: known)
    }

    @Test(
        "is known by its address, its user name or its subject",
        arguments: ["ada@example.com", "ADA@Example.COM", "ada+work@example.com", "ada", "Ada", "1"])
    func same(hint: String) {
        #expect(!isOther(Self.ada, hint, known: [Self.ada, Self.grace]))
        #expect(!isOther(Self.ada, hint))
        #expect(isOther(Self.grace, hint, known: [Self.ada, Self.grace]))
    }

    @Test("is not another for having two names of one mailbox, or the address as its user name")
    func spellings() {
        let google = Identity(providerID: "google.com", subject: "1", email: "ada@gmail.com")
        #expect(!isOther(google, "ada@googlemail.com"))
        let entra = Identity(providerID: "microsoft.com", subject: "1", email: "a.lovelace@example.com", username: "ada@example.com")
        #expect(!isOther(entra, "ada@example.com") && !isOther(entra, "a.lovelace@example.com"))
        #expect(isOther(entra, "grace@example.com"))
    }

    @Test("is another where an address was asked for and another address came")
    func address() {
        #expect(isOther(Self.grace, "ada@example.com"))
        #expect(isOther(Identity(providerID: "work", subject: "2", username: "grace@example.com"), "ada@example.com"))
    }

    @Test("cannot be told where the provider gives no name to compare, or the hint names no account that is known here")
    func silence() {
        #expect(!isOther(Self.silent, "ada@example.com"))
        #expect(!isOther(Identity(providerID: "work", subject: "3", username: "grace"), "ada@example.com"))
        #expect(!isOther(Self.grace, "ada"))
        #expect(!isOther(Self.grace, "example.com") && !isOther(Self.grace, "ada@localhost") && !isOther(Self.grace, "@"))
    }

    @Test("is another where the account that is spelt just so is known here, and one of the same mailbox came")
    func tag() {
        let admin = Identity(providerID: "work", subject: "4", email: "ada+admin@example.com")
        #expect(isOther(Self.ada, "ada+admin@example.com", known: [Self.ada, admin]))
        #expect(!isOther(admin, "Ada+Admin@example.com", known: [Self.ada, admin]))
        #expect(isOther(admin, "ada@example.com", known: [Self.ada, admin]))
        // Renamed since, and still the one that is meant.
        let renamed = Identity(providerID: "work", subject: "4", email: "countess@example.com")
        #expect(!isOther(renamed, "ada+admin@example.com", known: [Self.ada, admin]))
    }

    @Test("is another where the provider calls accounts by such a hint, and this one by another name")
    func userName() {
        #expect(ExpectedAccount.isOther(Self.grace, thanAskedFor: "ada", isUserName: true, known: []))
        #expect(!ExpectedAccount.isOther(Self.ada, thanAskedFor: "Ada", isUserName: true, known: []))
        #expect(!ExpectedAccount.isOther(Self.silent, thanAskedFor: "ada", isUserName: true, known: []))
        let gitHub = GitHub()
        #expect(gitHub.isUserName("mona-lisa") && gitHub.isUserName("octo_acme"))
        #expect(!gitHub.isUserName("o@example.com") && !gitHub.isUserName(""))
        #expect(!StandardDialect().isUserName("ada"))
    }

    @Test("is another where the provider gives no name, but the subject is not that of the account that is known here")
    func knownSubject() {
        #expect(isOther(Self.silent, "ada@example.com", known: [Self.ada]))
    }

    @Test("has moved on: a name that was given to somebody else means whoever has it now, and who has another name now is still the same")
    func moved() {
        let heir = Identity(providerID: "work", subject: "9", username: "ada")
        #expect(!isOther(heir, "ada", known: [Self.ada]))
        let renamed = Identity(providerID: "work", subject: "1", email: "countess@example.com", username: "countess")
        #expect(!isOther(renamed, "ada@example.com", known: [Self.ada]))
    }

    @Test("is called by what a user knows best")
    func name() {
        #expect(ExpectedAccount.name(of: Self.ada) == "ada@example.com")
        #expect(ExpectedAccount.name(of: Self.silent) == "Somebody")
        #expect(ExpectedAccount.name(of: Identity(providerID: "work", subject: "3")) == "3")
    }
}
