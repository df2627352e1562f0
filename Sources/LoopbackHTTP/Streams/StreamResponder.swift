import NIOCore

/// Answers requests whose bodies are passed on as they arrive, as are those of their answers. Everything is called on the listener's event
/// loop.
public protocol StreamResponder: ListenerDelegate {
    /// A request has begun. Nothing of its body is read before ``IncomingExchange/readsBody`` is set.
    ///
    /// - Returns: who hears of what follows; it is kept until the exchange is over.
    func begin(_ head: RequestHead, over exchange: IncomingExchange) -> any IncomingHandler
}

/// Hears of a request under way.
public protocol IncomingHandler: AnyObject {
    func bodyReceived(_ bytes: ByteBuffer)
    /// Called once after the last part, and not at all for a request without a body.
    func bodyEnded()
    /// Whether the client takes the answer more slowly than it comes: then no more of it should be written.
    func answerPaused(_ isPaused: Bool)
    /// The client has closed the connection or its sending side, has broken a rule in the body, or has stopped sending it. Nothing more is
    /// called, and nothing that is written from now on is sent.
    func clientGone()
}

/// A request under way, and its answer: either ``answer(_:)``, or ``begin(status:headers:length:)``, any number of ``write(_:)``, and
/// ``end()``. What comes when it is over is ignored.
public final class IncomingExchange {
    private weak var connection: StreamConnection?
    var handler: (any IncomingHandler)?

    init(_ connection: StreamConnection) { self.connection = connection }

    /// While true, parts of the body are read and reported. Setting it may report what has arrived already before it returns. The first time,
    /// a client that waits for `100 Continue` gets it.
    public var readsBody = false {
        didSet { if readsBody != oldValue { connection?.readingChanged(self) } }
    }

    /// Answers with a whole message. If the request's body has not been read to its end, the connection ends after it.
    public func answer(_ response: ServerResponse) { connection?.answer(response, to: self) }

    /// Begins the answer.
    ///
    /// - Parameters:
    ///   - headers: without those that frame the message or name options of the connection.
    ///   - length: of the body; nil if that is not known.
    public func begin(status: Int, headers: [(name: String, value: String)], length: Int?) {
        connection?.begin(status: status, headers: headers, length: length, to: self)
    }

    public func write(_ bytes: ByteBuffer) { connection?.write(bytes, of: self) }

    /// The answer is whole.
    public func end() { connection?.end(self) }

    /// The answer cannot be completed: the client sees that it was cut. Without an answer so far, the connection is closed.
    public func abort() { connection?.abort(self) }
}
