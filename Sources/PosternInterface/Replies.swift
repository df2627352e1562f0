/// Sends the replies of one call that precede its last one.
public struct Replies<Reply: InterfaceObject>: Sendable {
    private let sink: ReplySink

    public init(_ sink: ReplySink) { self.sink = sink }

    /// Whether the caller wants them (`more`). If not, they are dropped.
    public var isWanted: Bool { sink.isWanted }

    /// Whether the caller wants the last reply. If not (`oneway`), what is returned is dropped.
    public var isLastWanted: Bool { sink.isLastWanted }

    public func send(_ reply: Reply) {
        if sink.isWanted { sink.send(reply) }
    }
}

/// Where a call's replies are sent, whatever its method.
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
