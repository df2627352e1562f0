import Foundation
import PosternClient
import StrictJSON
import Testing

@testable import TestDaemon
@testable import postern

@Suite("What the doctor finds")
struct DoctorTests {
    typealias Level = Finding.Level
    private static let remedies = Remedies(hasSystemd: true)

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
        let findings = RuntimeDirectoryCheck.findings(path: path, status: status, userID: 7, remedies: Self.remedies)
        #expect(findings.map(\.level) == [level])
    }

    @Test(
        "the runtime directory is made by logind only where it runs, and only in its own place",
        arguments: [
            ("/run/user/7", true, false, "loginctl enable-linger"), ("/run/user/7", false, false, "mkdir -m 700"),
            ("/elsewhere", true, false, "export XDG_RUNTIME_DIR=/run/user/7"), ("/elsewhere", false, true, "export XDG_RUNTIME_DIR=/run/user/7"),
            ("/elsewhere", false, false, "mkdir -m 700"), (nil, true, false, "log in through"), (nil, false, true, "export XDG_RUNTIME_DIR=/run/user/7"),
            (nil, false, false, "mkdir -m 700"),
        ] as [(String?, Bool, Bool, String)])
    func runtimeDirectoryFix(path: String?, hasLoginctl: Bool, isThere: Bool, words: String) throws {
        var remedies = Self.remedies
        (remedies.hasLoginctl, remedies.hasRuntimeDirectory) = (hasLoginctl, isThere)
        let findings = RuntimeDirectoryCheck.findings(path: path, status: nil, userID: 7, remedies: remedies)
        let fix = try #require(findings.first?.fix)
        #expect(fix.contains(words) && (hasLoginctl || !fix.contains("log")), "\(fix)")
    }

    @Test(
        "the socket",
        arguments: [
            (nil, 0o700, [Level.fail]),
            (FileStatus(kind: .socket, owner: 7, permissions: 0o600), 0o700, [.ok]),
            (FileStatus(kind: .other, owner: 7, permissions: 0o600), 0o700, [.fail]),
            (FileStatus(kind: .socket, owner: 8, permissions: 0o600), 0o700, [.fail]),
            (FileStatus(kind: .socket, owner: 8, permissions: 0o666), 0o700, [.fail]),
            (FileStatus(kind: .socket, owner: 7, permissions: 0o666), 0o700, [.warn]),
            (FileStatus(kind: .socket, owner: 7, permissions: 0o600), 0o777, [.fail]),
        ] as [(FileStatus?, UInt32, [Level])])
    func socket(status: FileStatus?, directory: UInt32, levels: [Level]) {
        let findings = SocketCheck.findings(
            path: "/run/user/7/postern/io.postern", status: status,
            directory: FileStatus(kind: .directory, owner: 7, permissions: directory), userID: 7, remedies: Self.remedies)
        #expect(findings.map(\.level) == levels)
        // Of another user's nothing can be changed.
        if status?.owner == 8 { #expect(findings.first?.fix?.contains("chmod") == false && findings.first?.fix == Self.remedies.ownDaemon) }
    }

    @Test("a socket in a directory that another user keeps closed is that user's, and no daemon is missing there")
    func closedDirectory() {
        let findings = SocketCheck.findings(
            path: "/run/user/0/postern/io.postern", status: nil, foreignOwner: 0, directory: nil, userID: 7, remedies: Self.remedies)
        #expect(findings == [.fail("socket", "/run/user/0/postern/io.postern belongs to user 0 (root)", fix: Self.remedies.ownDaemon)])
    }

    @Test("a socket in somebody else's directory fails")
    func foreignDirectory() {
        let findings = SocketCheck.findings(
            path: "/tmp/x/io.postern", status: FileStatus(kind: .socket, owner: 7, permissions: 0o600),
            directory: FileStatus(kind: .directory, owner: 8, permissions: 0o777), userID: 7, remedies: Self.remedies)
        #expect(findings.map(\.level) == [.fail])
        #expect(findings.first?.detail.contains("user 8") == true)
    }

    @Test("a daemon whose program was replaced is told, whenever it started, and no other", arguments: [true, false, nil])
    func olderDaemon(isReplaced: Bool?) {
        let status = Interface.GetStatus.Reply(
            version: Release.version, startedAt: "1970-01-01T00:00:07Z", callbackURLs: ["http://127.0.0.1:7678/"], locked: false, sessions: 0,
            users: 0, credentials: 0, replaced: isReplaced)
        let findings = DaemonCheck.findings(status: status, ownVersion: Release.version, remedies: Self.remedies)
        #expect(findings.map(\.level) == (isReplaced == true ? [.ok, .warn, .ok] : [.ok, .ok]))
        // The daemon does not tell who started it, and one that nobody would start again goes on.
        if isReplaced == true {
            #expect(findings[1].detail.contains("if systemd started it, it exits when it is idle") && findings[1].detail.contains("run it again"))
        }
    }

    @Test("another version, a locked store and no listener are told")
    func daemon() {
        let status = Interface.GetStatus.Reply(
            version: "9.9.9", startedAt: "2026-11-21T06:24:00Z", callbackURLs: [], locked: true, sessions: 0, users: 0, credentials: 0)
        #expect(
            DaemonCheck.findings(status: status, ownVersion: Release.version, remedies: Self.remedies).map(\.level) == [
                .warn, .fail, .fail,
            ])
    }

    @Test("a store that cannot be opened is told once, and unlocking is no advice for it")
    func brokenStore() {
        let status = Interface.GetStatus.Reply(
            version: Release.version, startedAt: "2026-11-21T06:24:00Z", callbackURLs: [], locked: true, sessions: 0,
            storeProblem: "it is damaged", problems: ["another"])
        let findings = DaemonCheck.findings(status: status, ownVersion: Release.version, remedies: Self.remedies)
        #expect(findings.map(\.level) == [.ok, .fail, .fail])
        #expect(findings.filter { $0.detail.contains("it is damaged") }.map(\.title) == ["store"])
        #expect(!findings.contains { $0.fix?.contains("unlock") == true })
    }

    @Test("of a daemon without a configuration neither the store nor the listener is told: both wait for it")
    func withoutConfiguration() {
        let status = Interface.GetStatus.Reply(
            version: Release.version, startedAt: "2026-11-21T06:24:00Z", callbackURLs: [], locked: true, sessions: 0,
            problems: ["config.toml:3: unknown key"])
        let findings = DaemonCheck.findings(
            status: status, ownVersion: Release.version, hasConfiguration: false, remedies: Self.remedies)
        #expect(findings.map(\.title) == ["daemon", "daemon"] && findings.last?.detail == "config.toml:3: unknown key")
    }

    @Test(
        "a directory of the configuration that others can write to fails, with a fix",
        arguments: [
            (7, 0o700, nil), (7, 0o755, nil), (0, 0o755, nil), (7, 0o777, "chmod go-w /c"), (7, 0o770, "chmod go-w /c"), (8, 0o700, "chown"),
        ] as [(UInt32, UInt32, String?)])
    func directory(owner: UInt32, permissions: UInt32, fix: String?) {
        let findings = DirectoryCheck.findings("/c", FileStatus(kind: .directory, owner: owner, permissions: permissions), userID: 7)
        #expect(findings.map(\.level) == (fix == nil ? [] : [.fail]))
        #expect(fix.map { findings.first?.fix?.contains($0) == true } ?? true)
        #expect(DirectoryCheck.findings("/c", nil, userID: 7).isEmpty)
    }

    @Test(
        "a disk without room fails, and one that has little warns",
        arguments: [
            (0, 9, Level.fail), ((64 << 10) - 1, 9, .fail), (64 << 10, 9, .fail), ((4 << 20) - 1, 9, .fail), (4 << 20, 9, .warn), ((64 << 20) - 1, nil, .warn), (64 << 20, nil, nil),
            (1 << 40, 0, .fail), (1 << 40, 9, nil),
        ] as [(UInt64, UInt64?, Level?)])
    func space(bytes: UInt64, files: UInt64?, level: Level?) {
        #expect(SpaceCheck.findings("/s", FreeSpace(bytes: bytes, files: files)).map(\.level) == [level].compactMap(\.self))
        #expect(SpaceCheck.findings("/s", nil).isEmpty)
        // Only one that takes nothing at all explains a store that cannot be opened.
        let isFull = bytes < SpaceCheck.tooLittle || files == 0
        #expect(SpaceCheck.findings("/s", FreeSpace(bytes: bytes, files: files), isStoreOpen: false).isEmpty == !isFull)
        #expect(SpaceCheck.findings("/s", FreeSpace(bytes: bytes, files: files)).contains { $0.detail.contains("nearly") } == (!isFull && level != nil))
    }

    @Test(
        "the program that answers at the callback's address is identified",
        arguments: [
            ("HTTP/1.1 400 Bad\r\nCache-Control: no-store\r\nContent-Security-Policy: default-src 'none'; x\r\n\r\n", Level.ok),
            ("HTTP/1.1 200 OK\r\nServer: other\r\n\r\n", .fail),
        ])
    func callback(answer: String, level: Level) throws {
        let address = try #require(WebAddress("http://127.0.0.1:7678/__/auth/handler"))
        #expect(CallbackCheck.judge(try LoopbackResponse(parsing: Array(answer.utf8)), at: address, remedies: Self.remedies).level == level)
    }

    @Test("a listener that is not there fails, with a fix")
    func unreachableCallback() {
        // Port 1 is tcpmux, which nothing has listened on for decades.
        let findings = CallbackCheck.findings(url: "http://127.0.0.1:1/__/auth/handler", remedies: Self.remedies)
        #expect(findings.map(\.level) == [.fail])
        #expect(findings.first?.fix != nil)
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
        let findings = CallbackCheck.findings(url: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/__/auth/handler", remedies: Self.remedies)
        #expect(findings.map(\.level) == [.fail])
        #expect(findings.first?.fix?.contains("same-user = false") == true)
    }

    @Test("an address of a provider's that the daemon could not take is reported once; what else a provider lacks is not told here")
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
            ], callbackURLs: [], remedies: Self.remedies)
        #expect(findings.map(\.level) == [.fail, .fail])
        #expect(findings.map(\.detail) == [taken, "another program has 127.0.0.1:7678"])
        #expect(findings[0].fix?.contains("the daemon takes the port with the next call") == true)
        #expect(findings[0].fix?.contains("systemctl") == false)
    }

    @Test(
        "another user's program that has the port is a warning unless somebody needs that port, and nobody is told to end it",
        arguments: [(true, false, true, Level.warn), (true, true, true, .fail), (true, false, false, .fail), (false, false, true, .fail)])
    func foreignHolder(isForeign: Bool, isNeeded: Bool, hasSubstitute: Bool, level: Level) throws {
        let problem = "127.0.0.1:7678 is in use by a program of bob; until it is free, sign-ins use 127.0.0.1:40000"
        let status = Interface.GetStatus.Reply(
            version: Release.version, startedAt: "2026-11-21T06:24:00Z",
            callbackURLs: hasSubstitute ? ["http://127.0.0.1:40000/__/auth/handler"] : [], locked: false, sessions: 0, problems: [problem])
        let provider = Provider(
            providerID: "gitlab.com", displayName: "GitLab", kind: .oauth2, flows: [.browser], scopes: [],
            redirectURI: "http://127.0.0.1:7678/__/auth/handler", configured: !isNeeded,
            problem: isNeeded ? "a program of bob has 127.0.0.1:7678, and GitLab accepts no other address" : nil)
        let findings = DaemonCheck.findings(
            status: status, ownVersion: Release.version, providers: [provider], remedies: Self.remedies, isForeign: { _ in isForeign })
        #expect(findings.filter { $0.detail == problem }.map(\.level) == [level])
    }

    @Test("a user who may not end the program at the port is told how to choose another port", arguments: [true, false])
    func otherPort(hasSystemd: Bool) {
        let remedies = Remedies(hasSystemd: hasSystemd)
        func fix(_ holder: PortHolder?, _ own: UInt32) -> String { CallbackCheck.fix(taken: holder, ownUserID: own, remedies) }
        let foreign = fix(PortHolder(userID: 0, process: nil), 4002)
        #expect(foreign.hasPrefix("a program of user 0 (root) has the port; to have a port of your own: ") && !foreign.contains("end it"))
        #expect(foreign.contains("port under [callback]") && foreign.contains("postern provider show PROVIDER"))
        #expect(foreign.contains("systemctl --user edit postern-callback.socket") == hasSystemd)
        for (holder, own) in [(PortHolder(userID: 7, process: (12, "nc")), 7), (PortHolder(userID: 7, process: (12, "nc")), 0)] as [(PortHolder, UInt32)] {
            #expect(fix(holder, own) == "nc (process 12) has the port: end it; the daemon takes the port with the next call")
        }
        #expect(fix(nil, 7).hasPrefix("end the program that has the port"))
    }

    @Test(
        "the clock",
        arguments: [
            (0, nil, Level.fail), (ClockCheck.earliest, nil, .ok), (ClockCheck.earliest, true, .ok), (ClockCheck.earliest, false, .warn),
        ]
            as [(Int64, Bool?, Level)])
    func clock(now: Int64, isSynchronised: Bool?, level: Level) {
        #expect(ClockCheck.findings(now: now, isSynchronised: isSynchronised, remedies: Self.remedies).map(\.level) == [level])
    }

    @Test(
        "the units",
        arguments: [
            (nil, [(Level.warn, "does not answer")]), ("", [(.warn, "does not answer")]),
            (show(), [(.ok, "starts the daemon")]),
            (show(socket: "UnitFileState=disabled"), [(.warn, "postern.socket is disabled")]),
            (show(socket: "LoadState=masked"), [(.fail, "postern.socket is masked")]),
            (show(socket: "LoadState=not-found\nActiveState=inactive"), [(.warn, "not installed")]),
            (show(socket: "LoadState=not-found\nActiveState=active"), [(.warn, "its file was removed")]),
            (show(socket: "LoadState=bad-setting"), [(.fail, "cannot use postern.socket (bad-setting)")]),
            (show(socket: "ActiveState=failed"), [(.fail, "has failed")]),
            (show(socket: "FragmentPath=/home/ada/.config/systemd/user/postern.socket"), [(.warn, "in place of the package's")]),
            (show(service: "ExecStart={ path=/home/ada/bin/posternd ; argv[]=x }"), [(.warn, "belongs to /usr/bin/posternd")]),
            (show(service: "ExecStart={ path=/gone/posternd ; argv[]=x }"), [(.fail, "/gone/posternd, which is not there")]),
        ] as [(String?, [(Level, String)])])
    func units(answer: String?, expected: [(Level, String)]) {
        let findings = UnitsCheck.findings(answer: answer, hasSystemd: true, own: Self.own, daemonAnswers: false) { !$0.hasPrefix("/gone") }
        let wrong = findings.filter { $0.level != .ok }
        #expect((wrong.isEmpty ? findings : wrong).map(\.level) == expected.map(\.0))
        for (finding, words) in zip(wrong.isEmpty ? findings : wrong, expected.map(\.1)) { #expect(finding.detail.contains(words)) }
    }

    @Test("there are no units to be judged where systemd does not run")
    func noUnits() {
        #expect(UnitsCheck.findings(answer: nil, hasSystemd: false, own: Self.own, daemonAnswers: false) { _ in true }.isEmpty)
    }

    @Test("a callback socket that has failed is left to a daemon that answers")
    func failedCallbackSocket() {
        let answer = "\(Self.show())\nId=postern-callback.socket\nLoadState=loaded\nActiveState=failed\nUnitFileState=disabled\n"
        let levels = [false, true].map { answers in
            UnitsCheck.findings(answer: answer, hasSystemd: true, own: Self.own, daemonAnswers: answers) { _ in true }.map(\.level)
        }
        #expect(levels == [[.fail], [.ok]])
    }

    @Test(
        "the bridge's units are judged where they are installed",
        arguments: [
            ("socket", "LoadState=loaded\nActiveState=active\nUnitFileState=enabled", [Level.ok]),
            ("socket", "LoadState=loaded\nActiveState=inactive\nUnitFileState=disabled", [.ok]),
            ("socket", "LoadState=not-found\nActiveState=inactive\nUnitFileState=", [.ok]),
            ("socket", "LoadState=loaded\nActiveState=failed\nUnitFileState=enabled", [.fail]),
            ("service", "LoadState=not-found\nActiveState=inactive\nUnitFileState=", [.ok]),
            ("service", "LoadState=loaded\nActiveState=inactive\nExecStart={ path=/usr/bin/postern-mcp ; argv[]=x }", [.ok]),
            ("service", "LoadState=loaded\nActiveState=inactive\nExecStart={ path=/home/ada/bin/postern-mcp ; argv[]=x }", [.warn]),
            ("service", "LoadState=loaded\nActiveState=inactive\nExecStart={ path=/gone/postern-mcp ; argv[]=x }", [.fail]),
        ])
    func bridgeUnits(unit: String, state: String, levels: [Level]) {
        let answer = "\(Self.show())\nId=postern-mcp.\(unit)\n\(state)\n"
        let findings = UnitsCheck.findings(answer: answer, hasSystemd: true, own: Self.own, daemonAnswers: true) { !$0.hasPrefix("/gone") }
        #expect(findings.map(\.level) == levels)
    }

    @Test(
        "a callback port that the configuration names is ignored where systemd's socket is at another one",
        arguments: [
            (9000, [7678], "active", [7678], IgnoredPort(configured: 9000, used: 7678)),
            (0, [7678, 7678], "active", [7678], IgnoredPort(configured: 0, used: 7678)),
            (nil, [7678], "active", [7678], nil), (7678, [7678], "active", [7678], nil), (9000, [7678], "inactive", [7678], nil),
            // Started by hand: at the port itself, or at a free one where that is taken.
            (9000, [9000], "active", [7678], nil), (9000, [40000], "active", [7678], nil),
            (9000, [], "active", [7678], nil), (9000, [7678], nil, [], nil),
        ] as [(Int?, [Int], String?, [Int], IgnoredPort?)])
    func ignoredPort(configured: Int?, callbacks: [Int], active: String?, ports: [Int], expected: IgnoredPort?) {
        let urls = callbacks.map { "http://127.0.0.1:\($0)/__/auth/handler" }
        let ignored = IgnoredPort(configured: configured, callbackURLs: urls) {
            active.map { UnitsCheck.Unit(id: UnitsCheck.callback, active: $0, ports: ports) }
        }
        #expect(ignored == expected)
        // As `postern config set` says it.
        let told = ChangeEffect(keys: ["callback.port"]) { true }.lines { "" }
        if let ignored {
            #expect(ignored.sentence.hasPrefix("callback.port (\(configured ?? 0)) is ignored: systemd has the sockets, and their units say"))
            #expect(ignored.sentence.hasSuffix(" 7678") && told[0].contains("is ignored: systemd has the sockets, and their units say"))
            for line in told.dropFirst() where line.contains("systemctl") { #expect(ignored.fix.contains(line.dropFirst(2))) }
            #expect(ignored.fix.contains(configured == 0 ? "[::1]:PORT" : "[::1]:9000") && ignored.fix.contains("config unset callback.port"))
        }
    }

    @Test("where a socket listens is read from its unit")
    func listens() {
        let answer = "Id=a.socket\nListen=127.0.0.1:7678 (Stream)\nListen=[::1]:9000 (Stream)\n\nId=b.socket\nListen=/run/user/7/b:1/s (Stream)\n"
        #expect(UnitsCheck.read(answer).map(\.ports) == [[7678, 9000], []])
    }

    @Test("a program that comes before the package's in the search path")
    func shadowingPrograms() {
        func shadowed(first: [String: String], files: [String: Int]) -> [String] {
            ProgramsCheck.findings {
                first[$0]
            } identity: {
                files[$0]
            }.map(\.detail)
        }
        let files = ["/usr/bin/postern": 1, "/usr/bin/posternd": 2, "/bin/postern": 1, "/home/ada/bin/postern": 3]
        #expect(shadowed(first: ["postern": "/usr/bin/postern", "posternd": "/usr/bin/posternd"], files: files).isEmpty)
        // /bin leads to /usr/bin.
        #expect(shadowed(first: ["postern": "/bin/postern"], files: files).isEmpty)
        let found = shadowed(first: ["postern": "/home/ada/bin/postern", "posternd": "/usr/bin/posternd"], files: files)
        #expect(found == ["/home/ada/bin/postern is used in place of the package's /usr/bin/postern"])
        // Where no package is installed, nothing is shadowed.
        #expect(shadowed(first: ["postern": "/home/ada/bin/postern"], files: ["/home/ada/bin/postern": 3]).isEmpty)
    }

    @Test("the bridge's program is missed")
    func bridgeProgram() {
        #expect(ProgramsCheck.bridge("/usr/bin/postern-mcp").isEmpty)
        #expect(ProgramsCheck.bridge(nil).map(\.level) == [.warn])
    }

    private static let own = [UnitsCheck.service: "/usr/bin/posternd", UnitsCheck.bridgeService: "/usr/bin/postern-mcp"]

    /// As `systemctl --user show` prints it, with the lines of one unit changed.
    private static func show(socket: String = "", service: String = "") -> String {
        func block(_ unit: String, _ changes: String) -> String {
            var values = [
                "Id": unit, "LoadState": "loaded", "ActiveState": "active",
                "UnitFileState": unit.hasSuffix("socket") ? "enabled" : "indirect",
                "FragmentPath": "/usr/lib/systemd/user/\(unit)",
            ]
            if unit.hasSuffix("service") { values["ExecStart"] = "{ path=/usr/bin/posternd ; argv[]=/usr/bin/posternd ; pid=0 }" }
            for line in changes.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                values[parts[0]] = parts[1]
            }
            return values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined()
        }
        return [block("postern.socket", socket), block("postern.service", service)].joined(separator: "\n")
    }

    @Test("advice names no tool that is missing")
    func remediesWithoutTools() {
        let bare = Remedies(hasSystemd: false, hasTimedatectl: false)
        for text in [bare.start, bare.ownDaemon, bare.restart, bare.log, bare.setClock, bare.restart(callbackSocket: "x.socket"), bare.otherPort] {
            #expect(!text.contains("systemctl") && !text.contains("journalctl") && !text.contains("timedatectl"))
        }
    }

    @Test(
        "the configuration, as the daemon itself reads it",
        arguments: [
            (0, "", [Level.ok]), (0, "posternd: /usr/share/postern/providers.d/a.toml:1: left out\n", [.warn]), (0, "posternd: note: a credential was not checked\n", [.ok]),
            (0, "posternd: left out: /etc/postern/config.toml:1: unknown key\n", [.ok, .warn]),
            (1, "posternd: note: a credential was not checked\nposternd: one\n", [.fail]),
            (78, "posternd: config.toml:3: unknown key\n", [.fail]), (78, "", [.fail]),
            (1, "posternd: one\nposternd: two\n", [.fail, .fail]), (1, "", [.warn]), (nil, nil, [.warn]), (127, "not found", [.warn]),
        ] as [(Int32?, String?, [Level])])
    func configuration(status: Int32?, output: String?, levels: [Level]) {
        #expect(ConfigurationCheck.findings(status: status, output: output, restart: "restart").map(\.level) == levels)
        let unused = ConfigurationCheck.findings(status: status, output: output, isInUse: false, restart: "restart")
        #expect(unused.map(\.level) == levels && !unused.contains { $0.detail.contains("next start") })
    }

    @Test("what a mistake in the configuration leads to depends on whether the daemon runs with it", arguments: [true, false])
    func consequence(isInUse: Bool) throws {
        let findings = ConfigurationCheck.findings(status: 78, output: "posternd: config.toml:3: unknown key\n", isInUse: isInUse, restart: "restart")
        let finding = try #require(findings.first)
        #expect(finding.detail == "\(isInUse ? "the next start" : "the daemon") cannot use the configuration: config.toml:3: unknown key")
        #expect(ConfigurationCheck.mistake(finding) == "config.toml:3: unknown key")
    }

    @Test("what only the daemon can judge is no mistake: it is told if no daemon does, and a warning is one in any case", arguments: [true, false])
    func unchecked(daemonJudges: Bool) {
        let output = """
            posternd: unchecked: github.com: its client secret depends on the daemon's environment
            posternd: warning: the callback listener's certificate in '/c' ends within 3 days, and browsers refuse it then
            """
        for status in [0, 1] as [Int32] {
            let findings = ConfigurationCheck.findings(status: status, output: output, daemonJudges: daemonJudges, restart: "restart it")
            let warnings = findings.filter { $0.title == "configuration" && $0.detail.contains("its client secret") }
            #expect(warnings.map(\.level) == (daemonJudges ? [] : [.warn]))
            let certificates = findings.filter { $0.detail.contains("certificate") }
            #expect(certificates.map(\.level) == [.warn] && certificates[0].fix?.hasSuffix("afterwards: restart it") == true)
        }
    }

    @Test(
        "advice on a problem of the daemon's is about what can change it: its environment only at its start",
        arguments: [
            ("github.com: its client secret cannot be read: the environment variable X is not set", "EnvironmentFile=", "posternd is started"),
            ("x: its client secret cannot be read: the credential c cannot be read: the service was started without LoadCredential=c:FILE", "LoadCredential=", "{ file = "),
            ("requests to providers are not sent: the setting HTTPS_PROXY has no valid host and port", "show-environment", "correct or unset it"),
            ("the callback listener's certificate in '/c' ended on 2026-01-01, so browsers refuse it", "--replace", "--replace"),
        ])
    func environmentAdvice(problem: String, withSystemd: String, byHand: String) {
        let (unit, hand) = (Remedies(hasSystemd: true).fix(of: problem), Remedies(hasSystemd: false).fix(of: problem))
        #expect(unit.contains(withSystemd) && unit.hasSuffix("systemctl --user restart postern.service"), "\(unit)")
        #expect(hand.contains(byHand) && !hand.contains("systemctl") && hand.hasSuffix("start it again: \(DaemonStart.inBackground)"), "\(hand)")
        #expect(!unit.contains("reload") && !hand.contains("reload"))
    }

    @Test(
        "a directory above the configuration lets others replace it if they own it, or can write to it and rename what is not theirs",
        arguments: [
            (7, 0o755, false, false, nil), (0, 0o755, false, false, nil), (7, 0o775, false, false, nil), (7, 0o775, true, false, Level.warn),
            (7, 0o777, false, false, .fail), (0, 0o777, false, true, nil), (8, 0o755, false, false, .fail), (8, 0o700, false, true, .fail),
        ] as [(UInt32, UInt32, Bool, Bool, Level?)])
    func above(owner: UInt32, permissions: UInt32, isGroupShared: Bool, isSticky: Bool, level: Level?) {
        var step = PathCheck.Step(path: "/a b", owner: owner, permissions: permissions, isSticky: isSticky, isGroupShared: isGroupShared)
        func findings(home: String? = nil) -> [Finding] {
            PathCheck.findings(title: "configuration", of: "/a b/c", steps: [step], trusted: [0, 7], home: home)
        }
        #expect(findings().map(\.level) == [level].compactMap(\.self))
        if let finding = findings(home: "/a b").first {
            #expect(finding.detail.contains("your home directory /a b") && finding.detail.hasSuffix("in the place of /a b/c"))
            #expect(owner == 8 || finding.fix == "chmod go-w '/a b'")
        }
        // A link's own mode says nothing; its owner can lead it elsewhere.
        step.isLink = true
        #expect(findings().map(\.level) == (owner == 8 ? [.fail] : []))
    }

    @Test("the way to a directory includes that of the links on it, and ends where nothing is")
    func steps() throws {
        let directory = try DemoDirectory(environment: [:])
        defer { _ = directory.remove() }
        let real = directory.file("real")
        try FileManager.default.createDirectory(atPath: "\(real)/deep/in", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: "real/./deep")
        func names(_ path: String) -> [String] {
            let above = PathCheck.steps(to: directory.path).map(\.path) + [directory.path]
            return PathCheck.steps(to: path).map(\.path).filter { !above.contains($0) }.map { String($0.dropFirst(directory.path.utf8.count + 1)) }
        }
        #expect(names(directory.file("link/in")) == ["link", "real", "real/deep"])
        #expect(names(directory.file("link/../deep/in")) == ["link", "real", "real/deep"])
        #expect(names(directory.file("real/none/such")) == ["real"])
        // Without an end.
        try FileManager.default.createSymbolicLink(atPath: directory.file("round"), withDestinationPath: "round")
        #expect(names(directory.file("round/x")) == ["round"])
    }

    @Test(
        "files beside the configuration that look like it and that nothing reads",
        arguments: [
            ("config.toml", true, true), ("github.toml", true, false), ("postern.conf", false, false), ("config.yaml", false, false), ("Config.TOML", false, false),
            (".hidden.toml", true, true), ("config.toml~", true, true), ("loopback.crt", true, true), ("github.com.secret", true, true), ("README", true, true),
            ("named.conf", true, true),
        ])
    func ignoredFiles(name: String, isReadInParts: Bool, isReadBeside: Bool) {
        func found(read: String?) -> [Finding] { IgnoredFilesCheck.findings("/c", [name], read: read) { $0 == "named.conf" } }
        #expect(found(read: "config.toml").isEmpty == isReadBeside)
        #expect(found(read: nil).isEmpty == isReadInParts)
        if let finding = found(read: "config.toml").first {
            #expect(finding.level == .warn && finding.detail.contains("/c/\(name)") && finding.fix?.contains("/c/config.d/") == true)
            // No command makes TOML of another format.
            #expect(finding.fix?.contains("mv -n ") == !name.hasSuffix(".yaml"))
        }
    }

    @Test("a store that cannot be written is told once, with what prevents it")
    func unwritableStore() {
        let findings = StateDirectoryCheck.findings(["/s", "/s/postern.db"]) { _ in .immutable }
        #expect(findings == [.fail("store", "nothing can be kept: /s is immutable (chattr +i)", fix: "as root: chattr -i /s")])
        #expect(StateDirectoryCheck.findings(["/s"]) { _ in nil }.isEmpty)
    }

    @Test(
        "what a provider refused is told with what to do about it",
        arguments: [
            ("invalid_client", "postern setup work asks for them again"), ("invalid_grant", "postern sign-in work"), ("invalid_scope", "config set provider.work.scopes"),
            ("temporarily_unavailable", "try again later"), ("invalid_request", "postern provider check work"),
            ("redirect_uri_mismatch", "postern provider show work"), ("server_says_no", "postern provider check work"), (nil, "postern provider check work"),
        ])
    func refusal(error: String?, fix: String) throws {
        let provider = Provider(
            providerID: "work", displayName: "Work", kind: .oauth2, flows: [.browser], scopes: [], configured: true,
            lastRefusal: ProviderRefusal(refusedAt: "2026-11-21T06:24:00Z", error: error, message: "no"))
        let findings = DaemonCheck.findings(refusalsOf: [provider], credentials: [], times: .exact)
        #expect(findings.map(\.level) == [.warn] && findings[0].fix?.contains(fix) == true)
        #expect(findings[0].detail.hasPrefix("work refused a request on ") && (error.map { findings[0].detail.hasSuffix("no (\($0))") } ?? true))
        // The account says it better.
        let credential = StoredCredential(
            providerID: "work", uid: "42", email: "a@example.com", scopes: [], refreshable: false, state: .signInNeeded, reason: "it was revoked")
        let both = DaemonCheck.findings(refusalsOf: [provider], credentials: [credential], times: .exact)
        #expect(both.first?.detail == "a@example.com at work has to sign in again: it was revoked" && both.first?.fix == "postern sign-in work")
        #expect(both.count == (error == "invalid_grant" ? 1 : 2))
    }

    @Test("a profile that cannot be loaded is a warning; one that can, or that nobody could ask about, is nothing")
    func profile() {
        #expect(ProfileCheck.findings(status: nil, output: nil).isEmpty && ProfileCheck.findings(status: 0, output: "").isEmpty)
        let finding = ProfileCheck.findings(status: 1, output: "AppArmor parser error in line 3\nmore").first
        #expect(finding?.level == .warn && finding?.detail.contains("line 3") == true)
    }

    @Test("who listens at a port is read from the kernel's table")
    func portHolder() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1DFE 0100007F:A000 01 00000000:00000000 00:00000000 00000000  1000        0 1 1 0
               1: 0100007F:1DFE 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 4711 1 0
               2: nonsense
            """
        let row = PortHolder.listening(at: ["0100007F"], 7678, in: table)
        #expect(row?.userID == 1001 && row?.inode == 4711)
        #expect(
            PortHolder.listening(at: ["0100007F"], 7679, in: table) == nil && PortHolder.listening(at: ["00000000"], 7678, in: table) == nil
        )
        #expect(PortHolder.listening(at: ["0100007F"], 1, in: "") == nil)
        #expect(PortHolder(userID: 0, process: (12, "nc")).text(ownUserID: 1) == "nc (process 12)")
        #expect(PortHolder(userID: 1, process: nil).text(ownUserID: 1) == "another program of yours")
        #expect(PortHolder(userID: 0, process: nil).text(ownUserID: 1) == "a program of user 0 (root)")
    }

    @Test("a path that is too long for a socket")
    func longPath() {
        let path = "/run/" + String(repeating: "x", count: 103)
        let findings = SocketCheck.findings(path: path, status: nil, directory: nil, userID: 7, remedies: Self.remedies)
        #expect(findings.map(\.level) == [.fail] && findings[0].detail.contains("108 bytes"))
    }

    @Test("the desktop", arguments: [([:], Level.warn), (["DISPLAY": ":0"], .ok)] as [([String: String], Level)])
    func desktop(environment: [String: String], level: Level) {
        let findings = DesktopCheck.findings(place: TerminalLocation(variable: { environment[$0] }), browser: .command(["xdg-open"])) { "/usr/bin/\($0)" }
        #expect(findings.map(\.level) == [level, .ok] && findings[1].detail == "/usr/bin/xdg-open")
    }

    @Test("the browser that the configuration names")
    func browser() {
        let place = TerminalLocation(variable: { _ in nil })
        #expect(DesktopCheck.findings(place: place, browser: .command(["xdg-open"])) { _ in nil }.map(\.level) == [.warn, .warn])
        let firefox = DesktopCheck.findings(place: place, browser: .command(["firefox", "-P"])) { $0 == "firefox" ? "/bin/firefox" : nil }
        #expect(firefox.last == .ok("browser", "/bin/firefox"))
        // The configuration's check names one that is missing.
        #expect(DesktopCheck.findings(place: place, browser: .command(["firefox"])) { _ in nil }.map(\.title) == ["display"])
        for finding in [DesktopCheck.findings(place: place, browser: .none) { _ in nil }, DesktopCheck.findings(place: place, browser: .portal) { _ in nil }] {
            #expect(finding.last?.level == .ok && finding.last?.detail.contains("xdg-open") == false)
        }
    }

    @Test("no provider that is ready is a warning")
    func providers() {
        var provider = Provider(providerID: "p", displayName: "P", kind: .oidc, flows: [.browser], scopes: [], configured: false)
        #expect(DaemonCheck.findings(providers: [provider]).map(\.level) == [.warn])
        provider.configured = true
        #expect(DaemonCheck.findings(providers: [provider]).map(\.level) == [.ok])
    }
}
