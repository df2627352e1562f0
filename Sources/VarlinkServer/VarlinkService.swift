import Varlink

/// What a listener serves. Every method is called on the listener's loop.
public protocol VarlinkService: AnyObject, Sendable {
    /// The interfaces with their descriptions, except `org.varlink.service`. Read once, when the listener starts.
    var interfaces: [VarlinkInterface] { get }

    /// A call of a method that one of the interfaces defines.
    ///
    /// Ends with exactly one final reply or error through `reply`, now or later. The next call of the same connection follows only after
    /// that: pipelined calls are handled in order. The peer of a call without a reply may have disconnected already.
    func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle)

    func connectionOpened(_ peer: VarlinkPeer)

    /// The peer has disconnected; its unanswered call, if any, has been cancelled, and none of its calls will follow.
    func connectionClosed(_ peer: VarlinkPeer)

    /// New connections cannot be accepted, or only by closing others. Reported at most once an hour.
    func acceptFailed(_ error: VarlinkAcceptError)

    /// The connection is closed because too many replies wait for the peer to read them. Reported at most once an hour for all peers.
    func clientCutOff(_ peer: VarlinkPeer, _ unread: VarlinkUnreadReplies)
}

/// Replies that clients have not read when one of them is cut off.
public struct VarlinkUnreadReplies: Sendable, Hashable {
    /// Of the client that is cut off.
    public var bytes: Int
    /// Of all clients, including the read part of replies that they have not read to the end.
    public var inAll: Int
}

extension VarlinkService {
    public func connectionOpened(_ peer: VarlinkPeer) {}
    public func connectionClosed(_ peer: VarlinkPeer) {}
    public func acceptFailed(_ error: VarlinkAcceptError) {}
    public func clientCutOff(_ peer: VarlinkPeer, _ unread: VarlinkUnreadReplies) {}
}
