// HTTPSClient: requests to providers.
//
// Knows names, proxies, certificates, limits, deadlines and kept connections; sends each request once, and follows no redirect.
//
// Does not know OAuth: it is given a request and returns the answer, whole or as it arrives.
//
// Imports: ChannelAdmission, PosternCore, PosternCrypto, TLSTransport, NIOCore, NIOPosix, NIOHTTP1, Glibc.
// Start: HTTPSClient.swift, StreamedRequest.swift, StreamedExchange.swift.

import NIOCore
import PosternCore

/// Sends requests to servers: HTTP/1.1 over TLS, no redirects followed, everything bounded.
///
/// ``send(_:caFile:maximumBodyBytes:)`` uses a connection for each request. ``open(_:handler:)`` keeps them for a few seconds, and streams. Else
/// the client holds no connection, no certificate store and no timer; only which hosts were public (``PublicHosts``). It may be used from any
/// thread if not said otherwise; the work is done on its event loop.
public final class HTTPSClient: Sendable {
    private let eventLoop: any EventLoop
    private let configuration: HTTPSClientConfiguration
    private let pool: NIOLoopBoundBox<ConnectionPool>

    public init(eventLoop: any EventLoop, configuration: HTTPSClientConfiguration) {
        self.eventLoop = eventLoop
        self.configuration = configuration
        pool = .makeBoxSendingValue(ConnectionPool(eventLoop: eventLoop, configuration: configuration), eventLoop: eventLoop)
    }

    /// Sends the request once.
    ///
    /// - Parameters:
    ///   - request: its URL is absolute, `https`, or `http` to a loopback host.
    ///   - caFile: a PEM file of authorities that are trusted in addition to the system's; read again each time.
    ///   - maximumBodyBytes: the limit for the answer's body; nil for the configuration's. The request's own holds beside it.
    /// - Returns: the answer, whatever its status; fails only with an ``HTTPSClientError``.
    public func send(
        _ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int? = nil
    ) -> EventLoopFuture<ProviderResponse> {
        eventLoop.flatSubmit { [self] in start(request, caFile: caFile, maximumBodyBytes: maximumBodyBytes) }
    }

    private func start(_ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int?) -> EventLoopFuture<ProviderResponse> {
        let limits = configuration.limited(by: request, maximumBodyBytes: maximumBodyBytes)
        let promise = eventLoop.makePromise(of: ProviderResponse.self)
        let collector = ResponseCollector(maximumBodyBytes: limits.maximumBodyBytes, promise: promise)
        var streamed = StreamedRequest(
            method: request.method, url: request.url, headers: request.headers, body: .bytes(request.body))
        streamed.addresses = request.addresses
        streamed.takesEncodings = false
        streamed.keepsConnection = false
        let exchange = exchange(streamed, authorities: caFile.map(Authorities.file) ?? .system, handler: collector)
        exchange.terms.connectTimeout = limits.connectTimeout
        exchange.terms.totalTimeout = limits.requestTimeout
        exchange.terms.maximumBodyBytes = limits.maximumBodyBytes
        collector.exchange = exchange
        exchange.start()
        return promise.futureResult
    }

    func exchange(
        _ request: StreamedRequest, authorities: Authorities, handler: any StreamedExchangeHandler
    ) -> StreamedExchange {
        StreamedExchange(
            (request.prepared ?? RequestMessage.of(request)).flatMap { $0.completed(for: request, userAgent: configuration.userAgent) },
            terms: StreamedExchange.Terms(
                connectTimeout: configuration.connectTimeout, takesEncodings: request.takesEncodings,
                keepsConnection: request.keepsConnection),
            addresses: request.addresses, authorities: authorities, pool: pool.value, eventLoop: eventLoop, handler: handler)
    }
}

/// Limits and proxies, for all requests of a client.
public struct HTTPSClientConfiguration: Sendable {
    /// Until the request can be sent: name, TCP, proxy and TLS together.
    public var connectTimeout = TimeAmount.seconds(10)
    /// From the call to the last byte of the answer.
    public var requestTimeout = TimeAmount.seconds(30)
    /// The limit for an answer's body, if a request does not set another one.
    public var maximumBodyBytes = 1 << 20
    /// Sent if a request has no `User-Agent` of its own: GitHub answers 403 to requests without.
    public var userAgent: String

    let proxies: ProxySettings

    /// - Parameters:
    ///   - environment: read now, and once: `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY` (the first that is set and not empty),
    ///     `no_proxy`, `NO_PROXY`. `HTTP_PROXY` is not used: plain http is only sent to this machine.
    ///   - userAgent: product and version.
    public init(environment: [String: String], userAgent: String = "Postern") {
        self.userAgent = userAgent
        proxies = ProxySettings(environment: environment)
    }

    /// Some requests go by way of a proxy.
    public var usesProxy: Bool { proxies.isConfigured }

    /// Why the configured proxy cannot be used, and with it nothing be sent to other machines; nil if it can, or if there is none.
    public var proxyProblem: String? { proxies.problem }
}

extension HTTPSClientConfiguration {
    /// With the request's own limits, where they are stricter.
    func limited(by request: ProviderRequest, maximumBodyBytes: Int?) -> HTTPSClientConfiguration {
        var limited = self
        let most = maximumBodyBytes ?? limited.maximumBodyBytes
        limited.maximumBodyBytes = min(most, request.mostBodyBytes ?? most)
        if let seconds = request.longestSeconds {
            limited.requestTimeout = min(requestTimeout, .seconds(Int64(seconds)))
            limited.connectTimeout = min(connectTimeout, limited.requestTimeout)
        }
        return limited
    }
}
