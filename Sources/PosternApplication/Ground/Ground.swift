/// What every part of the application uses.
@DaemonActor
struct Ground {
    let platform: Platform
    let events: EventLog
    /// In force now.
    let settings: Settings
    let store: StoreAccess
}

/// A part that uses the ground.
@DaemonActor
protocol Grounded {
    var ground: Ground { get }
}

extension Grounded {
    var platform: Platform { ground.platform }
    var events: EventLog { ground.events }
    var settings: Settings { ground.settings }
    var store: StoreAccess { ground.store }
}
