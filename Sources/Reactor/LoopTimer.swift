/// A callback that runs once, at its time, unless it is cancelled. Used only on the loop.
public final class LoopTimer {
    /// In nanoseconds of CLOCK_BOOTTIME.
    let deadline: UInt64
    /// Of two timers with the same deadline, the one that was scheduled first runs first.
    fileprivate let number: UInt64
    fileprivate var body: (() -> Void)?
    fileprivate var place = 0
    private weak var loop: EpollLoop?

    init(at deadline: UInt64, number: UInt64, on loop: EpollLoop, _ body: @escaping () -> Void) {
        self.deadline = deadline
        self.number = number
        self.loop = loop
        self.body = body
    }

    /// Has no effect if its time has come already.
    public func cancel() {
        guard body != nil else { return }
        body = nil
        loop?.timers.remove(self)
    }

    func fire() {
        let body = body
        self.body = nil
        body?()
    }

    fileprivate func isBefore(_ other: LoopTimer) -> Bool { (deadline, number) < (other.deadline, other.number) }
}

/// The waiting timers, the next one first: a binary heap in which each knows its position, so that a cancelled one leaves nothing behind.
struct TimerHeap {
    private var timers: [LoopTimer] = []

    var first: LoopTimer? { timers.first }

    mutating func insert(_ timer: LoopTimer) {
        timer.place = timers.count
        timers.append(timer)
        rise(from: timer.place)
    }

    mutating func remove(_ timer: LoopTimer) {
        let place = timer.place
        guard place < timers.count, timers[place] === timer, let last = timers.popLast(), last !== timer else { return }
        last.place = place
        timers[place] = last
        rise(from: place)
        sink(from: last.place)
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0, timers[place].isBefore(timers[(place - 1) / 2]) {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var next = place
            for child in [2 * place + 1, 2 * place + 2] where child < timers.count && timers[child].isBefore(timers[next]) { next = child }
            guard next != place else { return }
            exchange(place, next)
            place = next
        }
    }

    private mutating func exchange(_ first: Int, _ second: Int) {
        timers.swapAt(first, second)
        timers[first].place = first
        timers[second].place = second
    }
}
