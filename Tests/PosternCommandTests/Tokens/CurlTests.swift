import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

@Suite("curl's command line")
struct CurlTests {
    private func read(_ line: String) throws -> CurlCommandLine { try CurlCommandLine(line.split(separator: " ").map(String.init)) }

    static let passed = [
        ("https://a.example/x", "--url https://a.example/x", "GET"),
        ("-sSfL https://a.example/x", "--silent --show-error --fail --location --url https://a.example/x", "GET"),
        ("-X DELETE --url https://a.example/", "--request DELETE --url https://a.example/", "DELETE"),
        ("-XPATCH -ofile https://a.example", "--request PATCH --output file --url https://a.example", "PATCH"),
        ("-I https://a.example/", "--head --url https://a.example/", "HEAD"),
        ("https://a.example/ -d a=1 -d b=2", "--data a=1 --data b=2 --url https://a.example/", "POST"),
        ("-G -d a=1 https://a.example/", "--get --data a=1 --url https://a.example/", "GET"),
        ("--json {} https://a.example/", "--json {} --url https://a.example/", "POST"),
        ("-F f=@x https://a.example/", "--form f=@x --url https://a.example/", "POST"),
        ("-T x https://a.example/x", "--upload-file x --url https://a.example/x", "PUT"),
        ("-H Accept:x https://a.example/ https://b.example/", "--header Accept:x --url https://a.example/ --url https://b.example/", "GET"),
        ("-H X; -H Accept: https://[::1]:8080/", "--header X; --header Accept: --url https://[::1]:8080/", "GET"),
        // The value of an option is no option and no URL.
        ("-o --location-trusted -A -k https://a.example/", "--output --location-trusted --user-agent -k --url https://a.example/", "GET"),
    ]

    @Test("known options are passed on, under their full names", arguments: passed)
    func passedOn(line: String, arguments: String, method: String) throws {
        let read = try read(line)
        #expect(read.arguments.joined(separator: " ") == arguments)
        #expect(read.requestMethod == method)
    }

    static let refused = [
        // Elsewhere.
        "--location-trusted https://a/", "-x http://p https://a/", "-xp https://a/", "--proxy-header X:y https://a/", "--preproxy p https://a/",
        "--socks5 p https://a/", "--connect-to ::b: https://a/", "--resolve a:443:127.0.0.1 https://a/", "--unix-socket s https://a/",
        "--doh-url https://d https://a/", "--request-target /x https://a/", "--path-as-is https://a/", "--proto =ftp https://a/", "--hsts f https://a/",
        "--alt-svc f https://a/", "--url-query a=b https://a/", "--noproxy * https://a/",
        // To anyone.
        "-k https://a/", "-sk https://a/", "-skL https://a/", "--insecure https://a/", "--ciphers NULL https://a/", "--proxy-insecure https://a/",
        // What cannot be seen.
        "-K f https://a/", "-Kf https://a/", "--config - https://a/", "-H @f https://a/", "https://a/ --next https://b/", "-: https://a/", "-q https://a/",
        // Other authorizations.
        "-u a:b https://a/", "-n https://a/", "--netrc-file f https://a/", "--oauth2-bearer t https://a/", "--digest https://a/", "--aws-sigv4 x https://a/",
        "-H Authorization:x https://a/", "-HAuthorization:x https://a/", "-H authorization;x https://a/", "-H DPoP:x https://a/", "-H Host:b https://a/",
        "-H host;b https://a/", "-H HOST: https://a/", "-H Proxy-Authorization:x https://a/",
        // The token shown.
        "-v https://a/", "-sv https://a/", "--trace f https://a/", "--trace-ascii - https://a/", "--libcurl f https://a/",
        // Unknown, cut short, or with a sign of equality, which curl does not take.
        "--locat https://a/", "--url=https://a/", "--no-location https://a/", "--bogus https://a/", "-Ö https://a/", "-M https://a/", "-- https://a/",
        "--ftp-port - https://a/", "-Q x https://a/", "-t x https://a/", "--engine x https://a/",
        // Nothing to ask, or not enough.
        "", "-s", "-o", "https://a/ -o", "https://a/ -X", "-X G@T https://a/", "-X  https://a/", "- https://a/",
        // After the URL, where it is no longer postern's.
        "https://a/ --account b", "-T x https://a/", "-T x https://a", "-T x https://a/b/?c", "-G -d @f https://a/", "-G --data-urlencode n@f https://a/",
        "-G -d a{1,2} https://a/", "-G --json {} https://a/", "-G -F a=b https://a/",
    ]

