import BridgeCore
import NIOCore
import PosternCore

/// Sends requests with what the daemon authorizes them by.
final class DaemonUpstream: Upstream {
    /// Called when a request begins to wait for a person, with what it would otherwise fail with.
    var waits: ((BridgeFailure) -> Void)?

    let link: DaemonLink
    let routes: RouteTable
    let watch: PersonWatch
    let signIns: OpenedSignIns
    let eventLoop: any EventLoop
    let isInteractive: Bool
    /// The newest nonce of each server, for the proofs of later requests (RFC 9449 section 8.2).
    var nonces = DPoPNonces()

    /// - Parameter isInteractive: a sign-in that a request needs is begun at once, so that its page opens.
    init(_ link: DaemonLink, eventLoop: any EventLoop, isInteractive: Bool = false) {
        self.link = link
        self.eventLoop = eventLoop
        self.isInteractive = isInteractive
        routes = RouteTable(link, eventLoop: eventLoop)
        watch = PersonWatch(link, eventLoop: eventLoop)
        signIns = OpenedSignIns(link)
    }

    /// - Parameter account: of a provider or an account, as in `GetAccessToken`.
    func begin(
        _ request: BridgeRequest, account: String?, waitsForPerson: TimeAmount, handler: any AuthorizedExchangeHandler
    ) -> any AuthorizedExchange {
        let exchange = DaemonExchange(
            request, account: account, personDeadline: .now() + waitsForPerson, upstream: self, handler: handler)
        // Nothing is reported before the caller has the exchange.
        eventLoop.assumeIsolated().execute { exchange.start() }
        return exchange
    }
}
