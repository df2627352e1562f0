import Glibc
import TestProcess
import Testing

/// The server runs as its own process, because only there can its descriptors be made few.
@Suite("A shortage of file descriptors")
struct DescriptorShortageTests {
    private let call = #"{"method":"org.varlink.service.GetInfo"}"# + "\0"

    @Test("a server out of descriptors closes the longest-idle connection and accepts the new one")
    func shortage() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        let program = "\(TestProcess.programs)/varlink-certification-server"
        try #require(access(program, X_OK) == 0, "build varlink-certification-server first")

        let input = TestProcess.pipe()
        let output = TestProcess.pipe()
        let child = try TestProcess.start(program, [path, "20"], input: input.reading, output: output.writing)
        close(input.reading)
        close(output.writing)
        defer {
            // The server ends with its standard input.
            close(input.writing)
            close(output.reading)
            #expect(TestProcess.wait(for: child) == 0)
        }
        var ready: UInt8 = 0
        #expect(read(output.reading, &ready, 1) == 1)

        // Many more than it has descriptors for: with a pause for each that gives way, the last one would wait longer than a client does.
        let clients = try (0..<400).map { _ in try RawClient(path: path) }
        try clients[399].send(call)
        #expect(try clients[399].receive().contains("vendor"))
        #expect(try clients[0].receiveAll().isEmpty)
        let later = try RawClient(path: path)
        try later.send(call)
        #expect(try later.receive().contains("vendor"))
    }
}
