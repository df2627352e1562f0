import Foundation
import PosternCrypto
import TestProcess

/// A certificate authority made with the `openssl` command for one test, in its own directory that goes with it.
public final class TestAuthority: Sendable {
    public let directory: String
    /// What a client has to trust.
    public let caFile: String

    public init() throws {
        directory = NSTemporaryDirectory() + "postern-tls-\(UUID().uuidString)"
        caFile = directory + "/ca.pem"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try makeAuthority(named: "ca")
        try makeAuthority(named: "stranger")
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    public func good() throws -> TestCertificate { try certificate(.good) }

    public func certificate(_ kind: TestCertificate.Kind) throws -> TestCertificate {
        let base = "\(directory)/\(kind.rawValue)-\(UUID().uuidString)"
        let certificate = TestCertificate(certificateFile: base + ".pem", keyFile: base + ".key")
        let names = kind == .wrongHost ? "DNS:elsewhere.example,IP:192.0.2.1" : "DNS:localhost,IP:127.0.0.1,IP:::1"
        let subject = kind == .wrongHost ? "/CN=elsewhere.example" : "/CN=localhost"
        if kind == .selfSigned {
            try openssl(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", certificate.keyFile,
                "-out", certificate.certificateFile, "-subj", subject, "-addext", "subjectAltName=\(names)", "-days", "2")
            return certificate
        }
        let key = kind == .weakKey ? ["rsa:1024"] : ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        try openssl(
            ["req", "-newkey"] + key + ["-nodes", "-keyout", certificate.keyFile, "-out", base + ".csr", "-subj", subject])
        let usage = kind == .clientOnly ? "clientAuth" : "serverAuth"
        let extensions = kind == .commonNameOnly ? "" : "subjectAltName=\(names)\n"
        try Self.write(extensions + "extendedKeyUsage=\(usage)\nbasicConstraints=CA:FALSE\n", to: base + ".ext")
        let issuer = kind == .unknownAuthority ? "stranger" : "ca"
        // `openssl x509 -req` before 3.4 sets the period only in days from now, hence the CA command.
        try Self.write("", to: base + ".index")
        try Self.write(
            "[ca]\ndefault_ca=x\n[x]\ndatabase=\(base).index\nnew_certs_dir=\(directory)\nrand_serial=yes\npolicy=p\n"
                + "default_md=sha256\nunique_subject=no\n[p]\ncommonName=supplied\n", to: base + ".cnf")
        let period = kind.period
        try openssl(
            "ca", "-batch", "-notext", "-config", base + ".cnf", "-in", base + ".csr", "-out", certificate.certificateFile,
            "-cert", "\(directory)/\(issuer).pem", "-keyfile", "\(directory)/\(issuer).key", "-extfile", base + ".ext",
            "-startdate", period.start, "-enddate", period.end)
        return certificate
    }

    private func makeAuthority(named name: String) throws {
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            "\(directory)/\(name).key", "-out", "\(directory)/\(name).pem", "-subj", "/CN=Test \(name)", "-days", "2", "-addext",
            "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
    }

    private func openssl(_ arguments: String...) throws { try openssl(arguments) }

    private func openssl(_ arguments: [String]) throws {
        let (status, output) = try TestProcess.run("openssl", arguments)
        guard status == 0 else { throw CommandFailed(description: "openssl \(arguments): \(output)") }
    }

    public struct CommandFailed: Error, CustomStringConvertible { public var description: String }

    public static func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
}
