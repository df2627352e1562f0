import PosternCrypto
import TestAuthority
import Testing

@Suite("TLS sessions over memory")
struct TLSSessionTests {
    let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    private func pair(_ certificate: TestCertificate, host: String) throws -> (client: TLSSession, server: TLSSession) {
        let server = try TLSContext.server(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)
        let client = try TLSContext.client(extraAuthorities: authority.caFile)
        return (try TLSSession(client: client, serverHost: host), try TLSSession(server: server))
    }

    @Test("both sides come to an agreement and understand each other", arguments: ["localhost", "localhost.", "127.0.0.1", "::1"])
    func roundTrip(_ host: String) throws {
        let (client, server) = try pair(authority.good(), host: host)
        try Wire.connect(client, server)
        #expect(client.state == .open)
        #expect(server.state == .open)
        #expect(client.version == "TLSv1.3")

        let message = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        try message.withUnsafeBytes { try client.write($0) }
        try Wire.carry(from: client, to: server)
        #expect(try Wire.readAll(server) == message)

        server.close()
        try Wire.carry(from: server, to: client)
        #expect(try Wire.readAll(client) == [])
        #expect(client.state == .closedByPeer)
    }

    @Test("ciphertext may come a byte at a time")
    func singleBytes() throws {
        let (client, server) = try pair(authority.good(), host: "localhost")
        try Wire.connect(client, server, pieces: 1)
        try Array("hello".utf8).withUnsafeBytes { try client.write($0) }
        try Wire.carry(from: client, to: server, pieces: 1)
        #expect(try Wire.readAll(server) == Array("hello".utf8))
    }

    @Test("a certificate that does not stand a check ends the handshake with that check's error", arguments: TestCertificate.Kind.hostile)
    func refusedCertificates(_ kind: TestCertificate.Kind) throws {
        let (client, server) = try pair(authority.certificate(kind), host: "localhost")
        let error = #expect(throws: TLSError.self) { try Wire.connect(client, server) }
        #expect(error?.code == kind.expectedCode, "\(error?.description ?? "")")
        #expect(error?.description.contains("localhost") == true)
        #expect(client.state == .closed)
    }

    @Test("an address must be in the certificate as an address")
    func wrongAddress() throws {
        let (client, server) = try pair(authority.good(), host: "127.0.0.2")
        let error = #expect(throws: TLSError.self) { try Wire.connect(client, server) }
        #expect(error?.code == .hostNameMismatch)
    }

    @Test("what is no TLS is distinguished from TLS that failed")
    func plainAnswer() throws {
        let (client, _) = try pair(authority.good(), host: "localhost")
        _ = try client.handshake()
        try Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8).withUnsafeBytes { try client.receive($0) }
        let error = #expect(throws: TLSError.self) { try client.handshake() }
        #expect(error?.code == .notTLS)
    }

    @Test("a connection that ends without close_notify is a cut one")
    func truncation() throws {
        let (client, server) = try pair(authority.good(), host: "localhost")
        try Wire.connect(client, server)
        client.receiveEnd()
        let error = #expect(throws: TLSError.self) { try Wire.readAll(client) }
        #expect(error?.code == .truncated)
    }

    @Test("a connection that ends during the handshake says so")
    func endDuringHandshake() throws {
        let (client, _) = try pair(authority.good(), host: "localhost")
        _ = try client.handshake()
        client.receiveEnd()
        let error = #expect(throws: TLSError.self) { try client.handshake() }
        #expect(error?.code == .closedDuringHandshake)
    }

    @Test("a changed byte of ciphertext is noticed")
    func tampering() throws {
        let (client, server) = try pair(authority.good(), host: "localhost")
        try Wire.connect(client, server)
        try Array("hello".utf8).withUnsafeBytes { try server.write($0) }
        var ciphertext = server.takeCiphertext { Array($0) }
        ciphertext[ciphertext.count - 1] ^= 1
        try ciphertext.withUnsafeBytes { try client.receive($0) }
        let error = #expect(throws: TLSError.self) { try Wire.readAll(client) }
        #expect(error?.code == .protocolViolation)
        // The failure is final and harms no one else.
        #expect(throws: TLSError.self) { try Wire.readAll(client) }
        #expect(throws: TLSError.self) { try [1].withUnsafeBytes { try client.write($0) } }
    }

    @Test("files that cannot be used are named")
    func badFiles() throws {
        let good = try authority.good()
        let other = try authority.certificate(.expired)
        let broken = authority.directory + "/broken.pem"
        try TestAuthority.write("no certificate", to: broken)
        let attempts: [(file: String, attempt: () throws -> TLSContext)] = [
            ("/nowhere/ca.pem", { try .client(extraAuthorities: "/nowhere/ca.pem") }),
            (broken, { try .client(extraAuthorities: broken) }),
            ("/nowhere/c.pem", { try .server(certificateFile: "/nowhere/c.pem", keyFile: good.keyFile) }),
            ("/nowhere/k.pem", { try .server(certificateFile: good.certificateFile, keyFile: "/nowhere/k.pem") }),
            (other.keyFile, { try .server(certificateFile: good.certificateFile, keyFile: other.keyFile) }),
        ]
        for (file, attempt) in attempts {
            let error = #expect(throws: TLSError.self) { _ = try attempt() }
            #expect(error?.code == .badFile)
            #expect(error?.description.contains(file) == true, "\(error?.description ?? "")")
            // The system's word for it, and nothing of the layers that it came through.
            guard file.hasPrefix("/nowhere/") else { continue }
            #expect(error?.description.hasSuffix("'\(file)': No such file or directory") == true, "\(error?.description ?? "")")
        }
    }

    @Test("a server does not start with a key that no client takes")
    func weakServerKey() throws {
        let weak = try authority.certificate(.weakKey)
        let error = #expect(throws: TLSError.self) {
            try TLSContext.server(certificateFile: weak.certificateFile, keyFile: weak.keyFile)
        }
        #expect(error?.code == .badFile)
    }

    @Test("an empty host name is not taken for any host", arguments: ["", "."])
    func emptyHost(_ host: String) throws {
        let context = try TLSContext.client()
        #expect(throws: TLSError.self) { try TLSSession(client: context, serverHost: host) }
    }

    @Test("sessions give back their memory, whether they end well or not")
    func memory() throws {
        let good = try authority.good()
        let server = try TLSContext.server(certificateFile: good.certificateFile, keyFile: good.keyFile)
        let client = try TLSContext.client(extraAuthorities: authority.caFile)
        func round(_ host: String) throws {
            let (left, right) = (try TLSSession(client: client, serverHost: host), try TLSSession(server: server))
            if (try? Wire.connect(left, right)) != nil { left.close() }
        }
        func rounds(_ count: Int) throws {
            for _ in 0..<count {
                try round("localhost")
                try round("elsewhere.example")
                _ = try TLSContext.client(extraAuthorities: authority.caFile)
            }
        }
        try rounds(20)
        let before = try residentBytes()
        try rounds(200)
        // A pair of sessions holds 100 KB: four hundred pairs kept would be 40 MB. Tests beside this one move a little.
        #expect(try residentBytes() - before < 10_000_000)
    }
}
