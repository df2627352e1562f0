import BridgeCore

/// What decides about a session over stdio.
protocol SessionMachine {
    mutating func handle(_ event: SessionEvent) -> [SessionAction]
}
