import ConnectionAdmission
import NIOCore

extension ConnectionTable {
    /// - Returns: nil if work is being done for every connection.
    package func admit(_ channel: any Channel) -> ConnectionSlot? {
        guard let slot = admit(ChannelConnection(channel)) else { return nil }
        channel.closeFuture.hop(to: channel.eventLoop).assumeIsolated().whenComplete { _ in slot.closed() }
        return slot
    }
}

private final class ChannelConnection: AdmittedConnection {
    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    func close() { channel.close(promise: nil) }

    var hasUnreadBytes: Bool {
        let answer = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: NIOBSDSocket.Handle) in
            hasUnreadBytes(descriptor)
        }
        return (answer ?? nil) ?? false
    }
}
