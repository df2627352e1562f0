import PosternCore
import Testing

@Suite struct ProviderTextTests {
    @Test(
        "What a provider writes becomes one readable line",
        arguments: [
            ("The code passed is incorrect.", "The code passed is incorrect."),
            ("two\nlines\r\n and\ttabs", "two lines and tabs"),
            ("\u{1B}[31mred\u{1B}[0m\u{7}", "[31mred[0m"),
            ("evil\u{202E}txt.exe", "eviltxt.exe"),
            ("a\u{200B}b\u{FEFF}c\u{0}", "abc"),
            ("line\u{2028}separator", "line separator"),
            ("日本語とâccents 👩‍💻", "日本語とâccents 👩‍💻"),
            ("   spaces   inside   ", "spaces inside"),
        ])
    func cleaned(text: String, expected: String) {
        #expect(ProviderText.cleaned(text, longest: 100) == expected)
    }

    @Test("Nothing readable is nothing", arguments: ["", " ", "\n\r\t", "\u{0}\u{1}", "\u{202E}"])
    func empty(text: String) {
        #expect(ProviderText.cleaned(text, longest: 100) == nil)
    }

    @Test("A long text is cut, and shows that it was")
    func cut() {
        #expect(ProviderText.cleaned(String(repeating: "é", count: 1000), longest: 10) == String(repeating: "é", count: 10) + "…")
        #expect(ProviderText.cleaned("abc", longest: 3) == "abc")
    }
}
