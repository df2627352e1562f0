import Glibc
import Testing

/// The server runs as a process of its own, because only there can its descriptors be made few.
@Suite("A shortage of file descriptors")
struct DescriptorShortageTests {
    private let call = #"{"method":"org.varlink.service.GetInfo"}"# + "\0"

    @Test("a server that has run out of descriptors accepts again when it has some")
    func shortage() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        let program = "\(ChildProcess.programs)/varlink-certification-server"
        try #require(access(program, X_OK) == 0, "build varlink-certification-server first")

        let input = ChildProcess.pipe()
        let output = ChildProcess.pipe()
        let child = try ChildProcess.start(program, [path, "20"], input: input.reading, output: output.writing)
        close(input.reading)
        close(output.writing)
        defer {
            // The server ends with its standard input.
            close(input.writing)
            close(output.reading)
            #expect(ChildProcess.wait(for: child) == 0)
        }
        var ready: UInt8 = 0
        #expect(read(output.reading, &ready, 1) == 1)

        // More than it has descriptors for; the rest waits in the kernel's queue.
        var clients = try (0..<40).map { _ in try RawClient(path: path) }
        let first = clients[0]
        try first.send(call)
        #expect(try first.receive().contains("vendor"))
        let last = clients[39]
        try last.send(call)
        clients.removeSubrange(1..<39)
        #expect(try last.receive().contains("vendor"))
        let later = try RawClient(path: path)
        try later.send(call)
        #expect(try later.receive().contains("vendor"))
    }
}
