import NIOCore

/// One open connection's place in the table.
final class ConnectionSlot {
    fileprivate let channel: any Channel
    /// A complete request is being answered. While not, the connection may have to give way to another.
    var isBusy = false

    fileprivate init(_ channel: any Channel) { self.channel = channel }
}

/// The connections of a listener, oldest first; at most so many. Used on the event loop alone.
///
/// Connections are held cheaply: a browser's spare ones, a scanner's, those of a page that wants to block a sign-in. So a
/// full table turns nobody away; the oldest that has nothing to answer is closed for the new one. Whoever holds all
/// places with idle or dripping connections cannot keep a real callback out, which arrives in one piece.
final class ConnectionTable {
    private let limit: Int
    private var slots: [ConnectionSlot] = []
    private var drains: [EventLoopPromise<Void>] = []

    init(limit: Int) { self.limit = limit }

    var count: Int { slots.count }

    /// Nil where all places are taken by requests that are being answered.
    func admit(_ channel: any Channel) -> ConnectionSlot? {
        guard slots.count < limit || closeOldestIdle() else { return nil }
        let slot = ConnectionSlot(channel)
        slots.append(slot)
        channel.closeFuture.hop(to: channel.eventLoop).assumeIsolated().whenComplete { _ in self.remove(slot) }
        return slot
    }

    /// Makes room, here and among the process's file descriptors. False where every connection is busy.
    @discardableResult
    func closeOldestIdle() -> Bool {
        guard let oldest = slots.first(where: { !$0.isBusy }) else { return false }
        remove(oldest)
        oldest.channel.close(promise: nil)
        return true
    }

    func closeAll() {
        for slot in slots { slot.channel.close(promise: nil) }
        slots = []
        tellIfEmpty()
    }

    /// The promise is kept as soon as no connection is open.
    func whenEmpty(_ promise: EventLoopPromise<Void>) {
        drains.append(promise)
        tellIfEmpty()
    }

    private func remove(_ slot: ConnectionSlot) {
        slots.removeAll { $0 === slot }
        tellIfEmpty()
    }

    private func tellIfEmpty() {
        guard slots.isEmpty else { return }
        for promise in drains { promise.succeed() }
        drains = []
    }
}
