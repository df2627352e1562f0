import StrictJSON
import Varlink

/// What a listener serves. Every method is called on the listener's event loop.
public protocol VarlinkService: AnyObject, Sendable {
    /// The interfaces with their descriptions, `org.varlink.service` apart. Read once, when the listener starts.
    var interfaces: [(name: String, description: String)] { get }

    /// A call of a method that one of the interfaces defines.
    ///
    /// Ends with exactly one final reply or error through `reply`, now or later. The next call of the same connection
    /// comes only after that: what a client pipelines happens in order.
    func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle)

    func connectionOpened(_ peer: VarlinkPeer)

    /// The peer is gone; its unanswered call, if any, has been cancelled.
    func connectionClosed(_ peer: VarlinkPeer)
}

extension VarlinkService {
    public func connectionOpened(_ peer: VarlinkPeer) {}
    public func connectionClosed(_ peer: VarlinkPeer) {}
}
