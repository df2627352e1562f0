import Glibc
import Testing

@testable import PosternConfiguration

@Suite("A program that is started as a child")
struct ChildProgramTests {
    /// What it writes, and its process.
    private func output(_ start: (ChildProgram.Stream) -> Result<pid_t, ChildProgram.NotStarted>) throws -> (text: String, process: pid_t) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let started = start(.descriptor(ends[1]))
        close(ends[1])
        let process = try started.get()
        var (bytes, chunk): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 4096))
        while case let count = read(ends[0], &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        waitpid(process, nil, 0)
        return (String(decoding: bytes, as: UTF8.self), process)
    }

    @Test("has the environment that is said, or ours")
    func environment() throws {
        #expect(try withCStrings(["A=1", "B=ö"]) { variables in try output { ChildProgram.start("env", ["env"], environment: variables, output: $0) } }.text == "A=1\nB=ö\n")
        let path = try #require(getenv("PATH").map { String(cString: $0) })
        #expect(try output { ChildProgram.start("env", ["env"], output: $0) }.text.contains("PATH=\(path)\n"))
    }

    @Test("has the standard descriptors that are said")
    func streams() throws {
        #expect(try output { ChildProgram.start("cat", ["cat"], input: .null, output: $0) }.text == "")
        let file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(try output { ChildProgram.start("cat", ["cat"], input: .descriptor(file), output: $0) }.text.hasSuffix("\n"))
        let links = ["readlink", "/proc/self/fd/1", "/proc/self/fd/2"]
        #expect(try output { ChildProgram.start("readlink", links, output: $0, errors: .null) }.text.hasSuffix("/dev/null\n"))
    }

    @Test("has other descriptors only where it may, those that are close-on-exec never", arguments: [true, false])
    func descriptors(others: Bool) throws {
        let (open, closed) = (Glibc.open("/dev/null", O_RDONLY), Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC))
        defer { for descriptor in [open, closed] { close(descriptor) } }
        let words = ["readlink", "/proc/self/fd/\(open)", "/proc/self/fd/\(closed)"]
        #expect(
            try output { ChildProgram.start("readlink", words, output: $0, withOtherDescriptors: others) }.text == (others ? "/dev/null\n" : ""))
    }

    @Test("is in our process group, or the first of its own", arguments: [true, false])
    func group(own: Bool) throws {
        // The fifth field; the second one is the name, in parentheses.
        let words = ["cut", "-d ", "-f5", "/proc/self/stat"]
        let child = try output { ChildProgram.start("cut", words, output: $0, inOwnGroup: own) }
        #expect(child.text == "\(own ? child.process : getpgrp())\n")
    }

    @Test(
        "has the signals that are blocked and ignored here, or those that are ignored, or none",
        arguments: [(ChildProgram.Signals.inherited, true, true), (.unblocked, false, true), (.standard, false, false)])
    func signals(kind: ChildProgram.Signals, isBlocked: Bool, isIgnored: Bool) throws {
        let previous = signal(SIGUSR1, SIG_IGN)
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGUSR2)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer {
            pthread_sigmask(SIG_SETMASK, &before, nil)
            signal(SIGUSR1, previous)
        }
        let words = ["sed", "-n", "-E", "s/^Sig(Blk|Ign):\t//p", "/proc/self/status"]
        let masks = try output { ChildProgram.start("sed", words, output: $0, signals: kind) }.text.split(separator: "\n").map { UInt64($0, radix: 16) }
        try #require(masks.count == 2)
        #expect((try #require(masks[0]) >> UInt64(SIGUSR2 - 1) & 1 == 1) == isBlocked)
        #expect((try #require(masks[1]) >> UInt64(SIGUSR1 - 1) & 1 == 1) == isIgnored)
    }

    @Test("is none, with the reason, where there is no such program")
    func missing() throws {
        for program in ["no-such-program-of-postern", "/no/such/program", "/"] {
            let error = #expect(throws: ChildProgram.NotStarted.self) { try ChildProgram.start(program, [program]).get() }
            #expect(error?.code == (program == "/" ? EACCES : ENOENT))
        }
    }
}
