@testable import PosternConfiguration
import Testing

@Suite("Every mistake of a configuration")
struct MistakesTests {
    private func lines(_ texts: String...) -> [String] {
        let files = texts.enumerated().map { Reading.file($0 == 0 ? "config.toml" : "config.d/\($0).toml", $1) }
        return ConfigurationReader(mainFile: "\(Reading.directory)/config.toml", home: "/home/ada").mistakes(in: files).map {
            "\($0.file.dropFirst(Reading.directory.utf8.count + 1)):\($0.line ?? 0)"
        }
    }

    @Test("A configuration that is taken has none", arguments: ["", "[callback]\nport = 7678", "[provider.w]\nkind = \"oidc\"\nissuer = \"https://w.example\"\nclient-id = \"c\""])
    func none(text: String) { #expect(lines(text).isEmpty) }

    @Test("Each is told, with its file and line")
    func all() {
        #expect(
            lines(
                "[callback]\nport = 70000\nsame-user = 1\n[sign-in]\ntimeout = \"soon\"\n[daemn]\nx = 1", "[store]\nkey = \"vault\"\n",
                "[callback\n") == ["config.d/2.toml:1", "config.toml:6", "config.toml:2", "config.toml:3", "config.toml:5", "config.d/1.toml:2"])
    }

    @Test("What is missing because a mistake was left out is none of its own")
    func noFollowers() {
        let provider = "[provider.w]\nkind = \"oicd\"\nissuer = \"https://w.example\"\nclient-id = \"c\"\n"
        #expect(lines(provider) == ["config.toml:2"])
        #expect(lines(provider + "[callback]\nport = -1\n") == ["config.toml:6", "config.toml:2"])
        #expect(lines("[provider.a]\nkind = \"oidc\"\nisuer = \"https://a.example\"\nscops = []\nclient-id = \"c\"") == ["config.toml:3", "config.toml:4"])
    }

    @Test("The first is the one that a start tells")
    func first() {
        let text = "[provider.a]\nscops = []\nkind = 1\n[callback]\nprt = 1\n"
        #expect(lines(text).first == Reading.refusal(text).map { "config.toml:\($0.line ?? 0)" })
    }

    @Test("However many there are, they come to an end")
    func bounded() {
        let text = "[callback]\n" + (0..<300).map { "x\($0) = 1\n" }.joined()
        #expect(lines(text).count == 100)
    }
}
