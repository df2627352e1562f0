import NIOCore
import NIOPosix
import PosternCore
import PosternCrypto
import TLSTransport

/// Opens one connection: name, TCP, proxy and TLS together. Everything happens on the event loop.
final class ConnectionAttempt: ConnectionUser {
    private let destination: Destination
    private let proxy: ProxyEndpoint?
    private let addresses: AddressCheck
    private let timeout: TimeAmount
    private let userAgent: String
    /// Made once there is a connection.
    private let tls: () throws -> TLSContext
    private var connection: Connection?
    private var deadline: Scheduled<Void>?
    /// Called once, and then released; nil once it is over.
    private var completion: ((Result<Connection, ExchangeFailure>) -> Void)?

    init(
        to destination: Destination, by proxy: ProxyEndpoint?, addresses: AddressCheck, timeout: TimeAmount, userAgent: String,
        tls: @escaping () throws -> TLSContext
    ) {
        self.destination = destination
        self.proxy = proxy
        self.addresses = addresses
        self.timeout = timeout
        self.userAgent = userAgent
        self.tls = tls
    }

    private var eventLoop: any EventLoop { addresses.lookups.eventLoop }
    private var host: String { destination.url.host }
    private var isOver: Bool { completion == nil }

    func start(completion: @escaping (Result<Connection, ExchangeFailure>) -> Void) {
        self.completion = completion
        deadline = eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            self.failed(ExchangeFailure(.connectTimeout, "cannot be reached: no connection within \(self.timeout.sentence)"))
        }
        connect()
    }

    /// Closes what is open; the completion is not called.
    func cancel() { finish()?.close() }

    // MARK: What happens

    func secured() {
        let completion = completion
        guard let connection = finish() else { return }
        completion?(.success(connection))
    }

    func failed(_ failure: ExchangeFailure) {
        let completion = completion
        finish()?.close()
        completion?(.failure(failure))
    }

    /// - Returns: the connection, which no longer reports to the attempt.
    private func finish() -> Connection? {
        completion = nil
        deadline?.cancel()
        deadline = nil
        let opened = connection
        connection = nil
        opened?.user = nil
        return opened
    }

    // MARK: The steps

    private func connect() {
        let place = proxy?.host ?? host
        let port = proxy?.port ?? Int(destination.url.port)
        permitted()
            .assumeIsolated()
            .flatMap { permitted -> EventLoopFuture<(any Channel, AddressCheck.Permitted)> in
                // The look-up may have taken longer than anybody waits.
                guard !self.isOver else { return self.eventLoop.makeFailedFuture(Overdue()) }
                return Connector(eventLoop: self.eventLoop, timeout: self.timeout)
                    .connect(to: permitted.addresses, host: place, port: port)
                    .map { channel in (channel, permitted) }
            }
            .whenComplete { result in
                switch result {
                case .success(let (channel, permitted)): self.connected(channel, permitted)
                case .failure(let error): self.failed(Connector.failure(error, port: port, proxy: self.proxy))
                }
            }
    }

    private struct Overdue: Error {}

    /// The host's addresses, or the proxy's. A proxy looks the host's name up itself, so of a host behind it only a written address can be
    /// judged.
    private func permitted() -> EventLoopFuture<AddressCheck.Permitted> {
        let (check, lookups, host, port) = (addresses, addresses.lookups, host, Int(destination.url.port))
        let judged: EventLoopFuture<AddressCheck.Permitted>
        if proxy == nil {
            judged = lookups.addresses(of: host, port: port).flatMap { check.permitted($0, of: host) }
        } else if let address = try? SocketAddress(ipAddress: host, port: port) {
            judged = check.permitted([address], of: host)
        } else {
            judged = eventLoop.makeSucceededFuture(AddressCheck.Permitted(addresses: []))
        }
        guard let proxy else { return judged }
        return judged.flatMap { _ in lookups.addresses(of: proxy.host, port: proxy.port) }.map { AddressCheck.Permitted(addresses: $0) }
    }

    private func connected(_ channel: any Channel, _ permitted: AddressCheck.Permitted) {
        // The time limit may have passed meanwhile.
        guard !isOver else { return channel.close(promise: nil) }
        let connection = Connection(channel)
        connection.user = self
        self.connection = connection
        do throws(AddressRefusal) {
            if permitted.publicFor != nil {
                guard let end = channel.remoteAddress else { return failed(Self.closedAtOnce) }
                try permitted.check(end)
            }
        } catch {
            return failed(Connector.failure(error, port: Int(destination.url.port), proxy: proxy))
        }
        do {
            if let proxy {
                try channel.pipeline.syncOperations.addHandler(tunnel(by: proxy, connection))
            } else {
                try install(connection)
            }
        } catch {
            cannotUse(error)
        }
    }

    private func tunnel(by proxy: ProxyEndpoint, _ connection: Connection) -> ProxyTunnelHandler {
        ProxyTunnelHandler(to: destination.url, by: proxy, userAgent: userAgent) { result in
            guard !self.isOver else { return }
            switch result {
            case .failure(let failure): self.failed(failure)
            case .success:
                do { try self.install(connection) } catch { self.cannotUse(error) }
            }
        }
    }

    private func install(_ connection: Connection) throws {
        try connection.install()
        switch destination.url.scheme {
        case .https:
            // At the front, and added last: the handshake begins at once, and the other handlers must be there when it ends.
            let handler = try TLSHandler(client: tls(), serverHostname: host)
            try connection.channel.pipeline.syncOperations.addHandler(handler, position: .first)
        case .http:
            // If a resolver says that "localhost" is elsewhere, it gets no unencrypted request.
            guard connection.channel.remoteAddress?.isLoopback == true else {
                return failed(ExchangeFailure(.plainHTTPRefused, "is not on this machine; use https"))
            }
            secured()
        }
    }

    private func cannotUse(_ error: any Error) {
        switch error {
        case let error as TLSError where error.code == .badFile:
            failed(ExchangeFailure(.tls(error), "was not contacted: \(error); correct 'ca-file'"))
        case let error as TLSError: failed(ExchangeFailure(.tls(error), "has no secure connection: \(error)"))
        default: failed(Self.closedAtOnce)
        }
    }

    private static let closedAtOnce = ExchangeFailure(.connectionClosed, "closed the connection at once")
}

extension TimeAmount {
    /// "10 s", or "200 ms".
    var sentence: String {
        nanoseconds.isMultiple(of: 1_000_000_000) ? "\(nanoseconds / 1_000_000_000) s" : "\(nanoseconds / 1_000_000) ms"
    }
}
