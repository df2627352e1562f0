import NIOCore

/// What one client may take of the service.
public struct HTTPLimits: Sendable {
    /// The request line without its line end; longer ones are answered 414.
    public var requestLineBytes = 8 * 1024
    /// All header lines together, line ends included; larger ones are answered 431.
    public var headerBytes = 16 * 1024
    /// Header lines; more are answered 431.
    public var headerFields = 100
    /// The body after any transfer coding; larger ones are answered 413.
    public var bodyBytes = 64 * 1024
    /// From the connection, or from the first byte of a later request, to the end of its headers. Past it: 408, or closed
    /// where not one byte came.
    public var headerTime = TimeAmount.seconds(10)
    /// From the end of the headers to the end of the body; past it 408.
    public var bodyTime = TimeAmount.seconds(10)
    /// How long a connection may rest between two requests.
    public var idleTime = TimeAmount.seconds(5)
    /// How long a client may take to read an answer, and after the last one to close its end.
    public var answerTime = TimeAmount.seconds(5)
    /// Open at once. Of those that have no complete request, the one that has rested longest gives way to a new one.
    public var connections = 64

    public init() {}
}
