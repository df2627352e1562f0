import NIOCore
import NIOHTTP1
import NIOPosix
import PosternCore
import PosternCrypto
import TLSTransport

/// One request and its answer. Lives on the event loop.
final class Exchange {
    private let request: ProviderRequest
    private let target: EndpointURL
    private let configuration: HTTPSClientConfiguration
    private let maximumBodyBytes: Int
    private let eventLoop: any EventLoop
    private let promise: EventLoopPromise<ProviderResponse>
    private var channel: (any Channel)?
    private var timers: [Scheduled<Void>] = []
    private var isFinished = false
    /// From here on the server may act on the request.
    private var wasSent = false

    var future: EventLoopFuture<ProviderResponse> { promise.futureResult }
    var port: Int { target.explicitPort.map(Int.init) ?? (target.scheme == .https ? 443 : 80) }

    init(
        request: ProviderRequest, target: EndpointURL, configuration: HTTPSClientConfiguration, maximumBodyBytes: Int,
        eventLoop: any EventLoop
    ) {
        self.request = request
        self.target = target
        self.configuration = configuration
        self.maximumBodyBytes = maximumBodyBytes
        self.eventLoop = eventLoop
        promise = eventLoop.makePromise()
    }

    // MARK: Connecting

    /// - Parameter trust: asked where TLS is spoken; reads the authorities.
    func begin(proxy: ProxySettings.Choice, trust: () throws -> TLSContext) {
        let context: TLSContext?
        do { context = target.scheme == .https ? try trust() : nil } catch {
            return fail(.tls, "the certificate authorities cannot be read: \(error)")
        }
        let tunnel: ProxySettings.Proxy?
        switch proxy {
        case .direct: tunnel = nil
        case .unusable(let reason): return fail(.proxy, reason)
        case .through(let proxy): tunnel = proxy
        }
        let (host, port) = (tunnel?.host ?? target.host, tunnel?.port ?? self.port)
        after(configuration.requestTimeout) { $0.timedOut(.requestTimeout, "no answer within \($0.configuration.requestTimeout.seconds) s") }
        after(configuration.connectTimeout) { exchange in
            guard !exchange.wasSent else { return }
            exchange.timedOut(.connectTimeout, "no connection within \(exchange.configuration.connectTimeout.seconds) s")
        }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(configuration.connectTimeout)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.prepare(channel, tunnel: tunnel, context: context) }
            }
        // An address needs no resolver, whose threads would stay for a while.
        let connection =
            if let address = try? SocketAddress(ipAddress: host, port: port) {
                bootstrap.connect(to: address)
            } else {
                bootstrap.connect(host: host, port: port)
            }
        connection.whenComplete { result in bound.value.connected(result, host: host, port: port, isProxy: tunnel != nil) }
    }

    private func prepare(_ channel: any Channel, tunnel: ProxySettings.Proxy?, context: TLSContext?) throws {
        let pipeline = channel.pipeline.syncOperations
        guard let tunnel else { return try addHandlers(to: pipeline, context: context) }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        try pipeline.addHandler(
            ProxyTunnel(to: target, port: port, credentials: tunnel.credentials) { result in
                bound.value.tunnelled(result, pipeline: channel.pipeline.syncOperations, context: context)
            })
    }

    private func tunnelled(_ result: Result<Void, ProxyTunnel.Failure>, pipeline: ChannelPipeline.SynchronousOperations, context: TLSContext?) {
        switch result {
        case .failure(let failure): fail(.proxy, "the proxy did not let the request pass: \(failure.reason)")
        case .success:
            do {
                try addHandlers(to: pipeline, context: context)
                if let channel { write(to: channel) }
            } catch {
                fail(.tls, "\(error)")
            }
        }
    }

    private func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations, context: TLSContext?) throws {
        // Holds on to this exchange until it has ended, which closes the channel and takes its handlers away.
        let collector = ResponseCollector(maximumBodyBytes: maximumBodyBytes) { result in
            self.collected(result)
        } secured: {
            self.wasSent = true
        }
        if let context { try pipeline.addHandler(TLSHandler(client: context, serverHostname: target.host)) }
        try pipeline.addHandler(HeadLimit(collector: collector, limit: configuration.maximumHeadBytes))
        try pipeline.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
        try pipeline.addHandler(collector)
    }

    private func connected(_ result: Result<any Channel, any Error>, host: String, port: Int, isProxy: Bool) {
        switch result {
        case .failure(let error):
            if let error = error as? TLSError { return fail(.tls, error.description) }
            let what = isProxy ? "the proxy \(host):\(port)" : "\(host):\(port)"
            fail(isProxy ? .proxy : .connect, "no connection to \(what) can be made: \(Self.reason(error))")
        case .success(let channel):
            guard !isFinished else { return channel.close(promise: nil) }
            self.channel = channel
            // Through a proxy the request waits for the tunnel.
            if !isProxy { write(to: channel) }
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let last = error.connectionErrors.last { return reason(last.error) }
            return "its name is not known (\((error.dnsAError ?? error.dnsAAAAError).map { "\($0)" } ?? "no address"))"
        case let error as IOError: return error.description
        default: return "\(error)"
        }
    }

    // MARK: The request

    private func write(to channel: any Channel) {
        var head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: requestTarget)
        head.headers.add(name: "Host", value: authority)
        head.headers.add(name: "Connection", value: "close")
        for (name, value) in request.headers { head.headers.add(name: name, value: value) }
        // GitHub refuses requests that have none.
        if !head.headers.contains(name: "User-Agent") { head.headers.add(name: "User-Agent", value: "Postern") }
        if !request.body.isEmpty || request.method == "POST" {
            head.headers.replaceOrAdd(name: "Content-Length", value: String(request.body.count))
        }
        // Over TLS nothing leaves before the server's certificate was accepted.
        if target.scheme == .http { wasSent = true }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        channel.write(HTTPClientRequestPart.head(head)).whenFailure { error in
            // A header with a line break in it, for one.
            if error is HTTPParserError { bound.value.fail(.invalidRequest, "the request holds a character that no request may hold") }
        }
        if !request.body.isEmpty {
            channel.write(HTTPClientRequestPart.body(.byteBuffer(channel.allocator.buffer(bytes: request.body))), promise: nil)
        }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    private var requestTarget: String { (target.path.isEmpty ? "/" : target.path) + (target.query.map { "?\($0)" } ?? "") }

    private var authority: String {
        let host = target.host.contains(":") ? "[\(target.host)]" : target.host
        return target.explicitPort.map { "\(host):\($0)" } ?? host
    }

    // MARK: Ending

    private func collected(_ result: Result<ProviderResponse, ResponseCollector.Failure>) {
        switch result {
        case .success(let response): finish(.success(response))
        case .failure(.tls(let error)): fail(.tls, error.description)
        case .failure(.tooLarge(let limit)): fail(.responseTooLarge, "the answer of \(target.host) is larger than \(limit) bytes")
        case .failure(.malformed(let reason)): fail(.malformedResponse, "the answer of \(target.host) is not HTTP: \(reason)")
        case .failure(.closed): fail(.connectionClosed, "\(target.host) closed the connection before it had answered")
        case .failure(.other(let reason)): fail(.connectionClosed, "the connection to \(target.host) broke: \(reason)")
        }
    }

    private func timedOut(_ kind: HTTPSClientError.Kind, _ what: String) { fail(kind, "\(target.host) gave \(what)") }

    private func fail(_ kind: HTTPSClientError.Kind, _ sentence: String) {
        finish(.failure(HTTPSClientError(kind, mayHaveReachedServer: wasSent, sentence)))
    }

    private func finish(_ result: Result<ProviderResponse, HTTPSClientError>) {
        guard !isFinished else { return }
        isFinished = true
        for timer in timers { timer.cancel() }
        timers = []
        switch result {
        case .success(let response): promise.succeed(response)
        case .failure(let error): promise.fail(error)
        }
        channel?.close(promise: nil)
        channel = nil
    }

    private func after(_ delay: TimeAmount, _ body: @escaping (Exchange) -> Void) {
        timers.append(
            eventLoop.assumeIsolated().scheduleTask(in: delay) { [weak self] in
                if let self { body(self) }
            })
    }
}

extension TimeAmount {
    fileprivate var seconds: String {
        let milliseconds = nanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
    }
}
