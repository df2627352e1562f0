import Glibc
import Testing

@testable import PosternConfiguration

@Suite("The configuration as text, and its places")
struct ConfigurationTextTests {
    let directory = PrivateDirectory()

    private var environment: [String: String] { ["HOME": "/home/ada", "POSTERN_SYSTEM_ROOT": "\(directory.path)/system"] }
    private var main: String { "\(directory.path)/config.toml" }

    private func text() throws -> ConfigurationText { try ConfigurationText(path: main, environment: environment) }

    private func makePlaces() {
        for path in [
            "system", "system/usr", "system/usr/share", "system/usr/share/postern", "system/usr/share/postern/providers.d", "system/etc",
            "system/etc/postern", "system/etc/postern/config.d", "config.d",
        ] { directory.makeDirectory(path) }
    }

    @Test("Packages come first, then the administrator, then the user; later ones win key by key")
    func order() throws {
        makePlaces()
        let package = directory.write(
            "system/usr/share/postern/providers.d/tool.toml", "[provider.\"github.com\"]\nclient-id = \"a\"\nclient-secret = \"public\"\n", mode: 0o644)
        directory.write("system/etc/postern/config.toml", "[provider.\"github.com\"]\nscopes = [\"repo\"]\n[sign-in]\ntimeout = \"1m\"\n", mode: 0o644)
        directory.write("system/etc/postern/config.d/1.toml", "[sign-in]\ntimeout = \"2m\"\n", mode: 0o644)
        directory.write("config.toml", "[provider.\"github.com\"]\nscopes = [\"gist\"]\n")
        let configuration = try ConfigurationLoader.load(path: main, environment: environment)
        let provider = try #require(configuration.provider("github.com"))
        #expect(provider.provider.clientID == "a" && provider.provider.scopes == ["gist"] && configuration.signIn.timeout == .seconds(120))
        let entries = try text().entries(at: ["provider", "github.com", "client-secret"])
        #expect(entries.first?.file == package && entries.first?.isHidden == true && entries.first?.value.contains("public") == false)
        #expect(try text().paths.count == 4)
    }

    @Test("A file of the system that others can write is left out")
    func writable() throws {
        makePlaces()
        directory.write("system/etc/postern/config.toml", "[callback]\nport = 9\n", mode: 0o666)
        let configuration = try ConfigurationLoader.load(path: main, environment: environment)
        #expect(configuration.callback.port == 7678 && configuration.leftOut.first?.message.contains("can be changed by others") == true)
    }

    @Test("A change that would have a section of the administrator's left out is refused")
    func leavingOut() throws {
        makePlaces()
        directory.write("system/etc/postern/config.toml", "[provider.work]\nca-file = \"/x\"\n", mode: 0o644)
        directory.write("config.toml", "[provider.work]\nkind = \"oidc\"\nissuer = \"https://work.example\"\nclient-id = \"w\"\n")
        #expect(throws: (any Error).self) { try text().unsetting(["provider", "work", "kind"]) }
        #expect(try text().unsetting(["provider", "work", "client-id"]) != nil)
    }

    @Test("A name with a full stop may go without its quotes")
    func paths() throws {
        directory.write("config.toml", "[provider.\"git.example\"]\nkind = \"oidc\"\nissuer = \"https://git.example\"\nclient-id = \"x\"\n")
        let text = try text()
        #expect(text.path("provider.github.com.client-id") == ["provider", "github.com", "client-id"])
        #expect(text.path("provider.\"github.com\".client-id") == ["provider", "github.com", "client-id"])
        #expect(text.path("provider.git.example") == ["provider", "git.example"])
        #expect(text.path("provider.work.parameters.hd") == ["provider", "work", "parameters", "hd"])
        #expect(text.path("a..b") == nil)
    }

    @Test(
        "A change of a file that is not read is refused, for nobody would say what is wrong with it",
        arguments: ["config.d/../config.toml", "config.d/https:/a.toml", "config.d/a.txt", "config.d/.toml", "other.toml"])
    func stray(name: String) throws {
        makePlaces()
        let place = "\(directory.path)/\(name)"
        let error = #expect(throws: ConfigurationError.self) { try text().setting([(["callback", "port"], .text("x"))], in: place) }
        #expect(error?.file == place && error?.message.hasPrefix("nothing reads this file") == true)
    }

    @Test("A value is put into the last of the user's files that has the key, and checked as a whole")
    func setting() throws {
        makePlaces()
        directory.write("config.toml", "[callback]\nport = 1\n")
        let part = directory.write("config.d/a.toml", "callback.port = 2 # part\n")
        let change = try text().setting(["callback", "port"], typed: "3")
        #expect(change.file == part && String(decoding: change.after, as: UTF8.self) == "callback.port = 3 # part\n")
        #expect(try text().setting(["sign-in", "timeout"], typed: "5m").file == main)
        #expect(throws: ConfigurationError.self) { try text().setting(["callback", "port"], typed: "70000") }
        #expect(throws: ConfigurationEditError.self) { try text().setting(["provider", "github.com", "client-secret"], typed: "x") }
        #expect(throws: ConfigurationEditError.self) { try text().setting(["accounts", "api-key"], typed: "\"x\"") }
    }

    @Test("A key goes where its section is: the main file, or the file that has it alone")
    func section() throws {
        makePlaces()
        directory.write("config.toml", "[sign-in]\ntimeout = \"1m\"\n")
        let work = "kind = \"oidc\"\nissuer = \"https://login.example\"\nclient-id = \"x\"\n"
        let part = directory.write("config.d/work.toml", "[provider.work]\n\(work)[sign-in]\nflow = \"device\"\n")
        #expect(try text().setting(["provider", "work", "scopes"], typed: "[\"openid\"]").file == part)
        #expect(try text().setting(["sign-in", "languages"], typed: "[\"it\"]").file == main)
        // Another provider is another section.
        #expect(try text().setting(["provider", "github.com", "client-id"], typed: "x").file == main)
    }

    @Test(
        "Of a key that no file gives it is said what is wrong with it",
        arguments: [
            ("sign-in.timout", "unknown key timout in [sign-in]; did you mean timeout?"),
            ("sgn-in.timeout", "unknown key sgn-in in the file; did you mean sign-in?"),
            ("sign-in.browser", nil), ("callback.port", nil),
            ("provider.work.clientid", "unknown key clientid in [provider.work]; did you mean client-id?"),
            ("provider.wrok.client-id", "there is no provider.wrok; did you mean provider.work.client-id?"),
            ("provider.githb.com.client-id", "there is no provider.\"githb.com\"; did you mean provider.\"github.com\".client-id?"), ("provider.nothing-alike.client-id", nil),
        ] as [(String, String?)])
    func mistakes(key: String, mistake: String?) throws {
        directory.write("config.toml", "[provider.work]\nkind = \"oidc\"\nissuer = \"https://login.example\"\nclient-id = \"x\"\n")
        let text = try text()
        let path = try #require(text.path(key))
        #expect(text.mistake(in: path) == mistake)
    }
}
