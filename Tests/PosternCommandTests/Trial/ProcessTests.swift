import Glibc
import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

/// The built command as a process; it stands beside the test runner.
@Suite("The command as a process")
struct ProcessTests {
    struct Result {
        var output: String
        var words: String
        var status: Int32
    }

    private func run(_ line: String, environment: [String: String] = [:]) throws -> Result {
        let own = try #require(Executable.ownPath)
        let program = try #require(own.lastIndex(of: "/").map { own[...$0] + "postern" })
        let directory = try DemoDirectory(environment: [:])
        defer { _ = directory.remove() }
        let log = open(directory.file("words"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(log) }
        let child = try ChildProcess(
            path: String(program), arguments: line.split(separator: " ").map(String.init),
            environment: environment.merging(["POSTERN_SOCKET": directory.file("nobody")]) { own, _ in own }, log: log)
        let output = try #require(child.collectOutput(timeout: 30_000))
        let status = try #require(child.status)
        return Result(output: output, words: directory.tail(of: "words", lines: 20).joined(separator: "\n"), status: (status >> 8) & 0xFF)
    }

    @Test(
        "without a daemon the status is 4, standard output has nothing but the error that --json wants, and the words say what to try",
        arguments: ["status", "token p", "sign-in p --no-browser", "provider list --json"])
    func unreachable(line: String) throws {
        let result = try run(line)
        #expect(result.status == 4)
        #expect(line.hasSuffix("--json") ? result.output.hasPrefix("{\"error\":\"daemonUnreachable\"") : result.output.isEmpty)
        #expect(result.words.contains(DaemonStart.hasSystemd ? "systemctl --user start postern.socket" : DaemonStart.inBackground))
    }

    @Test("wrong usage ends with 64", arguments: ["bogus", "call X notjson"])
    func wrongUsage(line: String) throws {
        let result = try run(line)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
    }

    @Test("a socket that nobody answers on is distinguished from one that is missing")
    func deadSocket() throws {
        let directory = try DemoDirectory(environment: [:])
        defer { _ = directory.remove() }
        _ = try ReadinessSocket(path: directory.file("dead"))
        let result = try run("status", environment: ["POSTERN_SOCKET": directory.file("dead")])
        #expect(result.status == 4)
    }

    @Test("the doctor finds that there is no daemon, and says so in JSON too")
    func doctor() throws {
        let result = try run("doctor --json")
        #expect(result.status == 4)
        #expect(result.output.contains("\"level\":\"fail\""))
    }

    @Test("the demo without a display asks for --headless")
    func demo() throws {
        let result = try run("demo")
        #expect(result.status == 1)
        #expect(result.words.contains("postern demo --headless"))
    }
}
