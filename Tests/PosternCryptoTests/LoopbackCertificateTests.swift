import Foundation
import PosternCore
import PosternCrypto
import TestProcess
import Testing

@Suite("The certificate for this machine")
struct LoopbackCertificateTests {
    private let folder: URL
    private let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("postern-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func openssl(_ arguments: [String]) throws -> (status: Int32, output: String) {
        try TestProcess.run("openssl", arguments)
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let url = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    @Test("holds for all three names under its authority, has the key it says, and lives 825 days")
    func verified() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try LoopbackCertificate.make(now: now)
        let authority = try file("authority", made.authority)
        let certificate = try file("certificate", made.certificate)
        let key = try file("key", made.key.reveal())
        for name in [["-verify_ip", "127.0.0.1"], ["-verify_ip", "::1"], ["-verify_hostname", "localhost"]] {
            let (status, output) = try openssl(
                ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", authority] + name + [certificate])
            #expect(status == 0, "\(output)")
        }
        let other = try openssl(["verify", "-CAfile", authority, "-verify_hostname", "example.com", certificate])
        #expect(other.status != 0)
        let dates = try openssl(["x509", "-in", certificate, "-noout", "-checkend", "\(825 * 86_400 - 7200)"])
        #expect(dates.status == 0)
        #expect(try openssl(["x509", "-in", certificate, "-noout", "-checkend", "\(825 * 86_400)"]).status != 0)
        _ = try TLSContext.server(certificateFile: certificate, keyFile: key)
    }

    @Test(
        "is refused by browsers outside its time and for other hosts, and says so itself",
        arguments: [(0, [String]()), (-826, []), (-824, []), (2, []), (0, ["127.0.0.1", "::1", "localhost", "example.com", "10.0.0.1"])]
            as [(Int64, [String])])
    func objections(daysFromNow: Int64, hosts: [String]) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try LoopbackCertificate.make(now: Timestamp(milliseconds: now.milliseconds + daysFromNow * 86_400_000))
        let context = try TLSContext.server(
            certificateFile: try file("certificate", made.certificate), keyFile: try file("key", made.key.reveal()))
        let objections = context.objections(hosts: hosts)
        switch daysFromNow {
        case -826:
            guard case .ended(let day?)? = objections.first else { throw Missing() }
            #expect(day.count == 10 && context.certificateDaysLeft.map { $0 < 0 } == true)
        case 2:
            guard case .notYetValid(_?)? = objections.first else { throw Missing() }
        default: #expect(objections == (hosts.isEmpty ? [] : [.foreign(["example.com", "10.0.0.1"])]))
        }
        if daysFromNow == -824 { #expect(context.certificateDaysLeft.map { 0...1 ~= $0 } == true) }
    }

    private struct Missing: Error {}

    @Test("is trusted by its own authority alone, even past its end")
    func authority() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for days in [0, -826] as [Int64] {
            let past = Timestamp(milliseconds: now.milliseconds + days * 86_400_000)
            let (made, other) = (try LoopbackCertificate.make(now: past), try LoopbackCertificate.make(now: past))
            let context = try TLSContext.server(
                certificateFile: try file("certificate", made.certificate), keyFile: try file("key", made.key.reveal()))
            #expect(context.unknownAuthority(besides: try file("own", made.authority)) == nil)
            for strangers in [nil, try file("other", other.authority), folder.path + "/missing", try file("damaged", "nothing")] {
                #expect(context.unknownAuthority(besides: strangers)?.hasPrefix("CN=Postern loopback authority ") == true)
            }
        }
    }

    @Test("comes from an authority that may speak for loopback alone")
    func constrained() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try LoopbackCertificate.make(now: now)
        let text = try openssl(["x509", "-in", try file("authority", made.authority), "-noout", "-text"]).output
        #expect(
            text.contains("X509v3 Name Constraints: critical") && text.contains("IP:127.0.0.0/255.0.0.0") && text.contains("DNS:localhost"))
        #expect(text.contains("CA:TRUE, pathlen:0"))
    }

    @Test("is another one each time")
    func fresh() throws {
        let made = try (0..<2).map { _ in try LoopbackCertificate.make(now: now) }
        #expect(made[0].authority != made[1].authority && made[0].key != made[1].key)
        #expect(!made[0].certificate.contains("PRIVATE") && !made[0].authority.contains("PRIVATE"))
    }
}
