import Testing

@testable import PosternConfiguration

@Suite("Changes of several files")
struct EditTests {
    let directory = PrivateDirectory()

    private var environment: [String: String] { ["HOME": "/home/ada", "POSTERN_SYSTEM_ROOT": "\(directory.path)/system"] }

    private func text() throws -> ConfigurationText { try ConfigurationText(path: "\(directory.path)/config.toml", environment: environment) }

    private static let work = "[provider.work]\nkind = \"oidc\"\nissuer = \"https://work.example\"\nclient-id = \"x\"\n"

    private func after(_ edits: [ConfigurationText.Edit]) throws -> [String: String] {
        let changes = try text().changes(edits).map { ($0.file.split(separator: "/").last.map(String.init) ?? "", String(decoding: $0.after, as: UTF8.self)) }
        return Dictionary(changes) { first, _ in first }
    }

    @Test("An account that has its provider in another file is renamed and removed there, and the files are checked together")
    func several() throws {
        directory.makeDirectory("config.d")
        directory.write("config.toml", "# mine\n[account.ada] # hers\nprovider = \"work\"\n")
        directory.write("config.d/ada.toml", "[account.ada]\nlogin = \"a@example.com\"\n")
        directory.write("config.d/work.toml", Self.work)
        #expect(
            try after([.set(["account", "ada", "login"], .text("1")), .rename(["account", "ada"], to: "acme")])
                == ["config.toml": "# mine\n[account.acme] # hers\nprovider = \"work\"\n", "ada.toml": "[account.acme]\nlogin = \"1\"\n"])
        #expect(try after([.unset(["account", "ada"]), .unsetOwn(["provider", "work"])]) == ["config.toml": "# mine\n", "ada.toml": "", "work.toml": ""])
        // Neither of the two alone.
        #expect(throws: ConfigurationError.self) { try after([.unsetOwn(["provider", "work"])]) }
        #expect(throws: ConfigurationError.self) { try after([.rename(["account", "ada"], to: "work")]) }
        #expect(try after([.unset(["account", "nobody"])]) == [:])
    }

    @Test("What stands in another's file is not renamed, and nothing of it is removed but one's own part")
    func foreign() throws {
        for path in ["system", "system/etc", "system/etc/postern"] { directory.makeDirectory(path) }
        directory.write("system/etc/postern/config.toml", Self.work + "[account.ada]\nprovider = \"work\"\n", mode: 0o644)
        directory.write("config.toml", "[account.ada]\nlogin = \"1\"\n[provider.work]\ndisplay-name = \"Work\"\n")
        for edit in [ConfigurationText.Edit.unset(["account", "ada"]), .rename(["account", "ada"], to: "acme")] {
            let error = #expect(throws: ConfigurationEditError.self) { try text().changes([edit]) }
            #expect(error?.description.hasSuffix("here") == true && error?.description.contains("system/etc/postern/config.toml, which is not yours") == true)
        }
        #expect(try after([.unsetOwn(["provider", "work"])]) == ["config.toml": "[account.ada]\nlogin = \"1\"\n"])
    }

    @Test("The URLs of an account are its own and then its provider's, or its own alone")
    func urls() throws {
        directory.write("config.toml", Self.work + "serves = [\"https://git.work.example\"]\n[account.ada]\nprovider = \"work\"\nfor = [\"https://acme.example\"]\n")
        var settings = try AccountSettings(text())
        #expect(settings.urls(of: "ada", at: "work") == ["https://acme.example", "https://git.work.example"])
        #expect(settings.urls(of: nil, at: "work") == ["https://git.work.example"])
        settings.accounts[0].isForTheseOnly = true
        #expect(settings.urls(of: "ada", at: "work") == ["https://acme.example"])
        #expect(settings.serves.first { $0.providerID == "github.com" }?.urls.isEmpty == false)
    }

    @Test(
        "A free name is made of what people call the account",
        arguments: [
            ("grace@example.org", "grace"), ("Grace Hopper", "grace-hopper"), ("ada@example.com", "ada-work"), (".@x", "account"), ("日本", "account"),
            ("password@example.com", "password-work"), ("work", "work-work"), (String(repeating: "a", count: 80), String(repeating: "a", count: 64)),
        ])
    func names(calling: String, name: String) {
        let settings = AccountSettings(accounts: [.init(name: "ada", providerID: "work")], providerIDs: ["work"])
        #expect(settings.freeName(for: calling, at: "work") == name)
        #expect(settings.mistake(inNewName: name) == nil)
    }

    @Test(
        "A server's free name is the part of its host that says whose it is",
        arguments: [
            ("mcp.linear.app", "linear"), ("linear.app", "linear"), ("api.githubcopilot.com", "githubcopilot"), ("mcp.example.org", "mcp-example-org"),
            ("mcp.github.com", "github"), ("work.com", "work-com"), ("localhost", "localhost"), ("127.0.0.1", "mcp"), ("::1", "mcp"), ("mcp.app", "mcp"),
            ("password.io", "password-io"), ("", "mcp"), ("MCP.Linear.APP", "linear"), ("mcp.shop.co.uk", "shop"),
        ])
    func serverNames(host: String, name: String) {
        let settings = AccountSettings(
            accounts: [.init(name: "ada", providerID: "work")], providerIDs: ["work", "github.com"], serverNames: ["example"])
        #expect(settings.freeName(forServerAt: host) == name)
        #expect(settings.freeName(forServerAt: host, besides: [name]) != name)
        #expect(settings.mistake(inNewName: name) == nil && settings.mistake(inNewName: "example")?.contains("MCP server") == true)
    }

    @Test("Names that run out are counted", arguments: [1, 2, 3])
    func counted(count: Int) {
        var settings = AccountSettings(providerIDs: ["work"])
        for _ in 0..<count { settings.accounts.append(.init(name: settings.freeName(for: "ada", at: "work"), providerID: "work")) }
        #expect(settings.accounts.map(\.name) == Array(["ada", "ada-work", "ada-2"].prefix(count)))
    }

    @Test("A used, reserved or invalid name is refused", arguments: ["work", "ada", "password", "A", ".a", "", "a b"])
    func refused(name: String) {
        let settings = AccountSettings(accounts: [.init(name: "ada", providerID: "work")], providerIDs: ["work"])
        #expect(settings.mistake(inNewName: name) != nil)
    }
}
