import NIOCore
import PosternCore

/// Decides about callbacks: the daemon. Every method is called on the listener's event loop, and may be answered from any thread.
///
/// One method for each request. If the configuration is invalid, any of them fails with ``ConfigurationInvalid``, and has changed nothing.
public protocol CallbackDelegate: AnyObject, Sendable {
    /// A page that needs no other information is about to be served.
    func pageServed(on eventLoop: any EventLoop) -> EventLoopFuture<Void>

    /// An authorization response arrived. It is not verified: anyone who can reach the loopback address can send one.
    func callbackReceived(_ callback: LoopbackCallback, on eventLoop: any EventLoop) -> EventLoopFuture<CallbackDisposition>

    /// What the result page shows. Waits for an outcome for at most 3 s, then returns ``ResultPageState/finishing(providerName:)``.
    func resultPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<ResultPageState>

    /// Where to redirect a browser that requests this page, to end a session at a provider; nil for a page that is unknown, or was
    /// requested before.
    func endSessionPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<Secret?>

    /// A browser came back from such a page. Returns whether it had been sent there with this state.
    func endSessionReturned(state: Secret, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>

    /// The metadata of the issuer of the users' ID tokens, as JSON; nil while they cannot be obtained.
    func discoveryDocument(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?>

    /// The public keys of those tokens, as JSON; nil while they cannot be obtained.
    func keySet(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?>

    /// A connection of another user was closed unread; nil if it no longer belonged to anybody. Called for each connection.
    func foreignConnectionClosed(user: UInt32?)

    /// New connections are accepted only by closing others, or have to wait; the reason includes what to do. Called at most once an hour.
    func acceptFailed(_ reason: String)
}

extension CallbackDelegate {
    public func pageServed(on eventLoop: any EventLoop) -> EventLoopFuture<Void> { eventLoop.makeSucceededVoidFuture() }

    public func endSessionPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<Secret?> { eventLoop.makeSucceededFuture(nil) }

    public func endSessionReturned(state: Secret, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        eventLoop.makeSucceededFuture(false)
    }

    public func discoveryDocument(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> { eventLoop.makeSucceededFuture(nil) }

    public func keySet(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> { eventLoop.makeSucceededFuture(nil) }

    public func foreignConnectionClosed(user: UInt32?) {}

    public func acceptFailed(_ reason: String) {}
}

/// Nothing can be served; every page reports it.
public struct ConfigurationInvalid: Error {
    /// What is wrong, in a sentence that is safe to show.
    public let problem: String

    public init(_ problem: String) { self.problem = problem }
}

/// What became of a callback.
public enum CallbackDisposition: Sendable, Hashable {
    /// It belongs to a sign-in, now or earlier: the browser is redirected to this result page.
    case taken(pageID: String)
    /// Its state is unknown, used up or expired, and nothing has changed.
    case notRecognised
    /// While the store is locked, it is unknown what it belongs to; it may be repeated.
    case storeLocked
    /// The same if the store cannot be opened at all.
    case storeUnusable
}
