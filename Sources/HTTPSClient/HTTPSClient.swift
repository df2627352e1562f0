import NIOCore
import NIOHTTP1
import NIOPosix
import PosternCore
import PosternCrypto
import TLSTransport

/// Requests to providers: one connection each, TLS verified, everything bounded, nothing followed or sent again.
public final class HTTPSClient: Sendable {
    private let eventLoop: any EventLoop
    private let configuration: HTTPSClientConfiguration
    private let contexts: NIOLoopBoundBox<TrustedContexts>

    /// - Parameter eventLoop: one of `NIOPosix`; everything runs on it.
    public init(eventLoop: any EventLoop, configuration: HTTPSClientConfiguration) {
        self.eventLoop = eventLoop
        self.configuration = configuration
        contexts = .makeBoxSendingValue(TrustedContexts(eventLoop: eventLoop), eventLoop: eventLoop)
    }

    /// Sends the request once. Redirects come back as they are.
    ///
    /// - Parameters:
    ///   - caFile: certificate authorities beside the system's, PEM.
    ///   - maximumBodyBytes: in place of the configuration's.
    /// - Returns: fails with ``HTTPSClientError``.
    public func send(
        _ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int? = nil
    ) -> EventLoopFuture<ProviderResponse> {
        let target: EndpointURL
        do throws(EndpointURLError) { target = try EndpointURL(request.url) } catch {
            var kind = HTTPSClientError.Kind.invalidURL
            if case .plainHTTP = error { kind = .plainHTTPRefused }
            return eventLoop.makeFailedFuture(HTTPSClientError(kind, "the address \(error)"))
        }
        return eventLoop.flatSubmit { [self] in
            let exchange = Exchange(
                request: request, target: target, configuration: configuration,
                maximumBodyBytes: maximumBodyBytes ?? configuration.maximumBodyBytes, eventLoop: eventLoop)
            exchange.begin(proxy: configuration.proxies.choice(host: target.host, port: exchange.port)) {
                try contexts.value.context(caFile: caFile)
            }
            return exchange.future
        }
    }
}
