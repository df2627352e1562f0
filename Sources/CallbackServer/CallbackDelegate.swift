import NIOCore
import PosternCore

/// Who decides about callbacks: the daemon. Everything is called on the event loop.
public protocol CallbackDelegate: AnyObject, Sendable {
    /// An authorization response arrived. It is unverified: whoever made it can reach the loopback address.
    func callbackReceived(_ callback: LoopbackCallback, on eventLoop: any EventLoop) -> EventLoopFuture<CallbackDisposition>

    /// What the result page shows. Waits for an outcome for at most 3 s, then says ``ResultPageState/finishing(providerName:)``.
    func resultPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<ResultPageState>
}

/// What became of a callback.
public enum CallbackDisposition: Sendable, Hashable {
    /// It belongs to a sign-in, now or already before: the browser goes on to that result page.
    case taken(pageID: String)
    /// Its state is unknown, used up or expired, and nothing was changed.
    case notRecognised
}