    @Test("what could bring the token elsewhere, or cannot be judged, is wrong usage", arguments: refused)
    func refusedLine(line: String) {
        let failure = #expect(throws: CommandFailure.self) { try read(line) }
        #expect(failure?.status == .wrongUsage)
    }

    @Test(
        "a URL that could be read in two ways is refused",
        arguments: [
            "a.example", "//a.example/", "http:a.example", "https:/a.example", "https:///a.example", "ftp://a.example/", "file:///etc/passwd", "HTTPS://a.example/",
            "https://github.com@evil.example/", "https://u:p@a.example/", "https://a.example\\@evil.example/", "https://a.example\\.evil/", "https://{a,b}.example/",
            "https://a[1-2].example/", "https://a.example/[1-2]", "https://a.example/{x}", "https://a.example/#f", "https://a.example#@b.example/",
            "https://a.example/ x", "https://a.example/\n", "https://ä.example/", "https://a.example/ä", "https://a.example:0/", "https://a.example:99999/",
            "https://a.example:x/", "https://:443/", "https://", "https://[::1/", "https://a.example/`x`", "https://a.example/\u{0}", "https://a.example\t/",
        ])
    func refusedURL(text: String) {
        #expect(throws: CommandFailure.self) { try CurlURL(text) }
    }

    @Test("a NUL in an argument would end it early")
    func nul() {
        #expect(throws: CommandFailure.self) { try CurlCommandLine(["-o", "a\u{0}b", "https://a.example/"]) }
    }

    static let options = CurlOption.values.union(CurlOption.requestParts.filter(\.value.takesValue).keys).sorted()

    /// A URL is no value of an option: it is checked on its own.
    @Test("only bodies and what curl prints may have control characters", arguments: options)
    func controls(option: String) {
        for control in ["\r\n", "\n", "\r", "\t", "\u{1}", "\u{1F}", "\u{7F}"] {
            let words = ["--\(option)", "a=b\(control)c", "https://a.example/"]
            let isPassedOn = (try? CurlCommandLine(words)) != nil
            #expect(isPassedOn == CurlOption.texts.contains(option), "\(words)")
        }
    }

    @Test("the table names bodies, and nothing that does not exist")
    func texts() {
        #expect(CurlOption.texts.isSubset(of: Self.options))
        #expect(CurlOption.texts.isDisjoint(with: ["user-agent", "referer", "range", "cookie", "header", "request", "url"]))
    }

    @Test(
        "a combining mark hides nothing from the check",
        arguments: [
            ["-H", "@\u{301}file"], ["-H", "Authorization:\u{301}x"], ["-H", "Authorization \u{301}: x", "-H", "Host:\u{301}x"], ["-H", "Host;\u{301}x"],
            ["-\u{301}k"], ["-k\u{301}"], ["-\u{301}"], ["--\u{301}insecure"], ["https://\u{301}a.example/"], ["https://a.example/\u{301}"], ["https:/\u{301}/a.example/"],
            ["-G", "-d", "@\u{301}f"], ["-G", "--data-urlencode", "n@\u{301}f"], ["-T", "x", "https://a.example/x/?\u{301}"],
        ])
    func marks(words: [String]) {
        let failure = #expect(throws: CommandFailure.self) { try CurlCommandLine(words + ["https://a.example/x"]) }
        #expect(failure?.status == .wrongUsage)
    }

    static let forms: [([String], CurlCommandLine.Form)] = [
        ([], .none),
        (["-d", "a=1&b=x+y%26"], .parameters([FormParameter(name: "a", value: "1"), FormParameter(name: "b", value: "x y&")])),
        (["-d", "a=1", "--data-raw", "@b"], .parameters([FormParameter(name: "a", value: "1"), FormParameter(name: "@b", value: "")])),
        (["--data-urlencode", "a=1 ö&+"], .parameters([FormParameter(name: "a", value: "1 ö&+")])),
        (["--data-urlencode", "=a b", "--data-urlencode", "c d"], .parameters([FormParameter(name: "a b", value: ""), FormParameter(name: "c d", value: "")])),
        (["-d", "@\u{301}file"], .unknown), (["--data-urlencode", "a@\u{301}file"], .unknown),
        (["-d", "a=\u{301}1&\u{301}b"], .parameters([FormParameter(name: "a", value: "\u{301}1"), FormParameter(name: "\u{301}b", value: "")])),
        (["-d", "{}", "-H", "Content-Type:\u{301}application/json;\u{301}x"], .none),
        (["-d", "@file"], .unknown), (["--data-binary", "@-"], .unknown), (["--data-urlencode", "a@file"], .unknown), (["--data-urlencode", "@file"], .unknown),
        (["-d", "@file", "-H", "Content-Type: application/json"], .none),
        (["-d", "{}", "-H", "content-type:application/json; charset=utf-8"], .none),
        (["-d", "a=1", "-H", "Content-Type: application/x-www-form-urlencoded; charset=utf-8"], .parameters([FormParameter(name: "a", value: "1")])),
        (["--json", "{}"], .none), (["-F", "a=1"], .none), (["-G", "-d", "a=1"], .none),
    ]

