import Foundation
import PosternCrypto
import TestProcess

/// A self-signed certificate for 127.0.0.1, ::1 and localhost, made by the openssl command and gone with the test.
final class TestCertificate {
    let folder: URL
    var certificate: String { folder.appendingPathComponent("certificate.pem").path }
    var key: String { folder.appendingPathComponent("key.pem").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("postern-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (status, output) = try Self.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=loopback",
                "-addext", "subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost", "-keyout", key, "-out", certificate,
            ])
        guard status == 0 else { throw RawClient.Failure(description: output) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func context() throws -> TLSContext { try TLSContext.server(certificateFile: certificate, keyFile: key) }

    static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        try TestProcess.run(program, arguments)
    }
}
