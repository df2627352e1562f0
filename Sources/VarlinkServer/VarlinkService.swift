import Varlink

/// What answers the calls of a listener. Everything is called on the listener's event loop.
public protocol VarlinkService: AnyObject, Sendable {
    /// The interfaces beside `org.varlink.service`, with their descriptions.
    var interfaces: [(name: String, description: String)] { get }

    /// A call to one of the interfaces; the method may be one that it does not have.
    ///
    /// Ends with exactly one final reply or error through the handle, at once or any time later. The next call of the
    /// same connection comes after that.
    func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle)

    func connectionOpened(_ peer: VarlinkPeer)
    func connectionClosed(_ peer: VarlinkPeer)
}

extension VarlinkService {
    public func connectionOpened(_ peer: VarlinkPeer) {}
    public func connectionClosed(_ peer: VarlinkPeer) {}
}

/// What a service says of itself in `GetInfo`.
public struct VarlinkServiceInfo: Sendable, Hashable {
    public var vendor: String
    public var product: String
    public var version: String
    public var url: String

    public init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}

/// Bounds on what clients may use up.
public struct VarlinkLimits: Sendable, Hashable {
    /// Bytes of one message from a client.
    public var message = 65_536
    /// Connections at once.
    public var connections = 256
    /// Calls of one connection that wait for their reply; then it is not read from until some are answered.
    public var pipelinedCalls = 64
    /// Bytes of replies that a client does not read; then its connection is closed.
    public var unreadReplies = 1_048_576

    public init() {}
}
