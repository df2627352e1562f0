import Testing

@testable import TestDaemon
@testable import postern

@Suite("Addresses of pages")
struct WebAddressTests {
    @Test(
        "the parts are distinguished",
        arguments: [
            ("http://127.0.0.1:7678/a?b=c#d", "http://127.0.0.1:7678", "/a?b=c"),
            ("https://example.com", "https://example.com:443", "/"),
            ("HTTP://example.com?x", "http://example.com:80", "/?x"),
            ("http://[::1]:80/", "http://[::1]:80", "/"),
        ])
    func parts(text: String, origin: String, target: String) {
        let address = WebAddress(text)
        #expect(address?.origin == origin)
        #expect(address?.target == target)
    }

    @Test(
        "what is no page's address is refused",
        arguments: [
            "", "http://", "ftp://x/", "http://user@host/", "http://host:0/", "http://host:99999/", "http://host:x/", "http://[::1/", "/a",
        ])
    func refused(text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test(
        "references lead from the page on which they stand",
        arguments: [
            ("/x", "http://h:1/x"), ("x", "http://h:1/a/x"), ("?q", "http://h:1/a/b?q"), ("", "http://h:1/a/b?c"),
            ("http://k:2/y", "http://k:2/y"), ("//k:2/y", "http://k:2/y"),
        ])
    func resolving(reference: String, result: String) {
        #expect(WebAddress("http://h:1/a/b?c")?.resolving(reference) == WebAddress(result))
    }

    @Test("a parameter of the query is decoded, and the first of a name counts")
    func parameter() {
        let address = WebAddress("https://h/authorize?state=s&redirect_uri=http%3A%2F%2F127.0.0.1%3A7678%2Fx&redirect_uri=no&a+b=%zz")
        #expect(address?.parameter("redirect_uri") == "http://127.0.0.1:7678/x")
        #expect(address?.parameter("a b") == "%zz")
        #expect(address?.parameter("nothing") == nil)
    }
}
