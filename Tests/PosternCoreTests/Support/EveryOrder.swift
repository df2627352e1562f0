import Testing

/// Something with all that stands around it, as a value, so that each event can be tried on a copy.
protocol Situation {
    associatedtype Event

    /// What can happen next.
    var events: [Event] { get }

    /// - Returns: the rule that is broken; nil if none is.
    mutating func happen(_ event: Event) -> String?

    /// Everything that what happens later depends on.
    func identify(into hasher: inout Hasher)
}

/// Every order of events, the shorter orders first.
///
/// A situation that several orders lead to is continued once: what follows it does not depend on how it came about. So the orders that are
/// covered are far more than the steps that are taken. Situations are compared by a hash of 64 bits, for which 100,000 of them are few.
struct EveryOrder<World: Situation> {
    private(set) var situations = 0
    /// No situation is left from which something new can follow: orders of any length are covered.
    private(set) var isComplete = false
    /// The first rule that is broken, with the events before it.
    private(set) var broken: String?

    private var known: Set<Int> = []
    /// For each situation the one before it, and the event between them.
    private var origins: [(before: Int, event: World.Event?)] = []

    init(from starts: [World], depth limit: Int) {
        var next: [(world: World, index: Int)] = []
        for start in starts { note(start, after: -1, nil, in: &next) }
        var depth = 0
        while !next.isEmpty, depth < limit {
            let current = next
            next = []
            depth += 1
            for (world, index) in current {
                for event in world.events {
                    var changed = world
                    if let rule = changed.happen(event) {
                        broken = ([rule] + trail(to: index).map { "\($0)" } + ["\(event)"]).joined(separator: "\n")
                        return
                    }
                    note(changed, after: index, event, in: &next)
                }
            }
        }
        isComplete = next.isEmpty
        situations = origins.count
    }

    private mutating func note(_ world: World, after before: Int, _ event: World.Event?, in next: inout [(world: World, index: Int)]) {
        var hasher = Hasher()
        world.identify(into: &hasher)
        guard known.insert(hasher.finalize()).inserted else { return }
        next.append((world, origins.count))
        origins.append((before, event))
    }

    private func trail(to index: Int) -> [World.Event] {
        var events: [World.Event] = []
        var index = index
        while index >= 0 {
            if let event = origins[index].event { events.append(event) }
            index = origins[index].before
        }
        return events.reversed()
    }
}

extension EveryOrder {
    /// No order breaks a rule.
    ///
    /// - Parameters:
    ///   - depth: the events of the longest orders; nil: until nothing new follows.
    ///   - least: so many situations are found, or the events do not happen as they should.
    static func check(
        _ starts: [World], depth: Int? = nil, situations least: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let tried = EveryOrder(from: starts, depth: depth ?? .max)
        #expect(tried.broken == nil, sourceLocation: sourceLocation)
        #expect(tried.isComplete == (depth == nil), sourceLocation: sourceLocation)
        #expect(tried.situations >= least, sourceLocation: sourceLocation)
    }
}
