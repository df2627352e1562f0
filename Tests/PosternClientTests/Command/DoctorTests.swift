import Foundation
import PosternClient
import StrictJSON
import Testing

@testable import postern

@Suite("What the doctor finds")
struct DoctorTests {
    typealias Level = Finding.Level

    @Test(
        "the runtime directory",
        arguments: [
            (nil, nil, Level.warn),
            ("relative", nil, .fail),
            ("/run/user/7", nil, .fail),
            ("/run/user/7", FileStatus(kind: .directory, owner: 7, permissions: 0o700), .ok),
            ("/run/user/7", FileStatus(kind: .directory, owner: 8, permissions: 0o700), .fail),
            ("/run/user/7", FileStatus(kind: .directory, owner: 7, permissions: 0o755), .fail),
            ("/run/user/7", FileStatus(kind: .other, owner: 7, permissions: 0o700), .fail),
        ] as [(String?, FileStatus?, Level)])
    func runtimeDirectory(path: String?, status: FileStatus?, level: Level) {
        #expect(RuntimeDirectoryCheck.findings(path: path, status: status, userID: 7).map(\.level) == [level])
    }

    @Test(
        "the socket",
        arguments: [
            (nil, 0o700, [Level.fail]),
            (FileStatus(kind: .socket, owner: 7, permissions: 0o600), 0o700, [.ok]),
            (FileStatus(kind: .other, owner: 7, permissions: 0o600), 0o700, [.fail]),
            (FileStatus(kind: .socket, owner: 8, permissions: 0o600), 0o700, [.fail]),
            (FileStatus(kind: .socket, owner: 7, permissions: 0o666), 0o700, [.warn]),
            (FileStatus(kind: .socket, owner: 7, permissions: 0o600), 0o777, [.fail]),
        ] as [(FileStatus?, UInt32, [Level])])
    func socket(status: FileStatus?, directory: UInt32, levels: [Level]) {
        let findings = SocketCheck.findings(
            path: "/run/user/7/postern/io.postern", status: status,
            directory: FileStatus(kind: .directory, owner: 7, permissions: directory), userID: 7)
        #expect(findings.map(\.level) == levels)
    }

    @Test("a socket in somebody else's directory fails")
    func foreignDirectory() {
        let findings = SocketCheck.findings(
            path: "/tmp/x/io.postern", status: FileStatus(kind: .socket, owner: 7, permissions: 0o600),
            directory: FileStatus(kind: .directory, owner: 8, permissions: 0o755), userID: 7)
        #expect(findings.map(\.level) == [.fail])
        #expect(findings.first?.detail.contains("user 8") == true)
    }

    @Test("a daemon that started before its program was replaced is told, and no other", arguments: [-3600, -1, 0, 1, 3600] as [Int64])
    func olderDaemon(age: Int64) {
        let started = EpochTime(seconds: 1_800_000_000)
        let status = Interface.GetStatus.Reply(
            version: Release.version, startedAt: started.text ?? "", callbackURLs: ["http://127.0.0.1:7678/"], locked: false, sessions: 0,
            users: 0, credentials: 0)
        let installed = InstalledDaemon(path: "/usr/bin/posternd", installed: started.seconds + age)
        let findings = DaemonCheck.findings(status: status, ownVersion: Release.version, installed: installed)
        #expect(findings.map(\.level) == (age > 0 ? [.ok, .warn, .ok] : [.ok, .ok]))
        #expect(installed.warning(startedAt: "whenever") == nil)
    }

    @Test("another version, a locked store and no listener are told")
    func daemon() {
        let status = Interface.GetStatus.Reply(
            version: "9.9.9", startedAt: "2026-11-21T06:24:00Z", callbackURLs: [], locked: true, sessions: 0, users: 0, credentials: 0)
        #expect(DaemonCheck.findings(status: status, ownVersion: Release.version).map(\.level) == [.warn, .fail, .fail])
    }

