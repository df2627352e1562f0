import Glibc
import TestAuthority
import TestProcess

/// A real `openssl s_server` on a free port of loopback, which answers every request with a page about itself.
final class OpenSSLServer {
    let port: Int
    private let process: pid_t
    /// Open as long as it runs: it writes there.
    private let output: CInt

    /// - Parameter arguments: beside certificate, key and address.
    init(_ certificate: TestCertificate, _ arguments: [String] = ["-www"]) throws {
        // The port is free when it is looked for; that another program takes it before s_server does is rare, and then the
        // next is tried.
        for _ in 0..<5 {
            let port = try RawServer.freePort()
            let output = TestProcess.pipe()
            let process = try TestProcess.start(
                "openssl",
                ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.certificateFile, "-key", certificate.keyFile] + arguments,
                output: output.writing, errors: .dropped)
            close(output.writing)
            if Self.isAccepting(output.reading) {
                self.port = port
                self.process = process
                self.output = output.reading
                return
            }
            close(output.reading)
            _ = TestProcess.wait(for: process)
        }
        throw NotStarted()
    }

    /// Not SIGTERM, which is blocked in the threads that tests run on, and so in their children.
    deinit {
        kill(process, SIGKILL)
        _ = TestProcess.wait(for: process)
        close(output)
    }

    struct NotStarted: Error {}

    /// It says "ACCEPT" when it listens, and ends its output when it fails.
    private static func isAccepting(_ output: CInt) -> Bool {
        var text = ""
        while !text.contains("ACCEPT") {
            let more = TestProcess.read(from: output)
            if more.isEmpty { return false }
            text += String(decoding: more, as: UTF8.self)
        }
        return true
    }
}
