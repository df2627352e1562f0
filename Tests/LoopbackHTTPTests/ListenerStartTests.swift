import Glibc
import NIOCore
import NIOEmbedded
import Testing

@testable import LoopbackHTTP
@testable import TestHTTPClient

@Suite("Starting the HTTP listener")
struct ListenerStartTests {
    private let request = "GET /x HTTP/1.0\r\n\r\n"

    @Test("both address families are served at once, on one port")
    func bothFamilies() throws {
        let server = try TestListener([.address(host: "127.0.0.1", port: 0), .address(host: "::1", port: 0)])
        #expect(server.listener.localAddresses.map(\.ipAddress) == ["127.0.0.1", "::1"])
        #expect(Set(server.listener.localAddresses.map(\.port)).count == 1)
        for address in server.listener.localAddresses {
            let client = try RawClient(address)
            try client.send(request)
            #expect(try client.responses().map(\.status) == [200])
        }
        #expect(Set(server.responder.requests.map { $0.remoteAddress.split(separator: ":").first }) == ["127.0.0.1", "["])
    }

    @Test(
        "an invalid address, or one that others can reach, is refused with the reason",
        arguments: [
            ("0.0.0.0", 0, HTTPListenerError.notLoopback("0.0.0.0")), ("::", 0, .notLoopback("::")),
            ("192.0.2.1", 0, .notLoopback("192.0.2.1")), ("128.0.0.1", 0, .notLoopback("128.0.0.1")),
            ("::ffff:192.0.2.1", 0, .notLoopback("::ffff:192.0.2.1")), ("fe80::1", 0, .notLoopback("fe80::1")),
            ("localhost", 0, .notAnAddress("localhost")), ("", 0, .notAnAddress("")), ("127.1", 0, .notAnAddress("127.1")),
            ("[::1]", 0, .notAnAddress("[::1]")), ("127.0.0.1", 65536, .portOutOfRange(65536)), ("127.0.0.1", -1, .portOutOfRange(-1)),
        ])
    func refusedAddresses(host: String, port: Int, expected: HTTPListenerError) {
        #expect(throws: expected) { try TestListener([.address(host: "127.0.0.1", port: 0), .address(host: host, port: port)]) }
    }

    @Test("no address at all is refused")
    func noAddress() {
        #expect(throws: HTTPListenerError.noAddress) { try TestListener([]) }
    }

