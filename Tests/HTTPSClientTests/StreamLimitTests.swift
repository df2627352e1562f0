import Glibc
import HTTPSClient
import NIOConcurrencyHelpers
import NIOCore
import TestAuthority
import Testing

@Suite("The pace of streamed exchanges, and their limits in time")
struct StreamLimitTests {
    // MARK: Pace

    @Test("a paused reader stops the server, and gets all once it goes on")
    func pausedReader() async throws {
        let total = 64 << 20
        let written = NIOLockedValueBox(0)
        let stalled = Signal()
        let server = try RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            let part = [UInt8](repeating: 0x78, count: 1 << 16)
            while written.withLockedValue({ $0 }) < total {
                if !connection.canWrite(within: 300) { stalled.send() }
                guard connection.write(part) else { return }
                written.withLockedValue { $0 += part.count }
            }
            stalled.send()
            connection.drain()
        }
        // Before the request is sent: the head waits too.
        let stream = try await StreamClient().open(.get(server), isPaused: true)
        await stalled.waited()
        // The buffers of two sockets.
        #expect(written.withLockedValue { $0 } < 32 << 20)
        #expect(stream.report.status == nil)
        _ = try await stream.onExchange { $0.isPaused = false }
        #expect(try await stream.report { $0.outcome != nil }.bytes == total)
    }

    @Test("a server that does not read stops the writer")
    func slowServer() async throws {
        let total = 64 << 20
        let stalled = Signal()
        let server = try RawServer { connection in
            connection.readHead()
            var before = -1
            while connection.unreadBytes != before {
                before = connection.unreadBytes
                usleep(200_000)
            }
            stalled.send()
            while connection.received.count < total {
                if connection.read().isEmpty { return }
            }
            connection.write("HTTP/1.1 204 No Content\r\n\r\n")
        }
        let stream = try await StreamClient().open(.post(server, .streamed(length: total)))
        let written = NIOLockedValueBox(0)
        let writer = Task {
            let part = ByteBuffer(repeating: 0x78, count: 1 << 16)
            for _ in 0..<total / (1 << 16) {
                try await stream.write(part)
                written.withLockedValue { $0 += 1 << 16 }
            }
            _ = try await stream.onExchange { $0.endBody() }
        }
        await stalled.waited()
        #expect(written.withLockedValue { $0 } < 32 << 20)
        try await writer.value
        #expect(try await stream.outcome() == .answer(204, ""))
    }

    // MARK: Time

    @Test("the wait for a connection has its limit")
    func connecting() async throws {
        let server = try RawServer { $0.drain() }
        let request = StreamedRequest(method: "GET", url: "https://127.0.0.1:\(server.port)/")
        let client = StreamClient { $0.connectTimeout = .milliseconds(200) }
        #expect(try await client.outcome(request) == .failure(.connectTimeout, mayHaveReachedServer: false))
    }

    // MARK: Authorities

    static let unusable: [(text: String, reason: String)] = [
        ("", "there is none"),
        ("no certificate", "there is none"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "number 1 is damaged: "),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n", "number 1 is damaged: "),
        ("PEM\n-----BEGIN CERTIFICATE-----\nAAAA\n", "number 2 is damaged: "),
        (String(repeating: "x", count: 4 << 20 | 1), "it is longer than 4194304 bytes"),
    ]

    @Test("authorities that cannot be used are a clear error, and nothing is asked", arguments: unusable.indices)
    func badAuthorities(_ index: Int) async throws {
        let row = Self.unusable[index]
        let authority = try TLSTests.authority.get()
        let server = try ScriptedTLSServer(authority.good(), answer: [], ending: .cut)
        var request = StreamedRequest(method: "GET", url: "https://localhost:\(server.port)/")
        request.authorities = row.text.replacing("PEM", with: try authority.pem)
        let error = try await StreamClient().open(request).report { $0.error != nil }.error
        #expect(error?.mayHaveReachedServer == false)
        let start = "'localhost' was not contacted: cannot use the additional certificate authorities: \(row.reason)"
        #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasSuffix("; correct 'ca-file'") == true)
    }

    @Test("authorities add to the system's for their own requests alone, text between them is ignored, and several are taken")
    func ownAuthorities() async throws {
        let authority = try TLSTests.authority.get()
        let other = try TestAuthority()
        let server = try ScriptedTLSServer(authority.good(), answer: Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8), ending: .closeNotify)
        let client = StreamClient()
        var request = StreamedRequest(method: "GET", url: "https://localhost:\(server.port)/")
        request.authorities = "# mine\n" + (try other.pem) + "and\n" + (try authority.pem) + (try authority.pem) + "end"
        #expect(try await client.outcome(request) == .answer(200, "hello"))
        for authorities in [nil, try other.pem] {
            request.authorities = authorities
            guard case .failure(.tls(let error), mayHaveReachedServer: false)? = try await client.outcome(request) else {
                Issue.record("trusted")
                return
            }
            #expect(error.code == .unknownAuthority)
        }
    }
}

extension RawConnection {
    /// Whether a byte can be written within so many milliseconds.
    fileprivate func canWrite(within milliseconds: Int32) -> Bool {
        withDescriptor { descriptor in
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&entry, 1, milliseconds) > 0
        }
    }

    /// What the system received and nobody read.
    fileprivate var unreadBytes: Int {
        withDescriptor { descriptor in
            var count: Int32 = 0
            return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
        }
    }
}