    @Test("a form is what a signature covers", arguments: forms)
    func form(arguments: [String], form: CurlCommandLine.Form) throws {
        #expect(try CurlCommandLine(arguments + ["https://a.example/"]).form == form)
    }

    @Test(
        "with --get the data is in the URL that is asked about",
        arguments: [
            ("https://a.example/x", "https://a.example/x?a=1&b=%20%26"), ("https://a.example/x?y", "https://a.example/x?y&a=1&b=%20%26"),
            ("https://a.example", "https://a.example?a=1&b=%20%26"),
        ])
    func query(url: String, whole: String) throws {
        let line = try CurlCommandLine(["-G", "-d", "a=1", "--data-urlencode", "b= &", url])
        #expect(line.urls.map(\.text) == [whole])
        // curl adds it itself.
        #expect(line.arguments.suffix(2) == ["--url", url])
    }

    @Test(
        "postern's own options go first",
        arguments: [
            ["--account", "work", "--scope", "a", "--scope", "b", "--socket", "/s"],
            ["--account=work", "--scope=a", "--scope", "b", "--socket=/s"],
            ["--step-up", "--account=work", "--scope=a", "--scope", "b", "--socket=/s"],
        ])
    func own(options: [String]) throws {
        let request = try CurlRequest(options + ["-s", "https://a.example/"])
        #expect(request.account == "work")
        #expect(request.scopes == ["a", "b"])
        #expect(request.socket == "/s")
        #expect(request.stepsUp == options.contains("--step-up"))
        #expect(request.line.arguments == ["--silent", "--url", "https://a.example/"])
        for words in [
            ["--account"], ["--account", "-s", "https://a/"], ["--account", "", "https://a/"], ["--account=", "https://a/"],
            ["--scope=-a", "https://a/"], ["https://a/", "--account=x"], ["--step-up=1", "https://a/"], ["https://a/", "--step-up"],
            ["--step-up", "https://a/", "https://a/b"], ["--step-up", "-d", "@-", "https://a/"],
        ] {
            #expect(throws: CommandFailure.self) { try CurlRequest(words) }
        }
    }

    private func reply(_ headers: [String: String]) -> Interface.AuthorizeRequest.Reply {
        Interface.AuthorizeRequest.Reply(headers: headers.mapValues { Secret($0) }, providerID: "p", uid: "1")
    }

