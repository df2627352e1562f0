import Glibc
import PosternCore
import Testing

@testable import PosternConfiguration

@Suite("docs/operate/configuration.md")
struct DocumentationTests {
    @Test("names every section and every key, and none that is not taken")
    func keys() throws {
        let documented = Self.documented(in: try #require(Self.text))
        let providers =
            ProviderSection.keys + ProviderSection.keys(of: .oauth1)
            + Catalogue.providers.flatMap { $0.dialect.settings.map(\.key) }
        let taken: [String: [String]] = [
            "callback": Configuration.Callback.keys, "sign-in": Configuration.SignIn.keys, "accounts": Configuration.Accounts.keys,
            "store": Configuration.Store.keys, "daemon": Configuration.Daemon.keys, "attention": Configuration.Attention.keys, "provider": providers,
            "second-factor": Configuration.SecondFactors.keys + Configuration.Phone.keys,
            "account": AccountList.keys, "mcp": MCPList.keys, "registration": Configuration.Registration.keys,
        ]
        #expect(Set(taken.keys) == Set(ConfigurationReader.sections))
        #expect(Set(documented.keys) == Set(taken.keys))
        for (section, keys) in taken {
            let missing = Set(keys).subtracting(documented[section] ?? [])
            let invented = (documented[section] ?? []).subtracting(keys)
            #expect(missing.isEmpty, "[\(section)] takes keys that the page does not name")
            #expect(invented.isEmpty, "[\(section)] does not take keys that the page names")
        }
    }

    @Test("a key is read from the first cell of a table's row, under its section's heading")
    func reading() {
        let text = "## `[a]`\n| key | what |\n| --- | --- |\n| `x`, `y` | `z` |\n### More\n| `w` | |\n## `[b.NAME]`\n| `v` | |\n## Rest\n| `u` | |"
        #expect(Self.documented(in: text) == ["a": ["x", "y", "w"], "b": ["v"]])
    }

    private static func documented(in text: String) -> [String: Set<String>] {
        var keys: [String: Set<String>] = [:]
        var section: String?
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") {
                section = line.hasPrefix("## `[") ? line.dropFirst(5).prefix { $0 != "]" && $0 != "." }.description : nil
            } else if let section, line.hasPrefix("| `"), let cell = line.split(separator: "|").first {
                keys[section, default: []].formUnion(
                    cell.split(separator: "`").map(String.init).filter { $0.contains { $0.isLetter } })
            }
        }
        return keys
    }

    private static var text: String? {
        // Tests/PosternConfigurationTests/DocumentationTests.swift
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        guard let file = fopen("\(root)/docs/operate/configuration.md", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
