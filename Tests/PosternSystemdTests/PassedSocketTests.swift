import Glibc
import Testing

@Suite("Passed sockets")
struct PassedSocketTests {
    private let folder: TemporaryFolder
    private let program: TestSocket
    private let browser: TestSocket

    init() throws {
        folder = try TemporaryFolder()
        program = try TestSocket(path: folder.path("io.postern"), type: SOCK_STREAM)
        browser = try TestSocket(listening: true)
    }

    @Test("are distinguished by their names, whatever their order, and not inherited further")
    func names() throws {
        let outcome = try Child.run(
            ["sockets"], in: folder, passing: [browser.descriptor, program.descriptor], names: "callback:varlink")
        #expect(outcome.output == "callback 3 kept\nvarlink 4 kept\nenvironment clean\n")
    }

    @Test("without known names are distinguished by their kinds", arguments: [nil, "postern.socket:postern-callback.socket"])
    func kinds(names: String?) throws {
        let outcome = try Child.run(["sockets"], in: folder, passing: [program.descriptor, browser.descriptor], names: names)
        #expect(outcome.output == "varlink 3 kept\ncallback 4 kept\nenvironment clean\n")
    }

    @Test("of the wrong kind are refused")
    func wrongKind() throws {
        let outcome = try Child.run(["sockets"], in: folder, passing: [program.descriptor], names: "callback")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("a Unix socket by the name callback"))
    }

    @Test("for programs are one at most")
    func repeated() throws {
        let outcome = try Child.run(
            ["sockets"], in: folder, passing: [program.descriptor, program.descriptor], names: "varlink:varlink")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("more than one socket by the name varlink"))
    }

    @Test("that do not listen are refused by their name")
    func notListening() throws {
        let silent = try TestSocket(listening: false)
        let outcome = try withExtendedLifetime(silent) {
            try Child.run(["sockets"], in: folder, passing: [silent.descriptor], names: "callback")
        }
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("passed callback, which is neither"))
    }

    @Test("for another process are left alone")
    func anotherProcess() throws {
        let outcome = try Child.run(["sockets"], in: folder, environment: ["LISTEN_PID": "1", "LISTEN_FDS": "2"])
        #expect(outcome.output == "environment clean\n")
    }
}
