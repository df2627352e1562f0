import Glibc
import Testing

@testable import PosternSystemd

@Suite("A detached program")
struct DetachedProgramTests {
    private let folder: TemporaryFolder
    private let report: Int32

    /// Tells through the FIFO who its parent and its session are, what it was given, and what it can write to.
    private static let script = """
        #!/bin/sh
        {
            cut -d ' ' -f 1,4,6 /proc/$$/stat
            readlink /proc/$$/fd/0 /proc/$$/fd/2
            readlink /proc/$$/fd/9 || echo "no others"
            env | grep -E '^(ONLY|HOME)='
            printf '<%s>' "$@"
            printf end
        } >"${0%/*}/report"
        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("program", Self.script, mode: 0o700)
        mkfifo(folder.path("report"), 0o600)
        // For reading and writing: an open for reading alone sees an end before the writer comes.
        report = open(folder.path("report"), O_RDWR | O_CLOEXEC)
    }

    private func reported() -> String {
        defer { close(report) }
        var text = ""
        var poll = pollfd(fd: report, events: Int16(POLLIN), revents: 0)
        while !text.hasSuffix("end"), Glibc.poll(&poll, 1, 20_000) > 0 {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(report, &buffer, buffer.count)
            guard count > 0 else { break }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return text
    }

    @Test("is no child, leads its own session, and has neither our terminal nor our environment")
    func detached() throws {
        let stray = ["/bin/sh", "-c", #"exec "$0" "$@" 9</dev/zero"#]
        let outcome = try Child.run(["launch", folder.path("program")], in: folder, environment: ["HOME": "/nobody"], wrapper: stray)
        #expect(outcome.output == "no children\n")
        let lines = reported().split(separator: "\n")
        let numbers = try #require(lines.first).split(separator: " ")
        try #require(numbers.count == 3)
        #expect(numbers[0] == numbers[2], "it leads its session")
        #expect(lines.dropFirst().prefix(4) == ["/dev/null", "/dev/null", "no others", "ONLY=this"])
    }

    @Test("is no child either where no other program is there to help")
    func noHelper() throws {
        let wrapper = ["/usr/bin/env", "PATH=/nowhere"]
        #expect(try Child.run(["launch", folder.path("program")], in: folder, wrapper: wrapper).output == "no children\n")
        #expect(reported().hasSuffix("end"))
    }

    @Test("gets its arguments as they are")
    func arguments() throws {
        let hostile = ["https://example.com/?a=1&b=$(id)", "`id`; exit", "two words", "", "--fork", "'\"\\", "日本\nè", "%u"]
        #expect(try Child.run(["launch", folder.path("program")] + hostile, in: folder).status == 0)
        #expect(reported().hasSuffix(hostile.map { "<\($0)>" }.joined() + "end"))
    }

    @Test("that cannot be run is said with the reason")
    func unusable() throws {
        defer { close(report) }
        try folder.write("text", "no program", mode: 0o700)
        let outcome = try Child.run(["launch", folder.path("text")], in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.output == "\(folder.path("text")) cannot be started: Exec format error\n")
    }

    @Test("that is not there is said", arguments: ["/no/such/program", "no-such-program-at-all"])
    func missing(program: String) throws {
        defer { close(report) }
        let outcome = try Child.run(["launch", program], in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.output == "there is no program \(program) on PATH\n")
    }

    @Test("that ends with another status than 0 while it is watched is an error", arguments: [("exit 3", "ended with status 3"), ("kill -9 $$", "was ended by signal 9")])
    func failure(script: String, words: String) throws {
        let error = #expect(throws: LaunchError.self) {
            try DetachedProgram.start(["/bin/sh", "-c", script], environment: [:], watchTime: 20_000)
        }
        #expect(error?.description == "/bin/sh \(words)")
    }

    @Test("that ends well, or goes on, is none")
    func success() throws {
        try DetachedProgram.start(["/bin/sh", "-c", "exit 0"], environment: [:], watchTime: 20_000)
        // Until the file goes with the folder.
        try DetachedProgram.start(["/bin/sh", "-c", "read line <'\(folder.path("report"))'"], environment: [:], watchTime: 1)
        _ = write(report, "\n", 1)
        close(report)
    }

    @Test("has a unit whose path on the bus is that of the service manager")
    func path() {
        #expect(UnitWatch.path(of: "postern-page-7-12.service") == "/org/freedesktop/systemd1/unit/postern_2dpage_2d7_2d12_2eservice")
    }
}
