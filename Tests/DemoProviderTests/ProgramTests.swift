import Glibc
import Testing

/// The program itself, as the build left it beside the tests.
@Suite("postern-demo-provider")
struct ProgramTests {
    @Test("It names its address, answers there, and ends when its input does", .timeLimit(.minutes(1)))
    func endsWithInput() throws {
        let program = try Program(["--exit-with-stdin"])
        let line = try program.firstLine()
        #expect(line.hasPrefix("listening http://127.0.0.1:"))
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        #expect(try HTTPExchange.send("GET", "/jwks", port: port).status == 200)
        program.closeInput()
        #expect(program.waitForEnd() == 0)
    }

    @Test("It ends in order on a signal", .timeLimit(.minutes(1)), arguments: [SIGTERM, SIGINT])
    func endsWithSignal(signal: Int32) throws {
        let program = try Program([])
        _ = try program.firstLine()
        kill(program.process, signal)
        #expect(program.waitForEnd() == 0)
    }

    @Test("It ends by itself", .timeLimit(.minutes(1)))
    func endsWithTime() throws {
        let program = try Program(["--lifetime", "1"])
        #expect(program.waitForEnd() == 0)
    }

    @Test(
        "Impossible options are refused with usage",
        arguments: [
            ["--port", "70000"], ["--lifetime", "0"], ["--access-token-seconds", "0"], ["--client-secret-file", "/nonexistent"],
            ["--unknown"],
        ])
    func refused(arguments: [String]) throws {
        #expect(try Program(arguments).waitForEnd() == 64)
    }
}

private struct Program {
    let process: pid_t
    private let input: Int32
    private let output: Int32

    init(_ arguments: [String]) throws {
        var inputs: [Int32] = [-1, -1]
        var outputs: [Int32] = [-1, -1]
        try #require(pipe(&inputs) == 0 && pipe(&outputs) == 0)
        for descriptor in inputs + outputs { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputs[0], 0)
        posix_spawn_file_actions_adddup2(&actions, outputs[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let argv = ([Self.path] + arguments).map { strdup($0) } + [nil]
        defer { for text in argv { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, Self.path, &actions, nil, argv, environ)
        close(inputs[0])
        close(outputs[1])
        try #require(code == 0, "\(Self.path) cannot be started")
        self.process = process
        input = inputs[1]
        output = outputs[0]
    }

    /// Where the test bundle is, there are the programs.
    private static var path: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let directory = own.split(separator: "/").dropLast().joined(separator: "/")
        return "/\(directory)/postern-demo-provider"
    }

    func firstLine() throws -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1, byte != 0x0A { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    func closeInput() { close(input) }

    /// The status it ended with; nil if a signal ended it.
    func waitForEnd() -> Int32? {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        close(output)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }
}
