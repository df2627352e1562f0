import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

@Suite("Custom URL schemes")
struct URLSchemeTests {
    @Test(
        "An application's own scheme is taken, with or without its colon",
        arguments: ["com.example.app", "app-1-1234567890-ios-abcdef", "com.googleusercontent.apps.1234-abc", "com.example.app:"])
    func good(text: String) throws {
        let scheme = try URLScheme(text)
        #expect(text.hasPrefix(scheme.name) && !scheme.name.hasSuffix(":"))
        #expect(scheme.mimeType == "x-scheme-handler/" + scheme.name)
    }

    @Test(
        "A common scheme, or an invalid one, is refused",
        arguments: [
            "", "https", "mailto", "javascript", "file", "myapp", "chrome-extension", "view-source", "web+x.y", "Com.Example",
            "com.example/../x", "-a.b",
            "1a.b", "a b.c", "a.b;x-scheme-handler/http", "a.b\nExec=/bin/sh", "a.é", String(repeating: "a.", count: 40),
        ])
    func bad(text: String) {
        #expect(throws: CommandFailure.self) { try URLScheme(text) }
    }

    @Test("The desktop file starts the program with the URL alone, and reads back")
    func entry() throws {
        let entry = try DesktopEntry(scheme: URLScheme("com.example.app"), providerID: "work", program: "/home/josé/.local/bin/postern")
        #expect(entry.text.contains("\nExec=/home/josé/.local/bin/postern %u\n"))
        #expect(entry.text.contains("\nMimeType=x-scheme-handler/com.example.app;\n"))
        #expect(DesktopEntry.providerID(in: entry.text) == "work")
        #expect(DesktopEntry.program(in: entry.text) == "/home/josé/.local/bin/postern")
        #expect(DesktopEntry.scheme(ofFileName: DesktopEntry.fileName(of: entry.scheme)) == entry.scheme)
        #expect(DesktopEntry.scheme(ofFileName: "postern-url-.desktop") == nil && DesktopEntry.scheme(ofFileName: "firefox.desktop") == nil)
    }

    @Test(
        "A path that Exec could not hold as it stands is refused",
        arguments: [
            "postern", "/home/a b/postern", "/x/$HOME/postern", "/x/`id`/postern", "/x/%u/postern", "/x/\"/postern", "/x\n/postern",
            "/x/postern (deleted)",
        ])
    func path(program: String) throws {
        let scheme = try URLScheme("com.example.app")
        #expect(throws: CommandFailure.self) { try DesktopEntry(scheme: scheme, providerID: "work", program: program) }
    }

    @Test("A provider's name cannot add a line to the desktop file", arguments: ["", "a\nExec=/bin/sh", "a b", "a/b"])
    func provider(name: String) throws {
        let scheme = try URLScheme("com.example.app")
        #expect(throws: CommandFailure.self) { try DesktopEntry(scheme: scheme, providerID: name, program: "/usr/bin/postern") }
    }

    @Test("One URL alone on the command line is a handler's")
    func argument() {
        #expect(URLArgument(["com.example.app:/callback?state=S&code=$(id)"])?.text == "com.example.app:/callback?state=S&code=$(id)")
        #expect(URLArgument(["app-1-2-ios-a://firebaseauth/link?x"]) != nil)
        for other in [[], ["sign-in"], ["--help"], ["-x:y"], [":x"], ["1a:b"], ["a/b:c"], ["a:b", "c"], ["open-url", "a:b"]] {
            #expect(URLArgument(other) == nil)
        }
    }

    @Test("Missing steps in the configuration are named")
    func advice() throws {
        let scheme = try URLScheme("com.example.app")
        func advice(_ redirectURI: String?, for id: String = "work") -> [String] {
            let provider = Provider(
                providerID: "work", displayName: "Work", kind: .oidc, flows: [.browser], scopes: [], redirectURI: redirectURI,
                configured: true)
            return URLSchemeRegister.advice(providers: [provider], scheme: scheme, providerID: id, file: "~/c/config.toml")
        }
        #expect(advice("com.example.app:/callback").isEmpty)
        for other in [nil, "http://127.0.0.1:7678/__/auth/handler", "com.example.application:/x"] {
            #expect(
                advice(other) == [
                    "the provider work does not send its answers there yet; in ~/c/config.toml, and at the provider:",
                    "  redirect-uri = \"com.example.app:/callback\"",
                ])
        }
        #expect(advice(nil, for: "wrok").first?.hasPrefix("there is no provider wrok yet") == true)
        let unknown = URLSchemeRegister.advice(providers: nil, scheme: scheme, providerID: "work", file: "f")
        #expect(unknown.first?.hasPrefix("the provider work does not send") == true)
    }

    @Test("The steps for the certificate quote its path for a shell and for TOML")
    func steps() {
        let steps = CertificateSteps(files: CertificatePlace(directory: "/home/it's \"me\""), restart: "start it anew").lines
        #expect(steps.contains { $0.contains("-i '/home/it'\\''s \"me\"/loopback-authority.crt'") })
        #expect(steps.contains("   then: start it anew") && !steps.contains { $0.contains("systemctl") })
        #expect(steps.contains("     certificate = \"/home/it's \\\"me\\\"/loopback.crt\""))
    }
}

@Suite("What a redirect URI needs")
struct RedirectAdviceTests {
    @Test("a plain loopback address needs nothing, everything else its own preparation")
    func advice() {
        func lines(_ uri: String) -> String { RedirectAdvice.lines(redirectURI: uri, providerID: "work").joined(separator: "\n") }
        #expect(lines("http://127.0.0.1:7678/__/auth/handler") == "" && lines("http://localhost:7678/__/auth/handler") == "")
        #expect(lines("https://127.0.0.1:7678/__/auth/handler").contains("postern provider certificate"))
        #expect(lines("https://app.example.com/__/auth/handler").contains("man postern-relay"))
        #expect(lines("com.example.app:/callback").contains("postern url-scheme register com.example.app --provider work"))
    }
}
