import BridgeCore
import NIOCore

/// What happens to a request that was authorized and sent. Everything is called on the event loop.
protocol AuthorizedExchangeHandler: AnyObject {
    /// The head of the answer that counts. What came before it, and could be put right by another token, a nonce or a new connection, was not
    /// reported.
    func answered(_ answer: BridgeAnswer)
    func received(_ bytes: ByteBuffer)
    func ended()
    func failed(_ failure: BridgeFailure)
}

/// A request under way.
protocol AuthorizedExchange: AnyObject {
    /// While true, no more of the answer is read from the connection.
    var isPaused: Bool { get set }
    /// It is with the server, or on its way there; not while the daemon or a person is waited for.
    var isSent: Bool { get }
    /// A part of a ``BridgeRequest/Body/streamed(length:)`` body.
    ///
    /// - Returns: completes when the connection can take more.
    func write(_ bytes: ByteBuffer) -> EventLoopFuture<Void>
    func endBody()
    /// Closes the connection; nothing more is reported.
    func cancel()
}

/// Authorizes requests and sends them.
protocol Upstream: AnyObject {
    /// - Parameters:
    ///   - account: the NAME of the configuration or the provider that is used; nil for the one whose tokens are for the URL.
    ///   - waitsForPerson: for how long a request that needs a person waits for the sign-in before it fails.
    func begin(
        _ request: BridgeRequest, account: String?, waitsForPerson: TimeAmount, handler: any AuthorizedExchangeHandler
    ) -> any AuthorizedExchange
}
