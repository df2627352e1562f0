import Glibc
import PosternConfiguration
import Testing

@Suite("The program of [attention]")
struct ChangeCommandTests {
    private let directory = PrivateDirectory()

    private func run(_ script: String, _ variables: [String: String] = [:], timeout: Duration = .seconds(30)) -> String? {
        ConfiguredCommand(arguments: ["sh", "-c", script], timeout: timeout).run(in: ["PATH": "/usr/bin:/bin"].merging(variables) { $1 })
    }

    @Test("It gets the facts, and its end is told where it is not a good one")
    func ends() {
        #expect(run(#"test "$POSTERN_EVENT" = good"#, ["POSTERN_EVENT": "good"]) == nil)
        #expect(run("exit 3") == "ended with status 3")
        #expect(run("kill -9 $$") == "was ended by signal 9")
        let missing = ConfiguredCommand(arguments: ["/nonexistent/program", "secret"], timeout: .seconds(30))
        #expect(missing.run(in: [:]) == "could not be started: no such file or directory")
        #expect(missing.name == "/nonexistent/program")
    }

    @Test("One that hangs is killed after its time, with all that it started, and that is reported", .timeLimit(.minutes(1)))
    func hangs() throws {
        let held = "\(directory.path)/held"
        try #require(mkfifo(held, 0o600) == 0)
        let reader = open(held, O_RDONLY | O_NONBLOCK)
        try #require(reader >= 0)
        defer { close(reader) }
        #expect(run("exec 3>'\(held)'; echo here >&3; sleep 1000 & wait", timeout: .milliseconds(500)) == "took longer than 0 s")
        // The other end is closed once nobody lives who has it; the time limit fails the test where somebody does.
        _ = fcntl(reader, F_SETFL, 0)
        var bytes = [UInt8](repeating: 0, count: 16)
        while read(reader, &bytes, bytes.count) > 0 {}
    }
}
