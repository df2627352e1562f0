import NIOCore

/// Ends a service that nobody has used for a while. Used only on the event loop.
final class IdleEnd {
    private let time: TimeAmount
    private let eventLoop: any EventLoop
    private let isUsed: () -> Bool
    private let end: () -> Void
    private var lastUse = NIODeadline.now()

    /// - Parameters:
    ///   - isUsed: whether somebody does now.
    ///   - end: called once nobody has for this time.
    init(after time: TimeAmount, on eventLoop: any EventLoop, isUsed: @escaping () -> Bool, _ end: @escaping () -> Void) {
        self.time = time
        self.eventLoop = eventLoop
        self.isUsed = isUsed
        self.end = end
        look(in: time)
    }

    /// Somebody has used it just now.
    func used() { lastUse = .now() }

    private func look(in time: TimeAmount) {
        eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
            guard let self else { return }
            if isUsed() { used() }
            let rest = lastUse + self.time - .now()
            if rest.nanoseconds <= 0 { end() } else { look(in: rest) }
        }
    }
}
