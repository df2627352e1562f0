import Testing

@testable import TestDaemon
@testable import postern

@Suite("Addresses that can be clicked")
struct HyperlinkTests {
    private static func terminal(_ environment: [String: String], isTerminal: Bool = true) -> Terminal {
        Terminal(standardErrorIsTerminal: isTerminal, standardOutputIsTerminal: isTerminal, variable: { environment[$0] })
    }

    @Test(
        "only terminals that are known to take the sequence get it",
        arguments: [
            ("xterm-256color", true), ("xterm", true), ("xterm-kitty", true), ("tmux-256color", true), ("screen.xterm", false), ("foot", true),
            ("alacritty", true), ("dumb", false), ("linux", false), ("vt100", false), ("eterm-color", false), ("", false), ("xtermite", false),
        ])
    func terminals(name: String, hasLinks: Bool) {
        #expect(Self.terminal(["TERM": name]).hasLinks == hasLinks)
        #expect(!Self.terminal(["TERM": name], isTerminal: false).hasLinks)
        #expect(!Self.terminal([:]).hasLinks)
    }

    @Test("a VTE from before 0.50 gets none, and NO_COLOR is no matter", arguments: [("4602", false), ("5000", true), ("7600", true), ("x", true)])
    func vte(version: String, hasLinks: Bool) {
        #expect(Self.terminal(["TERM": "xterm-256color", "VTE_VERSION": version, "NO_COLOR": "1"]).hasLinks == hasLinks)
    }

    @Test("results that go elsewhere have no links")
    func results() {
        let terminal = Terminal(standardErrorIsTerminal: true, standardOutputIsTerminal: false, variable: { ["TERM": "xterm"][$0] })
        #expect(terminal.hasLinks && !terminal.forResults.hasLinks)
    }

    @Test("the text of a link is the address that it leads to")
    func text() {
        let address = "https://provider.example/authorize?state=a%20b"
        #expect(Self.terminal(["TERM": "xterm"]).link(address) == "\u{1B}]8;;\(address)\u{1B}\\\(address)\u{1B}]8;;\u{1B}\\")
        #expect(Self.terminal(["TERM": "linux"]).link(address) == address)
    }

    @Test(
        "what could end the sequence, or is no page, is shown and no link",
        arguments: [
            "https://a.example/\u{1B}\\evil", "https://a.example/\u{7}", "https://a.example/\u{9C}", "https://a.example/ b", "https://é.example/",
            "https://a.example/\n", "file:///etc/passwd", "javascript:alert(1)", "com.example:/callback", "https://a.example/\u{202E}",
            "https://a.example/" + String(repeating: "x", count: Hyperlink.limit),
        ])
    func refused(address: String) {
        let shown = Self.terminal(["TERM": "xterm"]).link(address)
        #expect(shown == address.plain && !shown.contains("\u{1B}"))
    }
}
