import CallbackServer
import LoopbackHTTP
import NIOCore
import Testing

@testable import TestHTTPClient

@Suite("The listener over TLS")
struct EncryptedListenerTests {
    private let certificate: TestCertificate

    init() throws { certificate = try TestCertificate() }

    /// - Returns: what curl printed: the answer with its headers.
    private func curl(_ arguments: [String]) throws -> String {
        try TestCertificate.run("curl", ["-si", "--max-time", "20", "--cacert", certificate.certificate] + arguments).output
    }

    @Test("a callback goes through on both families, and the connection is kept for the result page")
    func callback() throws {
        let server = try TestCallbackServer(
            [.address(host: "127.0.0.1", port: 0), .address(host: "::1", port: 0)], tls: try certificate.context(),
            pages: ["page-1": .sample(.completed(.sample(.ada)))])
        for host in ["127.0.0.1", "[::1]", "localhost"] {
            let output = try curl(["-L", "https://\(host):\(server.port)/__/auth/handler?state=\(RecordingDelegate.knownState)&code=c"])
            #expect(output.contains("303 See Other") && output.contains("You are signed in"), "\(output)")
        }
        #expect(server.delegate.callbacks.count == 3)
    }

    @Test("refusals arrive, with their headers")
    func refusals() throws {
        let server = try TestCallbackServer(tls: try certificate.context())
        let base = "https://127.0.0.1:\(server.port)"
        #expect(try curl(["\(base)/__/auth/handler?state=x"]).contains(" 400 "))
        #expect(try curl(["-H", "Host: evil.example", base]).contains(" 421 "))
        let tooLarge = try curl(["-H", "Expect:", "--data-binary", String(repeating: "a", count: 100_000), "\(base)/__/auth/handler"])
        #expect(tooLarge.contains(" 413 ") && tooLarge.lowercased().contains("cache-control: no-store"), "\(tooLarge.prefix(500))")
    }

    @Test("a client that speaks plain HTTP is told so, and its request is ignored")
    func plainHTTP() throws {
        let server = try TestCallbackServer(tls: try certificate.context())
        let url = "http://127.0.0.1:\(server.port)/__/auth/handler?state=\(RecordingDelegate.knownState)&code=c"
        let output = try curl([url])
        #expect(output.contains(" 400 ") && output.contains("Use https for this address"))
        #expect(!output.contains(RecordingDelegate.knownState), "\(output)")
        #expect(output.lowercased().contains("cache-control: no-store"))
        #expect(server.delegate.callbacks.isEmpty)
        #expect(try curl(["https://127.0.0.1:\(server.port)/__/auth/done"]).contains(" 200 "))
    }

    @Test("a client that speaks neither is disconnected, and a silent one times out")
    func plain() throws {
        let server = try TestCallbackServer(tls: try certificate.context()) { $0.headerTime = .milliseconds(100) }
        let plain = try RawClient(server.address)
        try plain.send("\u{0}\u{1}\u{2}\u{3}\r\n\r\n")
        // Nothing, or an alert, which is no HTTP.
        #expect((try? plain.responses())?.isEmpty != false)
        #expect(try RawClient(server.address).responses().isEmpty)
    }
}
