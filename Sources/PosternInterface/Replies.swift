/// The replies of one call before its last one.
public struct Replies<Reply: InterfaceObject>: Sendable {
    private let sink: ReplySink

    public init(_ sink: ReplySink) { self.sink = sink }

    /// The caller takes them (`more`). If it does not, they go nowhere.
    public var isWanted: Bool { sink.isWanted }

    /// The caller takes the last one. If it does not (`oneway`), what is returned reaches nobody.
    public var isLastWanted: Bool { sink.isLastWanted }

    public func send(_ reply: Reply) {
        if sink.isWanted { sink.send(reply) }
    }
}

/// Where the replies of a call go, whatever its method.
public struct ReplySink: Sendable {
    public let isWanted: Bool
    public let isLastWanted: Bool
    let send: @Sendable (any InterfaceObject) -> Void

    public init(isWanted: Bool, isLastWanted: Bool, _ send: @escaping @Sendable (any InterfaceObject) -> Void) {
        self.isWanted = isWanted
        self.isLastWanted = isLastWanted
        self.send = send
    }
}
