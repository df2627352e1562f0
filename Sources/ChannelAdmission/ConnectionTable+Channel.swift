import ConnectionAdmission
import NIOCore

extension ConnectionTable {
    /// - Parameter holdsBytes: whether some were read from the socket, and nobody has looked at them yet.
    package func admitAccepted(_ channel: any Channel, holdsBytes: @escaping () -> Bool) -> ConnectionSlot {
        let slot = admitAccepted(ChannelConnection(channel, holdsBytes: holdsBytes))
        channel.closeFuture.hop(to: channel.eventLoop).assumeIsolated().whenComplete { _ in slot.closed() }
        return slot
    }
}

private final class ChannelConnection: AdmittedConnection {
    private let channel: any Channel
    private let holdsBytes: () -> Bool

    init(_ channel: any Channel, holdsBytes: @escaping () -> Bool) {
        self.channel = channel
        self.holdsBytes = holdsBytes
    }

    func close() { channel.close(promise: nil) }

    var hasUnreadBytes: Bool {
        if holdsBytes() { return true }
        let answer = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: NIOBSDSocket.Handle) in
            hasUnreadBytes(descriptor)
        }
        return (answer ?? nil) ?? false
    }
}