    @Test("a port in use is named, and the addresses bound before it are free again")
    func allOrNone() throws {
        let first = try TestListener()
        let taken = try #require(first.address.port)
        let passing = try TestListener()
        let free = try #require(passing.address.port)
        try passing.listener.close().wait()
        #expect(throws: HTTPListenerError.addressInUse("127.0.0.1:\(taken)", user: geteuid())) {
            try TestListener([.address(host: "127.0.0.1", port: free), .address(host: "127.0.0.1", port: taken)])
        }
        #expect(try TestListener([.address(host: "127.0.0.1", port: free)]).address.port == free)
    }

    @Test("the user whose program has the port is named, with netlink and without", arguments: ["127.0.0.1", "::1"])
    func holder(host: String) throws {
        let first = try TestListener([.address(host: host, port: 0)])
        let address = first.address
        let name = host == "::1" ? "[::1]:\(address.port ?? 0)" : "127.0.0.1:\(address.port ?? 0)"
        let error = HTTPListenerError.addressInUse(name, user: geteuid())
        #expect(throws: error) { try TestListener([.address(host: host, port: address.port ?? 0)]) }
        #expect(error.description == "cannot listen on \(name): a program of user \(geteuid()) does; stop it or choose another port")
        #expect(ProcNetTCP.owner(listeningAt: try #require(NetworkEndpoint(address))) == .user(geteuid()))
        #expect(ProcNetTCP.owner(listeningAt: try #require(NetworkEndpoint(SocketAddress(ipAddress: host, port: 1)))) == .nobody)
    }

    @Test("addresses come and go while connections stay")
    func laterAddresses() throws {
        let server = try TestListener()
        let held = try server.client()
        try #require(try eventually { try server.openConnections() == 1 })
        let port = try #require(server.address.port)
        let added = try server.listener.listen(at: [.address(host: "::1", port: port)]).wait()
        #expect(server.listener.localAddresses.map(\.ipAddress) == ["127.0.0.1", "::1"])
        let client = try RawClient(added[0])
        try client.send(request)
        #expect(try client.responses().map(\.status) == [200])

        #expect(throws: HTTPListenerError.self) { try server.listener.listen(at: [.address(host: "::1", port: port)]).wait() }
        try server.listener.stopListening(at: [server.address]).wait()
        #expect(server.listener.localAddresses == added)
        #expect(throws: RawClient.Failure.self) { try RawClient(SocketAddress(ipAddress: "127.0.0.1", port: port)) }
        try held.send(request)
        #expect(try held.responses().map(\.status) == [200])
        // It is free again.
        #expect(try TestListener([.address(host: "127.0.0.1", port: port)]).address.port == port)
    }

    @Test("closing ends connections and frees the port")
    func closing() throws {
        let server = try TestListener()
        let client = try server.client()
        try client.send("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n")
        try #require(try eventually { server.responder.requests.count == 1 })
        try server.listener.close().wait()
        #expect(try client.responses().isEmpty)
        #expect(throws: RawClient.Failure.self) { try server.client() }
        server.responder.release()
    }

    // MARK: Passed sockets

    /// A TCP socket as a service manager would pass it.
    private func passedSocket(_ host: String, listens: Bool = true, backlog: Int32 = 16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        let address = try SocketAddress(ipAddress: host, port: 0)
        try #require(address.withSockAddr { bind(descriptor, $0, socklen_t($1)) } == 0)
        if listens { try #require(listen(descriptor, backlog) == 0) }
        return descriptor
    }

    @Test("a passed listening socket is served at the address it has")
    func passed() throws {
        let server = try TestListener([.fileDescriptor(try passedSocket("127.0.0.1")), .address(host: "127.0.0.1", port: 0)])
        #expect(server.listener.localAddresses.count == 2)
        for address in server.listener.localAddresses {
            let client = try RawClient(address)
            try client.send(request)
            #expect(try client.responses().map(\.status) == [200])
        }
    }

    @Test("a passed socket keeps the backlog that it was passed with", arguments: [16, 300] as [Int32])
    func backlog(_ backlog: Int32) throws {
        let descriptor = try passedSocket("127.0.0.1", backlog: backlog)
        let server = try TestListener([.fileDescriptor(descriptor)])
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        try #require(getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0)
        #expect(info.tcpi_sacked == UInt32(backlog))
        withExtendedLifetime(server) {}
    }

    @Test("a passed socket that others can reach, or that does not listen, is refused")
    func refusedSockets() throws {
        let open = try passedSocket("0.0.0.0")
        let silent = try passedSocket("127.0.0.1", listens: false)
        var pair: [Int32] = [0, 0]
        try #require(pipe(&pair) == 0)
        defer { for descriptor in [open, silent] + pair { close(descriptor) } }
        let port = try #require(try boundPort(open))
        #expect(throws: HTTPListenerError.notLoopback("0.0.0.0:\(port)")) { try TestListener([.fileDescriptor(open)]) }
        for descriptor in [silent, pair[0], -1] {
            #expect(throws: HTTPListenerError.notAListeningSocket(descriptor)) { try TestListener([.fileDescriptor(descriptor)]) }
        }
    }

    /// What a descriptor stands for; nil if it is closed. A number alone may be in use again, by another test.
    private func inode(_ descriptor: Int32) -> UInt64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    @Test("a passed socket is closed where a listener cannot start, whatever the reason, so that its port is free again")
    func abandonedSockets() throws {
        let taken = try TestListener()
        let takenPort = try #require(taken.address.port)
        let beside: [(HTTPListenerError, BindTarget)] = [
            (.notLoopback("0.0.0.0"), .address(host: "0.0.0.0", port: 0)),
            (.addressInUse("127.0.0.1:\(takenPort)", user: geteuid()), .address(host: "127.0.0.1", port: takenPort)),
            (.notAListeningSocket(-1), .fileDescriptor(-1)),
        ]
        for (error, other) in beside {
            for isFirst in [true, false] {
                let descriptor = try passedSocket("127.0.0.1")
                let socket = try #require(inode(descriptor))
                let passed = BindTarget.fileDescriptor(descriptor)
                #expect(throws: error) { try TestListener(isFirst ? [passed, other] : [other, passed]) }
                #expect(inode(descriptor) != socket, "\(error)")
            }
        }

        // The event loop is none for sockets.
        let descriptor = try passedSocket("127.0.0.1")
        let socket = try #require(inode(descriptor))
        let eventLoop = EmbeddedEventLoop()
        let started = HTTPListener.start(
            addresses: [.fileDescriptor(descriptor)], sameUser: true, eventLoop: eventLoop, responder: EchoResponder())
        eventLoop.run()
        #expect(throws: HTTPListenerError.unsuitableEventLoop) { try started.wait() }
        #expect(inode(descriptor) != socket)
    }

    @Test("a passed socket is closed where the listener that is to own it cannot be made")
    func unownedSocket() throws {
        let descriptor = try passedSocket("127.0.0.1")
        let socket = try #require(inode(descriptor))
        let client = try RawClient(SocketAddress(ipAddress: "127.0.0.1", port: Int(try #require(try boundPort(descriptor)))))
        let started = HTTPListener.handOver([.fileDescriptor(descriptor)], on: EventLoops.one) {
            () throws(HTTPListenerError) -> EventLoopFuture<HTTPListener> in throw .peersCannotBeTold
        }
        #expect(throws: HTTPListenerError.peersCannotBeTold) { try started.wait() }
        #expect(inode(descriptor) != socket)
        // The browser that waits there learns it at once.
        #expect(throws: RawClient.Failure.self) { try client.responses() }
    }

    private func boundPort(_ descriptor: Int32) throws -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return status == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }
}