    @Test(
        "who answers at the callback's address",
        arguments: [
            ("HTTP/1.1 400 Bad\r\nCache-Control: no-store\r\nContent-Security-Policy: default-src 'none'; x\r\n\r\n", Level.ok),
            ("HTTP/1.1 200 OK\r\nServer: other\r\n\r\n", .fail),
        ])
    func callback(answer: String, level: Level) throws {
        let address = try #require(WebAddress("http://127.0.0.1:7678/__/auth/handler"))
        #expect(CallbackCheck.judge(try LoopbackResponse(parsing: Array(answer.utf8)), at: address).level == level)
    }

    @Test("a listener that is not there fails, with a mend")
    func unreachableCallback() {
        // Port 1 is tcpmux, which nothing has listened on for decades.
        let findings = CallbackCheck.findings(url: "http://127.0.0.1:1/__/auth/handler")
        #expect(findings.map(\.level) == [.fail])
        #expect(findings.first?.mend != nil)
    }

    @Test("a listener that closes the connection without an answer takes this user for another")
    func foreignCallback() {
        let listener = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        #expect(isBound)
        Thread.detachNewThread { close(accept(listener, nil, nil)) }
        let findings = CallbackCheck.findings(url: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/__/auth/handler")
        #expect(findings.map(\.level) == [.fail])
        #expect(findings.first?.mend?.contains("same-user = false") == true)
    }

    @Test("an address of a provider's that the daemon could not take is told once; what else a provider lacks is not told here")
    func takenRedirects() {
        func provider(_ id: String, _ redirectURI: String, problem: String) -> Provider {
            Provider(
                providerID: id, displayName: id, kind: .oauth2, flows: [.browser], scopes: [], redirectURI: redirectURI, configured: false,
                problem: problem)
        }
        let localhost = "http://localhost:7678/__/auth/handler"
        let taken = "localhost is [::1]:7678 as well, and a program of ada has that address"
        let findings = RedirectCheck.findings(
            providers: [
                provider("a", localhost, problem: "its client-id is missing"),
                provider("b", localhost, problem: taken),
                provider("c", localhost, problem: taken),
                provider("d", "http://127.0.0.1:7678/__/auth/handler", problem: "another program has 127.0.0.1:7678"),
                provider("e", "https://example.com/handler", problem: "example.com is not this machine"),
            ], callbackURLs: [])
        #expect(findings.map(\.level) == [.fail, .fail])
        #expect(findings.map(\.detail) == [taken, "another program has 127.0.0.1:7678"])
        #expect(findings[0].mend?.contains("postern-callback-ipv6.socket") == true)
    }

    @Test(
        "the clock",
        arguments: [
            (0, nil, Level.fail), (ClockCheck.earliest, nil, .ok), (ClockCheck.earliest, true, .ok), (ClockCheck.earliest, false, .warn),
        ]
            as [(Int64, Bool?, Level)])
    func clock(now: Int64, isSynchronised: Bool?, level: Level) {
        #expect(ClockCheck.findings(now: now, isSynchronised: isSynchronised).map(\.level) == [level])
    }

    @Test(
        "the units",
        arguments: [
            (nil, [Level.warn]), ("", [.warn]), ("enabled\nenabled\n", [.ok, .ok]), ("enabled\ndisabled\n", [.ok, .ok]),
            ("disabled\nmasked\n", [.warn, .warn]),
            ("not-found\n", [.warn, .warn]),
        ] as [(String?, [Level])])
    func units(answer: String?, levels: [Level]) {
        #expect(UnitsCheck.findings(answer: answer).map(\.level) == levels)
    }

    @Test(
        "the desktop",
        arguments: [([:], nil, [Level.warn, .warn]), (["DISPLAY": ":0"], "/usr/bin/xdg-open", [.ok, .ok])]
            as [([String: String], String?, [Level])])
    func desktop(environment: [String: String], opener: String?, levels: [Level]) {
        #expect(DesktopCheck.findings(place: Place(environment: environment), opener: opener).map(\.level) == levels)
    }

    @Test("no provider that is ready is a warning")
    func providers() {
        var provider = Provider(providerID: "p", displayName: "P", kind: .oidc, flows: [.browser], scopes: [], configured: false)
        #expect(DaemonCheck.findings(providers: [provider]).map(\.level) == [.warn])
        provider.configured = true
        #expect(DaemonCheck.findings(providers: [provider]).map(\.level) == [.ok])
    }
}
