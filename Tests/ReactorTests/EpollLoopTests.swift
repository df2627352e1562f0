import Glibc
import Synchronization
import Testing

@testable import Reactor

@Suite("The epoll loop")
struct EpollLoopTests {
    private final class Reader: ReadinessHandler {
        var seen: [Readiness] = []
        var body: () -> Void = {}

        func ready(for readiness: Readiness) {
            seen.append(readiness)
            body()
        }
    }

    private func pair() throws -> (mine: CInt, other: CInt) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    /// Its thread is the test's.
    private func makeLoop() throws -> EpollLoop {
        let loop = try #require(EpollLoop())
        loop.turn(waits: false)
        return loop
    }

    @Test("a descriptor is told of while it is ready for what is asked, and at its end in any case")
    func readiness() throws {
        let loop = try makeLoop()
        let (mine, other) = try pair()
        let reader = Reader()
        let watch = try #require(loop.watch(mine, for: .readable, reader))
        loop.turn(waits: false)
        #expect(reader.seen.isEmpty)
        write(other, "x", 1)
        loop.turn()
        loop.turn()
        #expect(reader.seen == [.readable, .readable])
        loop.change(watch, to: [])
        loop.turn(waits: false)
        #expect(reader.seen.count == 2)
        close(other)
        loop.turn()
        #expect(reader.seen.last?.isDisjoint(with: .ended) == false)
        loop.end(watch)
        close(mine)
        loop.turn(waits: false)
        #expect(reader.seen.count == 3)
    }

    @Test(
        "an event of a descriptor that was closed meanwhile does not reach the next one with its number, or its place",
        arguments: [true, false])
    func reusedNumber(takesItsPlace: Bool) throws {
        let loop = try makeLoop()
        let (first, firstOther) = try pair()
        let (second, secondOther) = try pair()
        let (silent, silentOther) = try pair()
        let handlers = [Reader(), Reader()]
        var watches = [
            try #require(loop.watch(first, for: .readable, handlers[0])), try #require(loop.watch(second, for: .readable, handlers[1])),
        ]
        let later = Reader()
        // Both are ready in one turn; whichever is told first closes the other and gives its number to one that is not ready, in one call:
        // other tests open descriptors meanwhile.
        let numbers = [first, second]
        for index in 0..<2 {
            handlers[index].body = {
                // The place that was given up last is taken first.
                for ended in takesItsPlace ? [index, 1 - index] : [1 - index, index] { loop.end(watches[ended]) }
                let again = dup2(silent, numbers[1 - index])
                #expect(again == numbers[1 - index])
                if let watch = loop.watch(again, for: .readable, later) { watches.append(watch) }
            }
        }
        write(firstOther, "x", 1)
        write(secondOther, "x", 1)
        loop.turn()
        loop.turn(waits: false)
        #expect(handlers.map(\.seen.count).sorted() == [0, 1])
        #expect(later.seen.isEmpty)
        for descriptor in [first, second, firstOther, secondOther, silent, silentOther] { close(descriptor) }
    }

