/// One request of the bridge and its answer, by a number that is given once.
public struct ExchangeID: Sendable, Hashable {
    public var number: Int
    public init(_ number: Int) { self.number = number }
}

/// What happens to a session over stdio. The driver reports one at a time, in the order in which they happen.
public enum SessionEvent: Sendable {
    /// A line of the client, without its line end.
    case line([UInt8])
    /// The client has closed its side.
    case inputEnded
    /// The server's answer begins. 401, 403 with a challenge and DPoP nonces have been tried again before, as far as that can help.
    case answered(ExchangeID, BridgeAnswer)
    case received(ExchangeID, [UInt8])
    /// The answer is complete.
    case ended(ExchangeID)
    case failed(ExchangeID, BridgeFailure)
    /// The time that ``SessionAction/wait(_:milliseconds:)`` set is up.
    case elapsed(SessionTimer)
}

public enum SessionTimer: Sendable, Hashable {
    /// Until an exchange is begun again: the server's stream, or one that is resumed.
    case resume(ExchangeID)
    /// For an answer that has no message for the client, or the rest of it.
    case rest(ExchangeID)
}

/// What the driver does, in this order.
public enum SessionAction: Sendable {
    /// Sends a request. `isFirst`: no request of this client has had an answer yet, so the driver may wait for a person for some seconds.
    case send(ExchangeID, BridgeRequest, isFirst: Bool)
    /// Closes the connection of an exchange; nothing is reported of it from now on.
    case cancel(ExchangeID)
    /// Writes a line to the client; the line end is the driver's.
    case write([UInt8])
    case wait(SessionTimer, milliseconds: Int64)
    /// A line for a person, on standard error.
    case tell(String)
    /// Nothing more is read from the client until as much of what waits has been sent; and on again.
    case pauseInput(Bool)
    /// Ends the program; a DELETE that was sent before is waited for at most 100 ms.
    case end(status: Int32)
}
