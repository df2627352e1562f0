import NIOCore
import Varlink

/// What one listener and one client may take up.
public struct VarlinkLimits: Sendable {
    /// Bytes of one message from a client, its ending apart.
    public var messageBytes = 64 << 10
    /// Connections at once, those of clients that have gone and left work behind among them. For one more, the one that has been idle
    /// longest is closed. Idle is a connection without a call under way; where there is none, the new one is told `overload` and closed.
    public var connections = 256
    /// Calls of one connection without a final reply; then its bytes stay in the socket.
    public var unansweredCalls = 64
    /// Bytes of replies that wait for a client to read them; one more, and it is closed.
    public var unreadBytes = 1 << 20
    /// How long a connection that was refused may stay half open, so that the client can still send what it is
    /// sending and read why it was refused.
    public var lingering = TimeAmount.seconds(2)
    /// How long calls wait when the replies before them are not being read. A client that reads catches up within
    /// this; one that does not soon has `unreadBytes` waiting.
    public var patience = TimeAmount.milliseconds(200)
    /// What a client beyond `connections` is told while all others are busy.
    public var overload = VarlinkError(
        name: VarlinkError.permissionDenied.name,
        parameters: ["message": "too many calls are under way; wait until one has ended, and try again"])

    public init() {}
}
