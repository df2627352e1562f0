import NIOCore
import NIOHTTP1
import NIOPosix
import PosternCore
import PosternCrypto
import TLSTransport

/// One request, from opening its connection to the last byte of its answer. Everything happens on the event loop.
final class Exchange {
    private enum State {
        case new
        /// Until the request can be sent; the connection is set once it is open.
        case connecting((any Channel)?)
        /// The request was passed to the connection: from here on the server may have it.
        case waitingForAnswer(any Channel)
        case done
    }

    private let message: RequestMessage
    private let caFile: String?
    private let addresses: AddressCheck
    private let configuration: HTTPSClientConfiguration
    private let lookups: HostLookups
    private let eventLoop: any EventLoop
    private let promise: EventLoopPromise<ProviderResponse>
    private var state = State.new
    private var deadlines: [Scheduled<Void>] = []

    init(
        _ message: RequestMessage, caFile: String?, addresses: AddressCheck, configuration: HTTPSClientConfiguration,
        lookups: HostLookups, eventLoop: any EventLoop
    ) {
        self.message = message
        self.caFile = caFile
        self.addresses = addresses
        self.configuration = configuration
        self.lookups = lookups
        self.eventLoop = eventLoop
        promise = eventLoop.makePromise()
    }

    private var host: String { message.url.host }

    // MARK: What happens

    func start() -> EventLoopFuture<ProviderResponse> {
        state = .connecting(nil)
        let loop = eventLoop.assumeIsolated()
        deadlines = [
            loop.scheduleTask(in: configuration.connectTimeout) { self.connectTimedOut() },
            loop.scheduleTask(in: configuration.requestTimeout) { self.requestTimedOut() },
        ]
        do throws(ExchangeFailure) {
            let proxy = try configuration.proxies.proxy(for: message.url)
            connect(by: proxy)
        } catch {
            failed(error)
        }
        return promise.futureResult
    }

    /// The TLS handshake is done.
    func secured() { sendRequest() }

    func answered(_ response: ProviderResponse) {
        guard finish() else { return }
        promise.succeed(response)
    }

    /// - Parameter failure: a sentence that continues after the host's name.
    func failed(_ failure: ExchangeFailure) {
        let mayHaveReachedServer =
            switch state {
            case .new, .connecting: false
            case .waitingForAnswer, .done: true
            }
        guard finish() else { return }
        promise.fail(
            HTTPSClientError(
                kind: failure.kind, mayHaveReachedServer: mayHaveReachedServer, description: "'\(host)' \(failure.description)"))
    }

    private func connectTimedOut() {
        guard case .connecting = state else { return }
        failed(
            ExchangeFailure(.connectTimeout, "cannot be reached: no connection within \(configuration.connectTimeout.sentence)"))
    }

    private func requestTimedOut() {
        failed(ExchangeFailure(.requestTimeout, "did not finish its answer within \(configuration.requestTimeout.sentence)"))
    }

    /// Ends the exchange; false if it had ended before.
    private func finish() -> Bool {
        let channel: (any Channel)?
        switch state {
        case .done: return false
        case .new: channel = nil
        case .connecting(let opened): channel = opened
        case .waitingForAnswer(let opened): channel = opened
        }
        state = .done
        for deadline in deadlines { deadline.cancel() }
        deadlines = []
        channel?.close(promise: nil)
        return true
    }

    // MARK: The connection

    private func connect(by proxy: ProxyEndpoint?) {
        let place = proxy?.host ?? host
        let port = proxy?.port ?? Int(message.url.port)
        permitted(by: proxy)
            .assumeIsolated()
            .flatMap { permitted -> EventLoopFuture<(any Channel, AddressCheck.Permitted)> in
                // The look-up may have taken longer than anybody waits.
                guard case .connecting = self.state else { return self.eventLoop.makeFailedFuture(Overdue()) }
                return Connector(eventLoop: self.eventLoop, timeout: self.configuration.connectTimeout)
                    .connect(to: permitted.addresses, host: place, port: port)
                    .map { channel in (channel, permitted) }
            }
            .whenComplete { result in
                switch result {
                case .success(let (channel, permitted)): self.connected(channel, permitted, proxy)
                case .failure(let error): self.failed(Connector.failure(error, port: port, proxy: proxy))
                }
            }
    }

