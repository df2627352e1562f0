import PosternApplication
import Testing

@Suite("Memory that was freed", .serialized)
struct FreedMemoryTests {
    @Test("Is given back once, a second or two after the last activity, and nothing wakes the daemon after that")
    func quiet() {
        QueueExecutor.shared.isolated {
            let timers = FakeTimers()
            let returned = Returned()
            let memory = FreedMemory(timers: timers) { returned.count += 1 }
            #expect(timers.untilNext == nil)
            // As long as something happens each second, nothing else does.
            for _ in 0..<10 {
                memory.activityChanged()
                timers.advance(milliseconds: 500)
                memory.activityChanged()
                timers.advance(milliseconds: 500)
            }
            #expect(returned.count == 0)
            timers.advance(milliseconds: 2000)
            #expect(returned.count == 1 && timers.untilNext == nil)
            memory.activityChanged()
            timers.advance(milliseconds: 999)
            #expect(returned.count == 1)
            timers.advance(milliseconds: 1)
            #expect(returned.count == 2 && timers.untilNext == nil)
        }
    }

    @DaemonActor
    private final class Returned {
        var count = 0
    }
}
