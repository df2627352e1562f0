import Reactor
import Testing
import Varlink
import VarlinkServer

/// A loop on a thread of its own.
final class TestLoop: Sendable {
    let loop: EpollLoop

    /// - Parameter clock: nil: that of the system.
    init(clock: TestClock? = nil) throws {
        let made = if let clock { EpollLoop(clock: { clock.now }) } else { EpollLoop() }
        loop = try #require(made)
        Thread.run { [loop] in loop.run() }
    }

    deinit { loop.stop() }

    /// Runs the body on the loop.
    func sync<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let result = Watched<Result<Value, any Error>?>(nil)
        loop.execute {
            let value = Result { try body() }
            result.change { $0 = value }
        }
        result.wait { $0 != nil }
        return try #require(result.change { $0 }).get()
    }

    func start(
        _ endpoint: VarlinkListener.Endpoint, _ service: any VarlinkService = TestService(), limits: VarlinkLimits = VarlinkLimits()
    ) throws -> VarlinkListener {
        try sync { [loop] in try VarlinkListener(endpoint, service: service, info: TestServer.info, limits: limits, on: loop) }
    }

    func close(_ listener: VarlinkListener) throws { try sync { listener.close() } }
}
