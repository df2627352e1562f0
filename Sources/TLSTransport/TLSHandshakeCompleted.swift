/// Fired by ``TLSHandler`` as a user inbound event, once, when the peer is proved and data can flow.
public struct TLSHandshakeCompleted: Hashable, Sendable {
    /// "TLSv1.3".
    public var version: String

    public init(version: String) { self.version = version }
}
