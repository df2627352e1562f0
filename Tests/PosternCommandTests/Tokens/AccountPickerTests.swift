import PosternInterface
import Testing

@testable import TestDaemon
@testable import postern

@Suite("Which accounts a user is asked about")
struct AccountPickerTests {
    /// Two servers that count their accounts, and know other people by the same numbers.
    static let kept = [
        ("gitlab.com", "1"), ("gitlab.com", "2"), ("work", "2"), ("work", "1"), ("work", "3"), ("google.com", "1"),
    ].map { Interface.StoredCredential(providerID: $0.0, uid: $0.1, scopes: [], refreshable: true, state: .good) }

    private func meant(_ uids: [String], at provider: String, among credentials: [Interface.StoredCredential] = kept) -> [String] {
        AccountPicker.meant(uids, at: provider, among: credentials).map { "\($0.providerID) \($0.uid)" }
    }

    @Test("those of the provider, whoever has the same identifiers elsewhere")
    func provider() {
        #expect(meant(["1", "2"], at: "gitlab.com") == ["gitlab.com 1", "gitlab.com 2"])
        #expect(meant(["1", "2"], at: "work") == ["work 2", "work 1"])
    }

    @Test("by an account's name those of the one provider that has them all, or no question is asked")
    func name() {
        #expect(meant(["1", "2", "3"], at: "ada") == ["work 2", "work 1", "work 3"])
        #expect(meant(["1", "2"], at: "ada") == [])
        #expect(meant(["4", "5"], at: "ada") == [])
    }
}
