import Testing

@testable import PosternConfiguration

@Suite("The certificates of a ca-file")
struct CertificateBundleTests {
    private static func block(_ label: String, _ end: String = "\n") -> String {
        "-----BEGIN \(label)-----\(end)AAAA\(end)-----END \(label)-----\(end)"
    }

    @Test("are all that is taken of it, whatever else it has")
    func blocks() {
        let certificates = Self.block("CERTIFICATE") + Self.block("TRUSTED CERTIFICATE") + Self.block("X509 CERTIFICATE")
        let mixed =
            "# comment\n" + Self.block("CERTIFICATE", "\r\n") + Self.block("PRIVATE KEY") + "text\n" + Self.block("TRUSTED CERTIFICATE")
            + Self.block("EC PRIVATE KEY") + Self.block("X509 CERTIFICATE") + "-----BEGIN CERTIFICATE-----\nhalf"
        #expect(CertificateBundle.certificates(in: Array(mixed.utf8)) == certificates)
        for none in ["", "x", Self.block("PRIVATE KEY"), "-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE-----"] {
            #expect(CertificateBundle.certificates(in: Array(none.utf8)).isEmpty)
        }
        let nested = "-----BEGIN CERTIFICATE-----\n" + Self.block("PRIVATE KEY")
        #expect(CertificateBundle.certificates(in: Array(nested.utf8)).isEmpty)
    }

    @Test("are refused with a sentence where there is no such file, or no certificate in it")
    func failures() {
        for (path, sentence) in [
            ("/nonexistent/x.pem", "the ca-file '/nonexistent/x.pem' does not exist"), ("/dev/null", "the ca-file '/dev/null' is not a regular file"),
            ("/etc/passwd", "the ca-file '/etc/passwd' has no certificate in PEM"),
        ] {
            do throws(CertificateBundleError) {
                _ = try CertificateBundle(file: path)
                #expect(Bool(false), "\(path) was taken")
            } catch { #expect("\(error)" == sentence) }
        }
    }
}
