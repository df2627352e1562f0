import Synchronization

/// Writes what its reader has room for, and counts the rest: the daemon's loop writes the log, and a reader that has stopped must not stop it.
/// The number of what was lost is written as soon as there is room.
final class LossyWriter<Item: Sendable>: Sendable {
    private let lost = Mutex(0)
    private let attempt: @Sendable (Item) -> Bool
    private let complaint: @Sendable (_ lost: Int) -> Item

    /// - Parameters:
    ///   - complaint: what says how many were lost.
    ///   - attempt: writes the item whole, or returns false at once.
    init(complaint: @escaping @Sendable (_ lost: Int) -> Item, attempt: @escaping @Sendable (Item) -> Bool) {
        self.complaint = complaint
        self.attempt = attempt
    }

    func write(_ item: Item) {
        lost.withLock { lost in
            if lost > 0, attempt(complaint(lost)) { lost = 0 }
            // In order: not this item before the loss of earlier ones has been reported.
            if lost > 0 || !attempt(item) { lost += 1 }
        }
    }
}
