import NIOCore

/// Limits on what one client may use.
public struct HTTPLimits: Sendable {
    /// The request line without its line end; longer ones are answered with 414.
    public var requestLineBytes = 8 * 1024
    /// All header lines together, line ends included; larger ones are answered with 431.
    public var headerBytes = 16 * 1024
    /// Header lines; more are answered with 431.
    public var headerFields = 100
    /// The body without any transfer coding; larger ones are answered with 413.
    public var bodyBytes = 64 * 1024
    /// From the connection, or from the first byte of a later request, to the end of its headers. After that: 408, or closed without an
    /// answer if nothing was received.
    public var headerTime = TimeAmount.seconds(10)
    /// From the end of the headers to the end of the body; after that 408.
    public var bodyTime = TimeAmount.seconds(10)
    /// How long a connection may be idle between two requests.
    public var idleTime = TimeAmount.seconds(5)
    /// How long a client may take to read an answer, and to close its end after the last one.
    public var answerTime = TimeAmount.seconds(5)
    /// Simultaneous connections; one may be added at each address. Of those without a complete request, the one that has been idle longest is
    /// closed for a new one; if there is none, new ones wait in the backlog.
    public var connections = 64

    public init() {}

    /// For requests and answers that are passed on as they arrive, of any length. The time for a body is then that between two parts of it,
    /// and the time for an answer only that in which the client closes its end after the last one.
    public static var streams: HTTPLimits {
        var limits = HTTPLimits()
        limits.requestLineBytes = 16 * 1024
        limits.headerBytes = 64 * 1024
        // Far more than anybody sends, and room to count.
        limits.bodyBytes = 1 << 50
        limits.bodyTime = .seconds(60)
        limits.idleTime = .seconds(60)
        return limits
    }
}
