import NIOCore
import NIOHTTP1
import NIOPosix
import PosternCore
import PosternCrypto
import TLSTransport

public struct HTTPSClientConfiguration: Sendable { public init(environment: [String: String]) {} }

public struct HTTPSClientError: Error, CustomStringConvertible { public var description: String }

/// Interim: direct connections only.
public final class HTTPSClient: Sendable {
    let eventLoop: any EventLoop
    public init(eventLoop: any EventLoop, configuration: HTTPSClientConfiguration) { self.eventLoop = eventLoop }

    public func send(_ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int? = nil) -> EventLoopFuture<ProviderResponse> {
        let promise = eventLoop.makePromise(of: ProviderResponse.self)
        guard let schemeEnd = request.url.firstIndex(of: ":") else { return eventLoop.makeFailedFuture(HTTPSClientError(description: "bad url")) }
        let isTLS = request.url.hasPrefix("https:")
        let rest = request.url[request.url.index(schemeEnd, offsetBy: 3)...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        var path = String(rest.dropFirst(authority.count))
        if !path.hasPrefix("/") { path = "/" + path }
        var host = String(authority)
        var port = isTLS ? 443 : 80
        if let colon = authority.lastIndex(of: ":"), let number = Int(authority[authority.index(after: colon)...]) { host = String(authority[..<colon]); port = number }
        if host.hasPrefix("[") { host = String(host.dropFirst().dropLast()) }
        let finalHost = host
        ClientBootstrap(group: eventLoop).connectTimeout(.seconds(10)).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                if isTLS {
                    try channel.pipeline.syncOperations.addHandler(TLSHandler(client: try TLSContext.client(extraAuthorities: caFile), serverHostname: finalHost))
                }
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                try channel.pipeline.syncOperations.addHandler(Collector(promise))
            }
        }.connect(host: host, port: port).whenComplete { result in
            switch result {
            case .failure(let error): promise.fail(error)
            case .success(let channel):
                var head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: request.method), uri: path)
                head.headers.add(name: "Host", value: String(authority))
                head.headers.add(name: "Connection", value: "close")
                head.headers.add(name: "User-Agent", value: "Postern/0.1.0")
                for (name, value) in request.headers { head.headers.add(name: name, value: value) }
                if !request.body.isEmpty { head.headers.add(name: "Content-Length", value: String(request.body.count)) }
                channel.write(HTTPClientRequestPart.head(head), promise: nil)
                if !request.body.isEmpty { channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: request.body))), promise: nil) }
                channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
                let timeout = channel.eventLoop.scheduleTask(in: .seconds(30)) { promise.fail(HTTPSClientError(description: "timed out")); channel.close(promise: nil) }
                promise.futureResult.whenComplete { _ in timeout.cancel(); channel.close(promise: nil) }
            }
        }
        return promise.futureResult
    }
}

final class Collector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    let promise: EventLoopPromise<ProviderResponse>
    var response = ProviderResponse(status: 0)
    init(_ promise: EventLoopPromise<ProviderResponse>) { self.promise = promise }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): response.status = Int(head.status.code); response.headers = head.headers.map { ($0.name, $0.value) }
        case .body(let buffer): response.body += buffer.readableBytesView
        case .end: promise.succeed(response)
        }
    }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { promise.fail(error); context.close(promise: nil) }
    func channelInactive(context: ChannelHandlerContext) { promise.fail(HTTPSClientError(description: "closed")) }
}
