@testable import PosternCore
import Testing

@Suite("The account that was asked for")
struct ExpectedAccountTests {
    static let ada = Identity(providerID: "work", subject: "1", displayName: "Ada", email: "ada@example.com", username: "ada")
    static let grace = Identity(providerID: "work", subject: "2", displayName: "Grace", email: "grace@example.com", username: "grace")
    static let silent = Identity(providerID: "work", subject: "3", displayName: "Somebody")

    private func isOther(_ identity: Identity, _ hint: String, known: [Identity] = []) -> Bool {
        ExpectedAccount.verdict(on: identity, askedFor: hint, known: known) == .other
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
        func verdict(_ identity: Identity, _ hint: String) -> ExpectedAccount.Verdict {
            ExpectedAccount.verdict(on: identity, askedFor: hint, isUserName: true, known: [])
        }
        #expect(verdict(Self.grace, "ada") == .other && verdict(Self.ada, "Ada") == .asked && verdict(Self.silent, "ada") == .unsure)
        let gitHub = GitHub()
        #expect(gitHub.isUserName("mona-lisa") && gitHub.isUserName("octo_acme"))
        #expect(!gitHub.isUserName("o@example.com") && !gitHub.isUserName(""))
        #expect(!StandardDialect().isUserName("ada"))
    }

    @Test("is another where the provider gives no name, but the subject is not that of the account that is known here")
    func knownSubject() {
        #expect(isOther(Self.silent, "ada@example.com", known: [Self.ada]))
    }

    @Test("excludes all others once it is known, though its name was given to somebody else; who has another name now is still the same")
    func moved() {
        let heir = Identity(providerID: "work", subject: "9", username: "ada")
        #expect(isOther(heir, "ada", known: [Self.ada]))
        // A stranger may choose an identifier, too.
        let stranger = Identity(providerID: "work", subject: "ada")
        #expect(isOther(stranger, "ada", known: [Self.ada]))
        let renamed = Identity(providerID: "work", subject: "1", email: "countess@example.com", username: "countess")
        #expect(!isOther(renamed, "ada@example.com", known: [Self.ada]))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var identity: Identity
        var known: [Identity] = []
        var pinned: String?
        var verdict: ExpectedAccount.Verdict
        var testDescription: String { name }

        static func account(_ subject: String = "1", email: String? = nil, verified: Bool? = nil, username: String? = nil) -> Identity {
            Identity(providerID: "work", subject: subject, email: email, emailVerified: verified, username: username)
        }
    }

    @Test(
        "by an address is one whose address the provider has verified; where it says nothing, nothing is certain",
        arguments: [
            Row(name: "verified", identity: Row.account(email: "Ada@example.com", verified: true), verdict: .asked),
            Row(name: "denied", identity: Row.account(email: "ada@example.com", verified: false), verdict: .other),
            Row(name: "not said", identity: Row.account(email: "ada@example.com"), verdict: .unsure),
            Row(
                name: "not said, though of others it is", identity: Row.account(email: "ada@example.com"),
                known: [Row.account("2", email: "bob@example.com", verified: true)], verdict: .other),
            Row(name: "a self-chosen user name", identity: Row.account(username: "ada@example.com"), verdict: .unsure),
            Row(
                name: "a self-chosen user name beside a verified address of another",
                identity: Row.account(email: "eve@example.com", verified: true, username: "ada@example.com"), verdict: .unsure),
            Row(name: "a self-chosen identifier", identity: Row.account("ada@example.com"), verdict: .unsure),
            Row(name: "KELVIN SIGN is no k", identity: Row.account(email: "ada@example\u{212A}.com", verified: true), verdict: .other),
            Row(
                name: "another is verified", identity: Row.account("3", email: "ada@example.com"),
                known: [Row.account("2", email: "ada@example.com", verified: true)], verdict: .other),
            Row(
                name: "pinned, whatever it is called now", identity: Row.account("7", email: "eve@example.com", verified: true), pinned: "7",
                verdict: .asked),
            Row(
                name: "another is pinned", identity: Row.account("1", email: "ada@example.com", verified: true), pinned: "7", verdict: .other),
        ])
    func byAddress(_ row: Row) {
        #expect(ExpectedAccount.verdict(on: row.identity, askedFor: "ada@example.com", pinned: row.pinned, known: row.known) == row.verdict)
    }

    @Test("is called by what a user knows best")
    func name() {
        #expect(ExpectedAccount.name(of: Self.ada) == "ada@example.com")
        #expect(ExpectedAccount.name(of: Self.silent) == "Somebody")
        #expect(ExpectedAccount.name(of: Identity(providerID: "work", subject: "3")) == "3")
    }
}
