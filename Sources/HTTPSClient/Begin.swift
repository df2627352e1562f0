import NIOCore
import PosternCore
public struct HTTPSClientConfiguration: Sendable { public init(environment: [String: String]) {} }
public final class HTTPSClient: Sendable {
    let eventLoop: any EventLoop
    public init(eventLoop: any EventLoop, configuration: HTTPSClientConfiguration) { self.eventLoop = eventLoop }
    public func send(_ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int? = nil) -> EventLoopFuture<ProviderResponse> { eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
}
