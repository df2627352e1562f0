import Glibc
import NIOCore

/// Closes connections of other users when they are accepted, before they use any resources: a place in the table, a handshake, a deadline.
/// In the pipeline of the listening channel, before the handler that sets accepted channels up.
final class PeerFilter: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let check: () -> PeerCheck?
    private let wasForeign: (_ user: UInt32?) -> Void

    /// - Parameters:
    ///   - check: the current one; nil accepts every user.
    ///   - wasForeign: called for each connection that was closed, with its user; nil if it no longer belonged to anybody.
    init(check: @escaping () -> PeerCheck?, wasForeign: @escaping (_ user: UInt32?) -> Void) {
        self.check = check
        self.wasForeign = wasForeign
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        switch verdict(on: channel) {
        case .allowed: context.fireChannelRead(data)
        case .foreign(let user):
            channel.close(promise: nil)
            wasForeign(user)
        }
    }

    private func verdict(on channel: any Channel) -> PeerCheck.Verdict {
        if let verdict = unixVerdict(on: channel) { return verdict }
        guard let check = check() else { return .allowed }
        // The kernel does not report where a connection that was reset came from.
        guard let peer = channel.remoteAddress.flatMap({ NetworkEndpoint($0) }),
            let local = channel.localAddress.flatMap({ NetworkEndpoint($0) })
        else { return .foreign(user: nil) }
        return check.verdict(peer: peer, local: local)
    }

    /// Nil for another kind of socket.
    private func unixVerdict(on channel: any Channel) -> PeerCheck.Verdict? {
        let verdict: PeerCheck.Verdict?? = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable {
            (descriptor: NIOBSDSocket.Handle) -> PeerCheck.Verdict? in
            guard SocketFacts.domain(of: descriptor) == AF_UNIX else { return nil }
            return SocketFacts.peer(of: descriptor).map(PeerCheck.verdict(unix:)) ?? .foreign(user: nil)
        }
        return verdict ?? nil
    }
}
