import NIOCore
import PosternCore

/// Who decides about callbacks: the daemon. Everything is called on the listener's event loop, and may be answered from any thread.
public protocol CallbackDelegate: AnyObject, Sendable {
    /// What is wrong with the configuration, in a sentence that is safe to show, if nothing can be served for it; every page says so then.
    /// Nil if it is in order.
    func configurationProblem(on eventLoop: any EventLoop) -> EventLoopFuture<String?>

    /// An authorization response arrived. It is unverified: whoever made it can reach the loopback address.
    func callbackReceived(_ callback: LoopbackCallback, on eventLoop: any EventLoop) -> EventLoopFuture<CallbackDisposition>

    /// What the result page shows. Waits for an outcome for at most 3 s, then says ``ResultPageState/finishing(providerName:)``.
    func resultPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<ResultPageState>

    /// Where a browser that asks for this page goes on to, to end a session at a provider; nil for a page that is not known, or was
    /// asked for before.
    func endSessionPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<Secret?>

    /// A browser came back from such a page. Whether it had been sent there with this state.
    func endSessionReturned(state: Secret, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>

    /// The metadata of the issuer of the users' ID tokens, as JSON; nil while they cannot be obtained.
    func discoveryDocument(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?>

    /// The public keys of those tokens, as JSON; nil while they cannot be obtained.
    func keySet(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?>

    /// A connection of another user was closed unread; nil if it was no longer anybody's. Called for each, as often as they come.
    func foreignConnectionClosed(user: UInt32?)

    /// New connections cost others theirs, or have to wait; with what to do about it. Called once an hour at most.
    func acceptFailed(_ reason: String)
}

extension CallbackDelegate {
    public func configurationProblem(on eventLoop: any EventLoop) -> EventLoopFuture<String?> { eventLoop.makeSucceededFuture(nil) }

    public func endSessionPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<Secret?> { eventLoop.makeSucceededFuture(nil) }

    public func endSessionReturned(state: Secret, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        eventLoop.makeSucceededFuture(false)
    }

    public func discoveryDocument(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> { eventLoop.makeSucceededFuture(nil) }

    public func keySet(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> { eventLoop.makeSucceededFuture(nil) }

    public func foreignConnectionClosed(user: UInt32?) {}

    public func acceptFailed(_ reason: String) {}
}

/// What became of a callback.
public enum CallbackDisposition: Sendable, Hashable {
    /// It belongs to a sign-in, now or already before: the browser goes on to that result page.
    case taken(pageID: String)
    /// Its state is unknown, used up or expired, and nothing was changed.
    case notRecognised
    /// What it may belong to cannot be looked up while the store is locked; it may come again.
    case storeLocked
    /// The same where the store cannot be opened at all.
    case storeUnusable
}
