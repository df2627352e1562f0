import Foundation
import TestAuthority

/// A real `openssl s_server` on a free port of loopback, which answers every request with a page about itself.
final class OpenSSLServer {
    let port: Int
    private let process: Process

    /// - Parameter arguments: beside certificate, key and address.
    init(_ certificate: TestCertificate, _ arguments: [String] = ["-www"]) throws {
        // The port is free when it is looked for; that another program takes it before s_server does is rare, and then the
        // next is tried.
        for _ in 0..<5 {
            let port = try RawServer.freePort()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                [
                    "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.certificateFile, "-key",
                    certificate.keyFile,
                ] + arguments
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            if Self.isAccepting(output.fileHandleForReading) {
                self.port = port
                self.process = process
                return
            }
            process.waitUntilExit()
        }
        throw NotStarted()
    }

    /// Not SIGTERM, which is blocked in the threads that tests run on, and so in their children.
    deinit { kill(process.processIdentifier, SIGKILL) }

    struct NotStarted: Error {}

    /// It says "ACCEPT" when it listens, and ends its output when it fails.
    private static func isAccepting(_ output: FileHandle) -> Bool {
        var text = Data()
        while true {
            let more = output.availableData
            if more.isEmpty { return false }
            text += more
            if text.range(of: Data("ACCEPT".utf8)) != nil { return true }
        }
    }
}