    private struct Overdue: Error {}

    /// The host's addresses, or the proxy's. A proxy looks the host's name up itself, so of a host behind it only a written address can be
    /// judged.
    private func permitted(by proxy: ProxyEndpoint?) -> EventLoopFuture<AddressCheck.Permitted> {
        let (check, lookups, host, port) = (addresses, lookups, host, Int(message.url.port))
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

    private func connected(_ channel: any Channel, _ permitted: AddressCheck.Permitted, _ proxy: ProxyEndpoint?) {
        // The time limit may have passed meanwhile.
        guard case .connecting = state else { return channel.close(promise: nil) }
        state = .connecting(channel)
        do throws(AddressRefusal) {
            if permitted.publicFor != nil {
                guard let end = channel.remoteAddress else { return failed(Self.closedAtOnce) }
                try permitted.check(end)
            }
        } catch {
            return failed(Connector.failure(error, port: Int(message.url.port), proxy: proxy))
        }
        do {
            if let proxy {
                try channel.pipeline.syncOperations.addHandler(tunnel(by: proxy, channel))
            } else {
                try install(channel)
            }
        } catch {
            cannotUse(channel, error)
        }
    }

    private func tunnel(by proxy: ProxyEndpoint, _ channel: any Channel) -> ProxyTunnelHandler {
        ProxyTunnelHandler(to: message.url, by: proxy, userAgent: configuration.userAgent) { result in
            guard case .connecting = self.state else { return }
            switch result {
            case .failure(let failure): self.failed(failure)
            case .success:
                do { try self.install(channel) } catch { self.cannotUse(channel, error) }
            }
        }
    }

    private func install(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let byteLimit = ResponseByteLimit(maximumBodyBytes: configuration.maximumBodyBytes)
        try pipeline.addHandlers([
            byteLimit, HTTPRequestEncoder(),
            ByteToMessageHandler(HTTPResponseDecoder(limitConfiguration: ResponseByteLimit.parserLimits)),
            ResponseHandler(self, byteLimit: byteLimit, maximumBodyBytes: configuration.maximumBodyBytes),
        ])
        switch message.url.scheme {
        case .https:
            // At the front, and added last: the handshake begins at once, and the other handlers must be there when it ends.
            let context = try TLSContext.client(extraAuthorities: caFile)
            try pipeline.addHandler(TLSHandler(client: context, serverHostname: host), position: .first)
        case .http:
            // If a resolver says that "localhost" is elsewhere, it gets no unencrypted request.
            guard channel.remoteAddress?.isLoopback == true else {
                return failed(ExchangeFailure(.plainHTTPRefused, "is not on this machine; use https"))
            }
            sendRequest()
        }
    }

    private func cannotUse(_ channel: any Channel, _ error: any Error) {
        switch error {
        case let error as TLSError where error.code == .badFile:
            failed(ExchangeFailure(.tls(error), "was not contacted: \(error); correct 'ca-file'"))
        case let error as TLSError: failed(ExchangeFailure(.tls(error), "has no secure connection: \(error)"))
        default: failed(Self.closedAtOnce)
        }
    }

    private static let closedAtOnce = ExchangeFailure(.connectionClosed, "closed the connection at once")

    private func sendRequest() {
        guard case .connecting(let channel?) = state else { return }
        // Before the first byte is passed on, so that no later failure can claim that nothing was sent.
        state = .waitingForAnswer(channel)
        let pipeline = channel.pipeline.syncOperations
        pipeline.write(NIOAny(HTTPClientRequestPart.head(message.head)), promise: nil)
        if !message.body.isEmpty {
            let body = channel.allocator.buffer(bytes: message.body)
            pipeline.write(NIOAny(HTTPClientRequestPart.body(.byteBuffer(body))), promise: nil)
        }
        pipeline.writeAndFlush(NIOAny(HTTPClientRequestPart.end(nil)), promise: nil)
    }
}

extension TimeAmount {
    /// "10 s", or "200 ms".
    fileprivate var sentence: String {
        nanoseconds.isMultiple(of: 1_000_000_000) ? "\(nanoseconds / 1_000_000_000) s" : "\(nanoseconds / 1_000_000) ms"
    }
}