    @Test("the settings for curl quote what a signature has in it")
    func settings() throws {
        let authorization = try CurlAuthorization(reply(["Authorization": #"OAuth a="x\y""#]))
        let head = "dump-header = \"/h\"\nsuppress-connect-headers\n"
        #expect(authorization.settings(withoutProxy: false, head: "/h") == #"header = "Authorization: OAuth a=\"x\\y\"""# + "\n" + head)
        #expect(authorization.isSignature)
        #expect(authorization.isForOneRequest)
        let bearer = try CurlAuthorization(reply(["Authorization": "Bearer x"]))
        #expect(bearer.settings(withoutProxy: true, head: "/h") == "header = \"Authorization: Bearer x\"\n\(head)noproxy = \"*\"\n")
        #expect(!bearer.isForOneRequest)
        #expect(try CurlAuthorization(reply(["Authorization": "DPoP x", "DPoP": "y"])).isForOneRequest)
    }

    @Test(
        "a header that would leave its line is not given to curl",
        arguments: [[:], ["Authorization": "Bearer a\nurl = x"], ["Authorization": "a\r"], ["A: b\nurl": "x"], ["": "x"], ["Authorization": "ä"]])
    func noSettings(headers: [String: String]) {
        #expect(throws: CommandFailure.self) { try CurlAuthorization(reply(headers)) }
    }

    @Test(
        "curl's version is read from its first line",
        arguments: [
            ("curl 7.88.1 (x86_64-pc-linux-gnu) libcurl/7.88.1", 7088), ("curl 8.14.0-DEV (x) y", 8014), ("curl 7.8 z", 7008), ("wget 1.2 z", nil), ("curl", nil),
            ("curl x.y z", nil),
        ] as [(String, Int?)])
    func version(text: String, number: Int?) {
        #expect(CurlRequest.version(text: text) == number)
    }

    @Test(
        "a request is sent again only where a second run does what the first one did",
        arguments: [
            ("-s", true), ("-d a=1", true), ("-d @f", true), ("-d @-", false), ("-T -", false), ("-T .", false), ("-F a=@-", false), ("-F a=<-", false),
            ("--json @-\u{301}", false), ("--json @-", false), ("--data-urlencode n@-", false), ("-D h", false), ("-OJ", false), ("-C -", false), ("-o f", true),
            // Pipes and devices, which are read or written once.
            ("-d @/dev/zero", false), ("-T /dev/zero", false), ("-F a=@/dev/zero;type=a/b", false), ("-F a=</dev/zero", false),
            ("--data-urlencode n@/dev/zero", false), ("-o /dev/zero", false), ("--cacert /dev/zero", false), ("-b /dev/zero", false), ("-b -", false),
            ("-o -", true), ("-o /dev/null", true), ("-O", true), ("--stderr -", true), ("-b a=b", true), ("--cacert f", true),
            // Words that are no files' names.
            ("--data-raw @/dev/zero", true), ("--form-string a=@/dev/zero", true), ("-d a=@/dev/zero", true), ("--data-urlencode a=@/dev/zero", true),
            ("-F a=b;c", true), ("-F a=@f,/dev/zero", false), ("-F a=@\"/dev/zero\"", false), ("-H X:/dev/zero", true), ("-A /dev/zero", true),
            // What the first run leaves behind.
            ("-c jar", false), ("--etag-save f", false), ("--no-clobber -o f", false), ("-w %{http_code}", true), ("-w @f", false), ("-w %output{f}", false),
            ("-w %output{>>f}", false), ("https://b.example/", false),
        ])
    func again(options: String, can: Bool) throws {
        #expect(try read("\(options) https://a.example/x").canBeSentAgain == can)
    }
}

@Suite("The head of a response")
struct CurlHeadTests {
    @Test(
        "a refusal is one of the token or of what it is good for",
        arguments: [
            ("HTTP/1.1 401 No\r\n\r\n", true), ("HTTP/1.1 100 Continue\r\n\r\nHTTP/2 401 \r\nwww-authenticate: Bearer\r\n\r\n", true),
            ("HTTP/1.1 401 No\nWWW-Authenticate: DPoP error=\"use_dpop_nonce\"\nDPoP-Nonce: x\n\n", true),
            ("HTTP/1.1 403 No\r\nWWW-Authenticate: Bearer error=\"insufficient_scope\"\r\n\r\n", true), ("HTTP/1.1 403 No\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\nWWW-Authenticate: Bearer\r\n\r\n", false), ("HTTP/1.1 404 No\r\nWWW-Authenticate: Bearer\r\n\r\n", false),
            // The first server's answer counts.
            ("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\nHTTP/1.1 401 No\r\n\r\n", false), ("HTTP/1.1 401 No\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", true),
        ])
    func refusal(text: String, isOne: Bool) {
        let head = CurlHead(Array(text.utf8))
        #expect(head.isComplete)
        #expect(head.isRefusal == isOne)
    }

    @Test("what the server demands is passed on as it stands, each field by itself")
    func demands() {
        let head = CurlHead(
            Array(
                "HTTP/1.1 401 No\r\nWWW-Authenticate: \t Bearer scope=\"a b\", DPoP \r\nX: y\r\nwww-authenticate:Basic\r\ndpop-nonce:  abc \r\n\r\n".utf8))
        #expect(head.challenges == [#"Bearer scope="a b", DPoP"#, "Basic"])
        #expect(head.nonce == "abc")
        #expect(CurlHead(Array("HTTP/1.1 401 No\r\nDPoP-Nonce:\r\n\r\n".utf8)).nonce == nil)
    }

    @Test("what is cut short is none", arguments: ["", "\r\n", "HTTP/1.1 401", "HTTP/1.1 401 No\r\nDPoP-Nonce: x\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 \u{FFFD}\r\n\r\n"])
    func cut(text: String) {
        #expect(!CurlHead(Array(text.utf8)).isComplete)
        #expect(!CurlHead(Array(text.utf8)).isRefusal)
    }
}
