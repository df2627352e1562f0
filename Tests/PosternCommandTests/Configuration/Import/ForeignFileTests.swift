import Glibc
import PosternClient
import StrictJSON
import Testing

@testable import TestDaemon
@testable import postern

@Suite("Files of other programs")
struct ForeignFileTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.filter { $0.isHexDigit })
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    @Test("ChaCha20 makes the block of RFC 8439 section 2.3.2")
    func chaCha20() {
        let key = (0..<32).map { UInt8($0) }
        let block = ChaCha20Poly1305.block(key, Self.bytes("000000090000004a00000000"), counter: 1)
        #expect(
            block
                == Self.bytes(
                    "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4ed2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"))
    }

    @Test(
        "Poly1305 carries as RFC 8439 appendix A.3 has it",
        arguments: [
            ("02", "00", String(repeating: "ff", count: 16), "03"), ("02", "ff", "02" + String(repeating: "00", count: 15), "03"),
            (
                "01", "00",
                String(repeating: "ff", count: 16) + "f0" + String(repeating: "ff", count: 15) + "11" + String(repeating: "00", count: 15), "05"
            ),
            (
                "01", "00",
                String(repeating: "ff", count: 16) + "fb" + String(repeating: "fe", count: 15) + String(repeating: "01", count: 16), "00"
            ),
        ])
    func poly1305(factor: String, rest: String, message: String, tag: String) {
        let key = Self.bytes(factor + String(repeating: "00", count: 15) + String(repeating: rest, count: 16))
        #expect(Poly1305.tag(of: Self.bytes(message), key: key) == Self.bytes(tag + String(repeating: "00", count: 15)))
    }

    @Test("pizauth's configuration: comments, escapes, times, lists with and without a comma at their end")
    func pizauth() throws {
        let accounts = try PizauthConfiguration.accounts(
            in: #"""
                // account "not" {
                auth_notify_cmd = "say \"sign in\"";
                refresh_retry = 40s;
                account "off\\ice" { auth_uri = "https://login.microsoftonline.com/common/oauth2/v2.0/authorize";
                  token_uri = "https://login.microsoftonline.com/common/oauth2/v2.0/token"; // here
                  client_id = "c1"; client_secret = "s//1";
                  scopes = [ "a", "b", ]; redirect_uri = "http://localhost/"; refresh_at_least = 90m;
                  auth_uri_fields = { "prompt": "login", "login_hint": "ada@example.com" }; }
                account "g" { auth_uri = "https://accounts.google.com/o/oauth2/auth"; token_uri = "https://oauth2.googleapis.com/token"; client_id = "c2"; scopes = []; login_hint = "eve"; }
                account "o" { auth_uri = "https://a.example/a"; token_uri = "https://oauth2.googleapis.com.example/token"; client_id = "c3"; }
                """#)
        #expect(accounts.map(\.name) == ["off\\ice", "g", "o"])
        #expect(accounts[0].provider == .builtIn("microsoft.com", tenant: "common") && accounts[1].provider == .builtIn("google.com"))
        #expect(accounts[2].provider == .endpoints(authorization: "https://a.example/a", token: "https://oauth2.googleapis.com.example/token"))
        #expect(accounts[0].clientSecret?.reveal() == "s//1" && accounts[0].scopes == ["a", "b"] && accounts[1].scopes == [])
        #expect(accounts.map(\.login) == ["ada@example.com", "eve", nil] && accounts.allSatisfy { $0.refreshToken == nil })
    }

    @Test("An error names a line and no value")
    func errors() {
        let secret = #"account "x" { client_secret = "hidden" "hidden"; }"#
        do {
            _ = try PizauthConfiguration.accounts(in: "\n" + secret)
            Issue.record("it was taken")
        } catch {
            #expect(error.description == "line 2: found a string, expected ';'")
        }
    }

    @Test("What is written of an account is TOML whatever is in it, and never its secret")
    func configuration() {
        let plan = ImportPlan(
            name: "mail", login: "a\"b\\\n@example.com", providerID: "login.example.com", isProviderThere: false,
            provider: .issuer("https://login.example.com"), clientID: "c", clientSecret: "hidden", scopes: ["mail"], refreshToken: "rt")
        #expect(
            plan.configuration(secretFile: "/c/mail.secret")
                == #"""
                [provider."login.example.com"]
                kind = "oidc"
                issuer = "https://login.example.com"
                client-id = "c"
                client-secret = { file = "/c/mail.secret" }

                [account.mail]
                provider = "login.example.com"
                login = "a\"b\\\n@example.com"
                scopes = ["mail", "openid", "email"]

                """#)
    }

    @Test(
        "A name is made of what names are made of",
        arguments: [("ada@example.com", "ada-example.com"), ("../../Evil Name", "evil-name"), ("ä", "imported"), ("", "imported"), ("-a-", "a")])
    func names(text: String, name: String) { #expect(ImportPlan.name(from: text) == name && ImportPlan.isName(name)) }

    @Test(
        "A provider is the same by its issuer or token endpoint, and not by its host",
        arguments: [
            (.issuer("https://login.example.com/realms/a"), "https://login.example.com/realms/a/", nil, true),
            (.issuer("https://login.example.com/realms/a/"), "https://login.example.com/realms/a", "https://login.example.com/t", true),
            (.issuer("https://login.example.com/realms/a"), "https://login.example.com/realms/b", nil, false),
            (.issuer("https://login.example.com"), nil, "https://login.example.com", false),
            (.endpoints(authorization: "https://a.example/a", token: "https://a.example/t"), nil, "https://a.example/t", true),
            (.endpoints(authorization: "https://a.example/a", token: "https://a.example/t"), "https://a.example/t", "https://a.example/u", false),
            (.builtIn("google.com"), "https://accounts.google.com", "https://oauth2.googleapis.com/token", true),
            (.issuer("https://login.example.com/realms/a"), "https://login.example.com/realms/a", "https://evil.example/t", false),
            (.builtIn("google.com"), "https://accounts.google.com", "https://evil.example/t", false),
            (.builtIn("google.com"), "https://evil.example", "https://oauth2.googleapis.com/token", false),
            (.builtIn("microsoft.com"), "i", "https://login.microsoftonline.com/common/oauth2/v2.0/token", true),
            (.builtIn("microsoft.com", tenant: "Contoso.com"), "i", "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token", true),
            (.builtIn("microsoft.com", tenant: "contoso.com"), "i", "https://login.microsoftonline.com/common/oauth2/v2.0/token", false),
        ] as [(ForeignProvider, String?, String?, Bool)])
    func servers(provider: ForeignProvider, issuer: String?, endpoint: String?, isSame: Bool) {
        #expect(provider.isServed(by: ExistingConfiguration.Server(clientID: "c", issuer: issuer, tokenEndpoint: endpoint)) == isSame)
    }

    @Test("A package's provider is not the one of another program's tokens, and the user's own is preferred to the administrator's")
    func origins() throws {
        var template = Array("/tmp/postern-import-XXXXXX".utf8CString)
        let root = try #require(mkdtemp(&template).map { String(cString: $0) })
        let directories = ["etc", "etc/postern", "usr", "usr/share", "usr/share/postern", "usr/share/postern/providers.d"]
        defer {
            for path in ["etc/postern/config.toml", "usr/share/postern/providers.d/tool.toml", "config.toml"] { unlink("\(root)/\(path)") }
            for path in directories.reversed() + [""] { rmdir("\(root)/\(path)") }
        }
        for path in directories {
            try #require(mkdir("\(root)/\(path)", 0o755) == 0)
        }
        func write(_ name: String, _ path: String, userinfo: String) throws {
            let text = """
                [provider.\(name)]
                kind = "oauth2"
                client-id = "c"
                authorization-endpoint = "https://github.com/login/oauth/authorize"
                token-endpoint = "https://github.com/login/oauth/access_token"
                userinfo-endpoint = "\(userinfo)"

                """
            let file = try #require(fopen("\(root)/\(path)", "w"))
            fputs(text, file)
            fclose(file)
            chmod("\(root)/\(path)", 0o644)
        }
        try write("tool", "usr/share/postern/providers.d/tool.toml", userinfo: "https://evil.example/user")
        func existing() throws -> ExistingConfiguration {
            try ExistingConfiguration(path: "\(root)/config.toml", environment: ["POSTERN_SYSTEM_ROOT": root])
        }
        let foreign = ForeignProvider.endpoints(
            authorization: "https://github.com/login/oauth/authorize", token: "https://github.com/login/oauth/access_token")
        #expect(try existing().server(of: "tool") != nil, "the package's file is read")
        #expect(try existing().providers(for: foreign, clientID: nil) == [] && !existing().mayGetTokens("tool"))
        try write("machine", "etc/postern/config.toml", userinfo: "https://api.github.com/user")
        try write("mine", "config.toml", userinfo: "https://api.github.com/user")
        #expect(try existing().providers(for: foreign, clientID: "c") == ["mine", "machine"])
    }

    @Test(
        "No other server gets the name of a built-in provider",
        arguments: [
            (.endpoints(authorization: "https://evil.example/a", token: "https://github.com/login/oauth/access_token"), "github.com", false),
            (.endpoints(authorization: "https://a.example/a", token: "https://a.example/t"), "a.example", true),
            (.issuer("https://gitlab.com"), "gitlab.com", true), (.issuer("https://gitlab.com/"), "gitlab.com", true),
            (.issuer("https://gitlab.com/evil"), "gitlab.com", false), (.issuer("https://github.com"), "github.com", false),
            (.issuer("https://login.example.com"), "login.example.com", true), (.builtIn("google.com"), "google.com", true),
            (.builtIn("google.com"), "github.com", false), (.builtIn("google.com"), "google.com-work", true),
        ] as [(ForeignProvider, String, Bool)])
    func builtInNames(provider: ForeignProvider, name: String, isPermitted: Bool) { #expect(provider.mayBeCalled(name) == isPermitted) }
}
