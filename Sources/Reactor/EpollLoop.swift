import CEpoll
import Glibc
import Synchronization

/// One thread that waits for descriptors, timers and jobs, and handles them one after another. Nothing else wakes it.
///
/// It is the executor of whatever is isolated to it.
///
/// `@unchecked Sendable`: everything that is not constant, atomic or locked is used only on the loop's thread.
public final class EpollLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    private enum Work: Sendable {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    /// A descriptor's slot in `handlers`.
    public struct Watch: Sendable {
        fileprivate let descriptor: CInt
        fileprivate let slot: UInt32
        fileprivate let generation: UInt32
    }

    private struct Slot {
        /// Nil while the slot is free.
        var handler: (any ReadinessHandler)?
        /// Counts the descriptors that had this slot: if an event of an earlier one is still on its way when that was closed and its
        /// number reused, it has another generation, and is dropped.
        var generation: UInt32 = 0
        /// What is wanted now. An event on its way may be of what was wanted before.
        var readiness: Readiness = []
    }

    private static let eventsATurn = 64
    /// Marks the events of `alarm`.
    private static let alarmData = UInt64.max
    /// Marks the events of `steps`.
    private static let stepsData = UInt64.max - 1

    let epoll: CInt
    /// Written by other threads to wake this one.
    private let alarm: CInt
    /// Wakes the loop when the machine was suspended: it waits by a clock that stood still meanwhile, and its timers' clock went on.
    private let steps: CInt
    private let clock: @Sendable () -> UInt64
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: eventsATurn)
    private let thread = Atomic<UInt>(0)
    /// Work from other threads.
    private let brought = Mutex<[Work]>([])

    private var slots: [Slot] = []
    private var freeSlots: [UInt32] = []
    var timers = TimerHeap()
    private var timersMade: UInt64 = 0
    private var work: [Work] = []
    private var workInTurn: [Work] = []
    private var runsNextAtOnce = false
    private var isStopped = false
    /// Why the system does not tell of events any more, as an `errno`.
    public private(set) var failure: CInt?

    /// Nil if the system provides no descriptor for it; `errno` says why.
    public convenience init?() { self.init(clock: { Self.timeSinceBoot }, steps: Self.makeSteps()) }

    /// - Parameters:
    ///   - clock: in nanoseconds, monotonic.
    ///   - steps: readable after each step of the clock; the loop owns it. -1 if the clock makes none.
    package init?(clock: @escaping @Sendable () -> UInt64, steps: CInt = -1) {
        self.clock = clock
        self.steps = steps
        epoll = epoll_create1(CInt(EPOLL_CLOEXEC))
        alarm = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        // Edge-triggered, so that each of these wakes the loop once each time and never has to be read.
        var event = epoll_event(events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data(u64: Self.alarmData))
        guard epoll >= 0, alarm >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, alarm, &event) == 0 else { return nil }
        event.data = epoll_data(u64: Self.stepsData)
        // Without it, timers come late after a suspension, and that is all.
        if steps >= 0 { epoll_ctl(epoll, EPOLL_CTL_ADD, steps, &event) }
    }

    /// A timer whose time never comes, and which is cancelled whenever the wall clock is stepped, as at the end of a suspension
    /// (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET).
    private static func makeSteps() -> CInt {
        let descriptor = timerfd_create(CLOCK_REALTIME, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
        var never = itimerspec()
        never.it_value.tv_sec = .max
        timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET), &never, nil)
        return descriptor
    }

    deinit {
        if alarm >= 0 { close(alarm) }
        if steps >= 0 { close(steps) }
        if epoll >= 0 { close(epoll) }
        events.deallocate()
    }

    // MARK: Running

    /// Whether the caller is on the loop's thread.
    public var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Makes the calling thread the loop's, until ``stop()``, or until events cannot be waited for (``failure``): timers alone, which may
    /// tell a service manager that all is well, are no life.
    public func run() {
        while !isStopped { turn() }
    }

    /// Ends ``run()`` after the current turn.
    public func stop() { execute { self.isStopped = true } }

    /// Runs one turn on the calling thread: what is due, then what is ready.
    ///
    /// - Parameter waits: until something is ready, if nothing is due.
    package func turn(waits: Bool = true) {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        doWork()
        let wait = doTimers()
        let count = epoll_wait(epoll, events, CInt(Self.eventsATurn), waits && work.isEmpty && !isStopped ? wait : 0)
        guard count >= 0 else {
            // If a signal interrupts the call, nothing is ready.
            if errno != EINTR { (failure, isStopped) = (errno, true) }
            return
        }
        for index in 0..<Int(count) { deliver(events[index]) }
    }

    private func deliver(_ event: epoll_event) {
        let data = event.data.u64
        switch data {
        case Self.alarmData:
            return brought.withLock { brought in
                work += brought
                brought.removeAll()
            }
        // The next turn looks at the clock.
        case Self.stepsData: return
        default: break
        }
        let slot = Int(UInt32(truncatingIfNeeded: data))
        guard slots[slot].generation == UInt32(truncatingIfNeeded: data >> 32), let handler = slots[slot].handler else { return }
        let readiness = Readiness(rawValue: event.events).intersection(slots[slot].readiness.union(.ended))
        if !readiness.isEmpty { handler.ready(for: readiness) }
    }

    /// Work that arrives meanwhile waits for the next turn, so that sockets get theirs.
    private func doWork() {
        guard !work.isEmpty else { return }
        swap(&work, &workInTurn)
        for index in workInTurn.indices {
            switch workInTurn[index] {
            case .job(let job): run(job)
            case .closure(let body): body()
            }
        }
        workInTurn.removeAll(keepingCapacity: workInTurn.count < 64)
    }

    /// - Returns: milliseconds until the next one, rounded up: a timer is never early. -1 if there is none.
    private func doTimers() -> CInt {
        guard timers.first != nil else { return -1 }
        let now = now
        while let timer = timers.first, timer.deadline <= now {
            timers.remove(timer)
            timer.fire()
        }
        guard let next = timers.first else { return -1 }
        return CInt(clamping: (next.deadline - now + 999_999) / 1_000_000)
    }

    /// The time in nanoseconds by the timers' clock. No system call.
    package var now: UInt64 { clock() }

    private static var timeSinceBoot: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: Jobs

    /// Runs the body in a coming turn. May be called on any thread.
    public func execute(_ body: @escaping @Sendable () -> Void) { add(.closure(body)) }

    /// The first job that the body enqueues runs at once, instead of in its turn. To be called only on the loop.
    public func runningNextAtOnce<Value>(_ body: () -> Value) -> Value {
        let before = runsNextAtOnce
        runsNextAtOnce = true
        defer { runsNextAtOnce = before }
        return body()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard isCurrent, runsNextAtOnce else { return add(.job(job)) }
        runsNextAtOnce = false
        run(job)
    }

    private func add(_ new: Work) {
        guard !isCurrent else { return work.append(new) }
        let isFirst = brought.withLock { brought in
            brought.append(new)
            return brought.count == 1
        }
        // The first item wakes the loop, which then takes everything that was added meanwhile.
        if isFirst { eventfd_write(alarm, 1) }
    }

    private func run(_ job: UnownedJob) {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }

    public func checkIsolated() { precondition(isCurrent, "what belongs to the loop was touched on another thread") }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    // MARK: Timers

    /// To be called only on the loop, like everything below.
    public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> LoopTimer {
        let (seconds, attoseconds) = delay.components
        let nanoseconds = seconds < 0 ? 0 : UInt64(min(seconds, 1 << 32)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
        timersMade += 1
        let timer = LoopTimer(at: now + nanoseconds, number: timersMade, on: self, body)
        timers.insert(timer)
        return timer
    }

    // MARK: Descriptors

    /// Calls the handler while the descriptor is ready, again and again as long as it is.
    ///
    /// - Returns: nil if the system has no room for it; `errno` says why.
    public func watch(_ descriptor: CInt, for readiness: Readiness, _ handler: any ReadinessHandler) -> Watch? {
        let slot = freeSlots.popLast() ?? UInt32(slots.count)
        if slot == slots.count { slots.append(Slot()) }
        let watch = Watch(descriptor: descriptor, slot: slot, generation: slots[Int(slot)].generation)
        guard control(EPOLL_CTL_ADD, watch, readiness) else {
            freeSlots.append(slot)
            return nil
        }
        slots[Int(slot)].handler = handler
        slots[Int(slot)].readiness = readiness
        return watch
    }

    /// Cannot fail for a watch that has not ended, because nothing is allocated (epoll_ctl(2)). One that has ended is ignored, since its
    /// descriptor's number may be another's by now.
    public func change(_ watch: Watch, to readiness: Readiness) {
        guard isCurrent(watch) else { return }
        slots[Int(watch.slot)].readiness = readiness
        let isChanged = control(EPOLL_CTL_MOD, watch, readiness)
        assert(isChanged, "a descriptor was closed before its watch ended")
    }

    /// To be called before the descriptor is closed: a program that is being started may hold the socket for a moment longer. Further calls
    /// have no effect.
    public func end(_ watch: Watch) {
        guard isCurrent(watch) else { return }
        _ = control(EPOLL_CTL_DEL, watch, [])
        slots[Int(watch.slot)].handler = nil
        slots[Int(watch.slot)].generation &+= 1
        freeSlots.append(watch.slot)
    }

    private func isCurrent(_ watch: Watch) -> Bool { slots[Int(watch.slot)].generation == watch.generation }

    private func control(_ operation: CInt, _ watch: Watch, _ readiness: Readiness) -> Bool {
        var event = epoll_event(
            events: readiness.rawValue, data: epoll_data(u64: UInt64(watch.generation) << 32 | UInt64(watch.slot)))
        return epoll_ctl(epoll, operation, watch.descriptor, &event) == 0
    }
}
