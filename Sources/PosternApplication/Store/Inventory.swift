import PosternCore

/// What is known of the store without asking it: its credentials, and how many users it has.
@DaemonActor
final class Inventory {
    /// Read before anything is answered: more than most users have, and less than a millisecond's work.
    static let firstPage = 64
    /// Read while others are answered: nobody waits longer than for one of these.
    private static let page = 256

    let shelf: CredentialShelf
    /// Nil if it has to be counted again.
    private var userCount: Int?
    /// As they were counted last; nil for a store that has not been asked yet.
    private var lastCounts: Counts?
    private var isCounting = false
    private let counting = WaitingRoom<Void>()
    /// Of the number of users.
    private var changes = 0
    private let store: StoreAccess
    private let platform: Platform
    private let events: EventLog
    /// Of the store that is open: what comes out of another one is not taken.
    private var generation = 0
    /// What is not on the shelf yet, and nobody has asked for.
    private var rest: (start: Int64, failed: @Sendable @DaemonActor (StoreError) async -> Void)?
    private let loading = WaitingRoom<Void>()

    init(shelf: CredentialShelf, store: StoreAccess, platform: Platform, events: EventLog) {
        self.shelf = shelf
        self.store = store
        self.platform = platform
        self.events = events
    }

    // MARK: A store is opened or closed

    /// The first credentials of a store that was opened. The others come when ``loadRest()`` says so, or somebody needs them.
    ///
    /// - Parameter failed: called with the error if the others cannot be read.
    func storeOpened(with first: CredentialPage, failed: @escaping @Sendable @DaemonActor (StoreError) async -> Void) {
        generation += 1
        usersChanged()
        shelf.replaceAll(first.credentials.values, isComplete: first.next == nil)
        rest = first.next.map { ($0, failed) }
    }

    /// Reads the others, between the calls that are answered. Does nothing if that has begun.
    func loadRest() {
        guard let (start, failed) = rest else { return }
        rest = nil
        let generation = generation
        platform.work.start {
            do throws(StoreError) { try await self.load(after: start, generation) } catch {
                if generation == self.generation { await failed(error) }
            }
            self.loading.release(with: ())
        }
    }

    func storeClosed() {
        generation += 1
        usersChanged()
        lastCounts = nil
        rest = nil
        shelf.replaceAll([], isComplete: true)
        loading.release(with: ())
    }

    private func load(after start: Int64, _ generation: Int) async throws(StoreError) {
        var next: Int64? = start
        while let position = next {
            let page = try await store.opened().credentials(after: position, limit: Self.page)
            // Another store, perhaps, or none.
            guard generation == self.generation else { return }
            for damage in page.credentials.damaged { events.report(.storeProblem, "\(damage)") }
            next = page.next
            shelf.loaded(page.credentials.values, isLast: next == nil)
        }
    }

    /// Returns when all credentials are on the shelf, or there is no store.
    func complete() async {
        loadRest()
        while !shelf.isComplete { _ = await loading.wait(while: { !shelf.isComplete }) }
    }

    // MARK: What changes

    /// An identity signed in: its credential is read again, as it stands on disk.
    func changed(_ identity: Identity) async {
        usersChanged()
        do {
            let store = try store.opened()
            if let credential = try await store.credential(providerID: identity.providerID, subject: identity.subject) {
                shelf.signedIn(credential)
            }
        } catch {
            events.report(.storeProblem, "\(error)")
        }
    }

    /// Users came or went.
    func usersChanged() {
        userCount = nil
        changes += 1
    }

    // MARK: How many

    struct Counts {
        var users: Int
        var credentials: Int
    }

    /// Nil if the store has to be asked.
    var counts: Counts? {
        guard let userCount, shelf.isComplete else { return nil }
        return Counts(users: userCount, credentials: shelf.count)
    }

    /// How long a count may take, in milliseconds. A store that is busy for longer with what others want written is not waited for.
    static let patience: Int64 = 250

    /// Nil if the store does not say. As they were counted last if it does not say soon.
    func count() async -> Counts? {
        if let counts { return counts }
        let wait = Wait()
        let timer = platform.timers.after(milliseconds: Self.patience) {
            wait.isOver = true
            self.counting.release(with: ())
        }
        // The count that is under way may be of before the caller's own change; the next one is not.
        for _ in 0..<2 where userCount == nil && !wait.isOver {
            if !isCounting {
                isCounting = true
                platform.work.start { await self.countAll() }
            }
            _ = await counting.wait(while: { isCounting && !wait.isOver })
        }
        timer.cancel()
        return counts ?? lastCounts
    }

    @DaemonActor
    private final class Wait {
        var isOver = false
    }

    private func countAll() async {
        let (changes, generation) = (changes, generation)
        do throws(StoreError) {
            let (users, credentials) = try await store.opened().counts()
            if generation == self.generation {
                if changes == self.changes { userCount = users }
                lastCounts = Counts(users: users, credentials: credentials)
            }
        } catch {
            if !store.isUnavailable { events.report(.storeProblem, "\(error)") }
        }
        isCounting = false
        counting.release(with: ())
    }
}
