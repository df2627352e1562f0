import Testing

@testable import ProgramOptions
@testable import TestDaemon
@testable import postern

@Suite("Names that are offered at TAB")
struct CompletionTests {
    @Test("of the file of names only names are taken")
    func file() {
        let list = NameList("provider work\nunready github.com\naccount acme_1\nprovider \u{1B}[2J\nprovider A b\nfuture x\nprovider\n\naccount\n")
        #expect(list.providers == ["work"] && list.unreadyProviders == ["github.com"] && list.accounts == ["acme_1"])
    }
}
