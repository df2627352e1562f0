import Foundation
import HTTPSClient
import PosternCore
import PosternCrypto
import TestAuthority
import Testing

/// Against `openssl s_server`, so that the other side is not ours.
@Suite("TLS with servers as they are")
struct TLSTests {
    static let authority = Result { try TestAuthority() }
    let authority: TestAuthority

    init() throws { authority = try Self.authority.get() }

    private func error(_ server: OpenSSLServer, caFile: String? = nil) async -> HTTPSClientError? {
        let request = ProviderRequest(url: "https://localhost:\(server.port)/?code=secret")
        let error = await HTTPSClient.make().error(request, caFile: caFile ?? authority.caFile)
        withExtendedLifetime(server) {}
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.description.contains("'localhost'") == true)
        #expect(error?.description.contains("secret") == false)
        return error
    }

    private func code(_ error: HTTPSClientError?) -> TLSError.Code? {
        guard case .tls(let error) = error?.kind else { return nil }
        return error.code
    }

    @Test("a good certificate of an authority in ca-file", arguments: ["localhost", "127.0.0.1"])
    func good(_ host: String) async throws {
        let server = try OpenSSLServer(authority.good())
        let request = ProviderRequest(url: "https://\(host):\(server.port)/")
        let response = try await HTTPSClient.make().send(request, caFile: authority.caFile).get()
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self).contains("TLSv1.3"))
        withExtendedLifetime(server) {}
    }

    @Test("TLS 1.2 is enough")
    func version12() async throws {
        let server = try OpenSSLServer(authority.good(), ["-www", "-tls1_2"])
        let request = ProviderRequest(url: "https://localhost:\(server.port)/")
        let response = try await HTTPSClient.make().send(request, caFile: authority.caFile).get()
        #expect(String(decoding: response.body, as: UTF8.self).contains("TLSv1.2"))
        withExtendedLifetime(server) {}
    }

    @Test("TLS 1.1 is not", arguments: ["-tls1_1", "-tls1"])
    func version11(_ version: String) async throws {
        let server = try OpenSSLServer(authority.good(), ["-www", version, "-cipher", "ALL:@SECLEVEL=0"])
        #expect(code(await error(server)) == .protocolVersion)
    }

    @Test("each flaw of a certificate has its own error", arguments: TestCertificate.Kind.hostile + [.weakKey])
    func hostile(_ kind: TestCertificate.Kind) async throws {
        let server = try OpenSSLServer(authority.certificate(kind), ["-www", "-cipher", "DEFAULT:@SECLEVEL=0"])
        let error = await error(server)
        #expect(code(error) == kind.expectedCode, "\(error?.description ?? "")")
    }

    @Test("without ca-file the authority is unknown, and the error says what to do")
    func withoutCAFile() async throws {
        let server = try OpenSSLServer(authority.good())
        let request = ProviderRequest(url: "https://localhost:\(server.port)/")
        let error = await HTTPSClient.make().error(request)
        withExtendedLifetime(server) {}
        #expect(code(error) == .unknownAuthority)
        #expect(error?.description.contains("'CN=Test ca'") == true)
        #expect(error?.description.contains("ca-file") == true)
    }

    @Test("a self-signed certificate is good where ca-file names it")
    func selfSignedInCAFile() async throws {
        let certificate = try authority.certificate(.selfSigned)
        let server = try OpenSSLServer(certificate)
        let request = ProviderRequest(url: "https://localhost:\(server.port)/")
        let outcome = await HTTPSClient.make().outcome(request, caFile: certificate.certificateFile)
        withExtendedLifetime(server) {}
        guard case .answer(200, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("a ca-file that is missing is named, and nothing is asked")
    func missingCAFile() async throws {
        let server = try OpenSSLServer(authority.good())
        let error = await error(server, caFile: "/nowhere/ca.pem")
        #expect(code(error) == .badFile)
        #expect(error?.description.contains("/nowhere/ca.pem") == true)
    }

    @Test("a server that speaks plain HTTP")
    func plainServer() async throws {
        let server = try RawServer { connection in
            connection.read()
            connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        let error = await HTTPSClient.make().error(ProviderRequest(url: "https://127.0.0.1:\(server.port)/"))
        #expect(code(error) == .notTLS)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test("a server that closes during the handshake")
    func closingServer() async throws {
        let server = try RawServer { $0.read() }
        let error = await HTTPSClient.make().error(ProviderRequest(url: "https://127.0.0.1:\(server.port)/"))
        #expect(code(error) == .closedDuringHandshake)
        #expect(error?.mayHaveReachedServer == false)
    }
}

extension TestAuthority {
    var pem: String { get throws { try String(contentsOfFile: caFile, encoding: .utf8) } }
}
