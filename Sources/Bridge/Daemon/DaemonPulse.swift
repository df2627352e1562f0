import NIOCore
import PosternClient
import Varlink

/// Gives up the calls of a daemon that answers nothing else either, as ``VarlinkPulse`` does for a connection that blocks: one check for all.
final class DaemonPulse {
    private let pulse: VarlinkPulse
    private let eventLoop: any EventLoop
    /// Makes a call that the daemon answers at once, on a connection of its own; nil is its answer.
    private let ask: (_ done: @escaping (PosternError?) -> Void) -> DaemonLink.Following
    private var calls: [Int: (Int) -> Void] = [:]
    private var last = 0
    private var isChecking = false

    init(
        _ pulse: VarlinkPulse, eventLoop: any EventLoop,
        ask: @escaping (_ done: @escaping (PosternError?) -> Void) -> DaemonLink.Following
    ) {
        self.pulse = pulse
        self.eventLoop = eventLoop
        self.ask = ask
    }

    /// A call waits for its reply.
    ///
    /// - Parameter giveUp: called at most once, with the call's number.
    /// - Returns: that number, for ``ended(_:)``.
    func began(_ giveUp: @escaping (Int) -> Void) -> Int {
        last += 1
        calls[last] = giveUp
        checkLater()
        return last
    }

    func ended(_ call: Int) { calls[call] = nil }

    private func checkLater() {
        guard !isChecking, !calls.isEmpty else { return }
        isChecking = true
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pulse.interval)) { [weak self] in self?.check() }
    }

    private func check() {
        // Later ones have a check of their own.
        let checked = calls.keys.sorted()
        guard !checked.isEmpty else { return over() }
        var end: Scheduled<Void>?
        let asked = ask { [weak self] error in
            end?.cancel()
            // A daemon that is about to end takes no new connection, and still answers the calls that it has.
            if case .daemonUnresponsive = error { self?.giveUp(checked) }
            self?.over()
        }
        end = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pulse.patience)) { [weak self] in
            asked.cancel()
            self?.giveUp(checked)
            self?.over()
        }
    }

    /// The last one first: it may wait for the connection of an earlier one.
    private func giveUp(_ numbers: [Int]) { for number in numbers.reversed() { calls.removeValue(forKey: number)?(number) } }

    private func over() {
        isChecking = false
        checkLater()
    }
}
