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

    /// The sign-in with this result page, when its outcome is known, or after 3 s; nil if there is none.
    func result(ofPage id: String, on eventLoop: any EventLoop) -> EventLoopFuture<SignInResult?>

    /// The person answered, on this result page, whether an account that a program linked is theirs. Returns whether a sign-in has the page.
    ///
    /// - Parameter link: by its place among those that the page asks about.
    func linkAnswered(
        _ answer: LinkReview.Answer, about link: Int, onPage id: String, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool>

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

/// Nothing can be served; every page reports it.
public struct ConfigurationInvalid: Error {
    /// What is wrong, in a sentence that is safe to show.
    public let problem: String

    public init(_ problem: String) { self.problem = problem }
}