    @Test("an event that is not wanted any more when its turn comes is not told, but the end is", arguments: [false, true])
    func changedMeanwhile(ends: Bool) throws {
        let loop = try makeLoop()
        let pairs = [try pair(), try pair()]
        let readers = [Reader(), Reader()]
        let watches = try zip(pairs, readers).map { try #require(loop.watch($0.mine, for: .readable, $1)) }
        for index in 0..<2 { readers[index].body = { loop.change(watches[1 - index], to: []) } }
        for pair in pairs {
            write(pair.other, "x", 1)
            if ends { close(pair.other) }
        }
        loop.turn()
        let seen = readers.flatMap(\.seen)
        #expect(seen.count { $0.contains(.readable) } == 1)
        #expect(seen.count == (ends ? 2 : 1))
        for pair in pairs {
            close(pair.mine)
            if !ends { close(pair.other) }
        }
    }

    @Test("a system that tells of no events ends the loop, whatever timers there are")
    func failing() throws {
        let loop = try makeLoop()
        var turns = 0
        func again() {
            _ = loop.schedule(after: .milliseconds(1)) {
                turns += 1
                if turns == 100 { loop.stop() }
                again()
            }
        }
        again()
        let other = open("/dev/null", O_RDWR | O_CLOEXEC)
        #expect(dup2(other, loop.epoll) == loop.epoll)
        close(other)
        loop.run()
        #expect(loop.failure == EINVAL && turns < 100)
    }

    @Test("a watch that has ended does nothing to those that came after it, even with its descriptor's number")
    func endedWatch() throws {
        let loop = try makeLoop()
        let (mine, other) = try pair()
        let old = try #require(loop.watch(mine, for: .readable, Reader()))
        loop.end(old)
        let readers = [Reader(), Reader()]
        let (second, secondOther) = try pair()
        let watches = [
            try #require(loop.watch(mine, for: .readable, readers[0])), try #require(loop.watch(second, for: .readable, readers[1])),
        ]
        loop.end(old)
        loop.change(old, to: [])
        // A place that was given out twice would be this one's and the first's.
        let (third, thirdOther) = try pair()
        let late = Reader()
        let last = try #require(loop.watch(third, for: .readable, late))
        for end in [other, secondOther, thirdOther] { write(end, "x", 1) }
        loop.turn()
        #expect((readers + [late]).map(\.seen) == [[.readable], [.readable], [.readable]])
        for watch in watches + [last] { loop.end(watch) }
        for end in [mine, other, second, secondOther, third, thirdOther] { close(end) }
    }

    @Test("timers come in the order of their times, those that were cancelled not at all")
    func timers() throws {
        let loop = try makeLoop()
        var fired: [Int] = []
        var timers: [LoopTimer] = []
        for number in 0..<200 {
            // 0…39 milliseconds, five of each, in no order.
            timers.append(loop.schedule(after: .milliseconds(number * 7 % 40)) { fired.append(number) })
        }
        for number in stride(from: 0, to: 200, by: 3) { timers[number].cancel() }
        _ = loop.schedule(after: .milliseconds(41)) { loop.stop() }
        loop.run()
        // Not by their delays: time passes while they are scheduled.
        let expected = (0..<200).filter { $0 % 3 != 0 }.sorted { (timers[$0].deadline, $0) < (timers[$1].deadline, $1) }
        #expect(fired == expected)
        #expect(timers[5].deadline >= timers[0].deadline + 35_000_000)
        #expect(loop.timers.first == nil)
    }

    @Test("a timer that is cancelled by another one of the same moment does not fire")
    func cancelledInTurn() throws {
        let loop = try makeLoop()
        var second: LoopTimer?
        var fired = 0
        _ = loop.schedule(after: .zero) {
            fired += 1
            second?.cancel()
        }
        second = loop.schedule(after: .zero) { fired += 1 }
        loop.turn(waits: false)
        loop.turn(waits: false)
        #expect(fired == 1)
    }

    @Test("a clock that steps on while the loop waits, as at the end of a suspension, lets the timers come that are due then")
    func suspension() throws {
        let time = Atomic<UInt64>(0)
        let (steps, other) = try pair()
        let made = EpollLoop(clock: { time.load(ordering: .sequentiallyConsistent) }, steps: steps)
        let loop = try #require(made)
        loop.turn(waits: false)
        for hour: UInt64 in 1...2 {
            var fired = false
            _ = loop.schedule(after: .seconds(3600)) { fired = true }
            write(other, "x", 1)
            // Waits for the hour, if nothing tells of the step.
            loop.turn(waits: true)
            #expect(!fired)
            time.store(hour * 3_600_000_000_000, ordering: .sequentiallyConsistent)
            loop.turn(waits: false)
            #expect(fired)
        }
        close(other)
    }

    @Test("jobs of other threads wake it, and none is lost")
    func otherThreads() throws {
        let loop = try #require(EpollLoop())
        let finished = Finished(loop, 4 * 10_000)
        for _ in 0..<4 {
            var thread = pthread_t()
            let argument = Unmanaged.passRetained(finished)
            pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    let finished = Unmanaged<Finished>.fromOpaque(argument).takeRetainedValue()
                    for _ in 0..<10_000 { finished.loop.execute { finished.one() } }
                    return nil
                }, argument.toOpaque())
            pthread_detach(thread)
        }
        loop.run()
        #expect(finished.isDone)
    }

    private final class Finished: @unchecked Sendable {
        let loop: EpollLoop
        private var left: Int

        init(_ loop: EpollLoop, _ count: Int) { (self.loop, left) = (loop, count) }

        var isDone: Bool { left == 0 }

        func one() {
            left -= 1
            if left == 0 { loop.stop() }
        }
    }

    @Test("work that makes more work leaves sockets their turn")
    func endlessWork() throws {
        let loop = try makeLoop()
        let (mine, other) = try pair()
        let reader = Reader()
        let watch = try #require(loop.watch(mine, for: .readable, reader))
        let again = Again(loop)
        again.run()
        write(other, "x", 1)
        for _ in 0..<3 { loop.turn() }
        #expect(!reader.seen.isEmpty)
        again.isOver = true
        loop.end(watch)
        close(mine)
        close(other)
    }

    private final class Again: @unchecked Sendable {
        let loop: EpollLoop
        var isOver = false

        init(_ loop: EpollLoop) { self.loop = loop }

        func run() { if !isOver { loop.execute { self.run() } } }
    }
}
