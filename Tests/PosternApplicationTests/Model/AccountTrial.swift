import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Many sequences, each in a world of its own, until something fails or the time is over.
struct AccountTrial {
    /// What a sequence did that the model does not.
    struct Failure: CustomStringConvertible {
        /// How many events happened, with the one that failed.
        var events: Int
        var problem: String

        var description: String { "after \(events) events: \(problem)" }
    }

    struct Found {
        var seed: UInt64
        var failure: Failure
        var shrunk: [AccountEvent]
        var shrunkProblem: String
    }

    struct Result: CustomStringConvertible {
        var events = 0
        var sequences = 0
        var seconds = 0.0
        var failure: Found?

        var description: String {
            let rounded = (seconds * 10).rounded() / 10
            guard let failure else { return "\(sequences) sequences, \(events) events, \(rounded) s, nothing found" }
            return "seed \(failure.seed), \(events) events, \(rounded) s"
        }
    }

    /// Long enough for a user to be made, linked, taken over and recovered.
    static let length = 120

    var firstSeed: UInt64 = 1
    var seconds = 20.0
    var leastEvents = 0

    /// As the suite says.
    static var fromEnvironment: AccountTrial {
        var trial = AccountTrial()
        if let seed = environment("POSTERN_MODEL_SEED").flatMap(UInt64.init) { trial.firstSeed = seed }
        if let seconds = environment("POSTERN_MODEL_SECONDS").flatMap(Double.init) { trial.seconds = seconds }
        if let events = environment("POSTERN_MODEL_EVENTS").flatMap(Int.init) { (trial.leastEvents, trial.seconds) = (events, 0) }
        return trial
    }

    func run() -> Result {
        var result = Result()
        let start = ContinuousClock.now
        func elapsed() -> Double { Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000 }
        var seed = firstSeed
        while result.events < leastEvents || elapsed() < seconds {
            let events = AccountEvent.sequence(seed: seed, count: Self.length)
            let failure = Self.run(events)
            result.events += failure?.events ?? events.count
            result.sequences += 1
            result.seconds = elapsed()
            if let failure {
                let (shrunk, problem) = Self.shrunk(Array(events.prefix(failure.events)))
                result.failure = Found(seed: seed, failure: failure, shrunk: shrunk, shrunkProblem: problem ?? failure.problem)
                return result
            }
            seed += 1
        }
        return result
    }

    /// - Returns: nil if the application did what the model says.
    static func run(_ events: [AccountEvent]) -> Failure? {
        var count = 0
        do {
            let world = try AccountWorld()
            for event in events {
                count += 1
                try world.happens(event)
            }
            return nil
        } catch { return Failure(events: count, problem: "\(error)") }
    }

    /// Without the events that it fails without: halves first, then one by one.
    private static func shrunk(_ events: [AccountEvent]) -> ([AccountEvent], String?) {
        var events = events
        var problem: String?
        var size = max(events.count / 2, 1)
        while true {
            var start = 0
            while start < events.count {
                var fewer = events
                fewer.removeSubrange(start..<min(start + size, events.count))
                if let failure = run(fewer) {
                    events = Array(fewer.prefix(failure.events))
                    problem = failure.problem
                } else {
                    start += size
                }
            }
            guard size > 1 else { return (events, problem) }
            size /= 2
        }
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
