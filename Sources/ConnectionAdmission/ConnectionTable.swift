import Glibc
import NIOCore

/// One connection's place among those of its listener.
///
/// It is kept until the connection is closed and nothing is done for it any more: work that a client left behind counts, so that
/// clients who ask and go cannot pile it up.
package final class ConnectionSlot {
    fileprivate let channel: any Channel
    private let table: ConnectionTable
    fileprivate var isOpen = true
    /// Of all times at which a connection fell idle, the number of the last one of this connection.
    fileprivate var idleSince = 0

    /// Something is being done for it. While not, the connection may have to give way to another; setting it to false begins a new rest.
    package var isBusy = false {
        didSet { if !isBusy { table.fellIdle(self) } }
    }

    fileprivate init(_ channel: any Channel, in table: ConnectionTable) {
        self.channel = channel
        self.table = table
    }

    /// The connection is closed. The table notices by itself, a little later.
    package func closed() { table.closed(self) }

    fileprivate var isIdle: Bool { isOpen && !isBusy }

    /// The client has said something that nobody has looked at yet. The end of what it says is not counted.
    fileprivate var hasUnreadBytes: Bool {
        let count = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: NIOBSDSocket.Handle) -> CInt in
            var count: CInt = 0
            return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
        }
        return (count ?? nil) ?? 0 > 0
    }
}

/// The connections of a listener; at most so many. Used on the event loop alone.
///
/// Connections are held cheaply: a browser's spare ones, a scanner's, those of a program that forgets to close them. So a full table
/// turns nobody away while one of them is idle: the one that has been so longest is closed for the new one. Whoever holds all places
/// with idle or dripping connections cannot keep a real call out, which arrives in one piece.
package final class ConnectionTable {
    private let limit: Int
    private var slots: [ObjectIdentifier: ConnectionSlot] = [:]
    private var lastRest = 0
    private var drains: [EventLoopPromise<Void>] = []

    package init(limit: Int) { self.limit = limit }

    /// Places that are taken.
    package var count: Int { slots.count }

    /// Nil if something is being done for every connection.
    package func admit(_ channel: any Channel) -> ConnectionSlot? {
        guard slots.count < limit || closeLongestIdle() else { return nil }
        let slot = ConnectionSlot(channel, in: self)
        fellIdle(slot)
        slots[ObjectIdentifier(slot)] = slot
        channel.closeFuture.hop(to: channel.eventLoop).assumeIsolated().whenComplete { _ in self.closed(slot) }
        return slot
    }

    /// Makes room, here and among the process's file descriptors. False if no connection is idle.
    @discardableResult
    package func closeLongestIdle() -> Bool {
        var idle = slots.values.filter(\.isIdle)
        while let index = idle.indices.min(by: { idle[$0].idleSince < idle[$1].idleSince }) {
            let slot = idle[index]
            // Its call has come, and is read in a moment.
            guard !slot.hasUnreadBytes else {
                idle.swapAt(index, idle.endIndex - 1)
                idle.removeLast()
                continue
            }
            closed(slot)
            slot.channel.close(promise: nil)
            return true
        }
        return false
    }

    package func closeAll() {
        for slot in slots.values { slot.channel.close(promise: nil) }
    }

    /// The promise is kept as soon as no place is taken.
    package func whenEmpty(_ promise: EventLoopPromise<Void>) {
        drains.append(promise)
        tellIfEmpty()
    }

    private func tellIfEmpty() {
        guard slots.isEmpty else { return }
        for promise in drains { promise.succeed() }
        drains = []
    }

    fileprivate func fellIdle(_ slot: ConnectionSlot) {
        lastRest += 1
        slot.idleSince = lastRest
        if !slot.isOpen { remove(slot) }
    }

    private func remove(_ slot: ConnectionSlot) {
        slots[ObjectIdentifier(slot)] = nil
        tellIfEmpty()
    }

    fileprivate func closed(_ slot: ConnectionSlot) {
        slot.isOpen = false
        if !slot.isBusy { remove(slot) }
    }
}

/// Keeps a listener alive when the process has run out of file descriptors or memory: makes room among its own connections, and tries
/// to accept again after a pause, not at once and for ever.
package final class AcceptPressure: ChannelInboundHandler {
    package typealias InboundIn = any Channel

    /// Short, since a user may be waiting; long enough to be no load.
    private static let pause = TimeAmount.milliseconds(100)

    private let connections: ConnectionTable
    private var isPaused = false

    private init(connections: ConnectionTable) { self.connections = connections }

    /// For the pipeline of the listening channel, while it is set up.
    package static func handlers(for connections: ConnectionTable) -> [any ChannelHandler] {
        [AcceptPressure(connections: connections)]
    }

    /// Errors of a listening channel that do not close it are about one attempt to accept, or one connection that was
    /// not let in; neither concerns anyone else.
    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else { return }
        connections.closeLongestIdle()
        guard !isPaused, let options = context.channel.syncOptions else { return }
        isPaused = true
        // A failed attempt leaves NIO waiting for the socket to be readable, which it is at once and for ever while somebody waits there
        // (its own AcceptBackoffHandler only holds back further attempts). Without automatic reading it does not look at the socket.
        try? options.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [channel = context.channel] in
            self.isPaused = false
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
