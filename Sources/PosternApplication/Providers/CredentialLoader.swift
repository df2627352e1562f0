import PosternCore

/// What is known about the store without querying it: its credentials, and how many users it has.
@DaemonActor
final class CredentialLoader: Grounded {
    /// Read before anything is answered: more than most users have, and less than a millisecond's work.
    static let firstPage = 64
    /// Read while others are answered: nobody waits longer than for one of these.
    private static let page = 256

    let cache: CredentialCache
    /// Nil if the users have to be counted again.
    private var userCount: Int?
    /// The last counts; nil for a store that has not been queried yet.
    private var lastCounts: Counts?
    private var isCounting = false
    private let counting = WaitingRoom<Void>()
    /// Changes of the number of users.
    private var changes = 0
    let ground: Ground
    /// Counts the stores that were opened and closed: results from an earlier one are ignored.
    private(set) var generation = 0
    /// Where the credentials that are not in the cache yet begin; nil if they are being read, or there are none.
    private var rest: Int64?
    /// Read before the rest, because a caller needs them.
    private var parts: Set<CredentialCache.Part> = []
    /// Called if something cannot be read.
    private var failed: @Sendable @DaemonActor (StoreError) async -> Void = { _ in }
    private let loading = WaitingRoom<Void>()

    init(_ ground: Ground, cache: CredentialCache) {
        self.cache = cache
        self.ground = ground
    }

    // MARK: A store is opened or closed

    /// The first credentials of a store that was opened. The others are read when ``complete()`` is called, or a caller needs them.
    ///
    /// - Parameter failed: called with the error if the others cannot be read. It closes the store.
    func storeOpened(with first: CredentialPage, failed: @escaping @Sendable @DaemonActor (StoreError) async -> Void) {
        generation += 1
        usersChanged()
        cache.replaceAll(first.credentials.values, isComplete: first.next == nil)
        (rest, parts, self.failed) = (first.next, [], failed)
    }

    /// Reads the others, between the calls that are answered. Does nothing if that has begun.
    private func loadRest() {
        guard let start = rest else { return }
        rest = nil
        load { loader, generation throws(StoreError) in try await loader.load(after: start, generation) }
    }

    /// - Parameter body: puts what it has read in the cache, unless the generation has changed by then.
    private func load(_ body: @escaping @Sendable @DaemonActor (CredentialLoader, _ generation: Int) async throws(StoreError) -> Void) {
        let generation = generation
        platform.work.start {
            do throws(StoreError) { try await body(self, generation) } catch {
                // A store that is being locked is closed by that.
                if generation == self.generation, !error.isLock { await self.failed(error) }
            }
            self.loading.release(with: ())
        }
    }

    func storeClosed() {
        generation += 1
        usersChanged()
        lastCounts = nil
        (rest, parts) = (nil, [])
        cache.replaceAll([], isComplete: true)
        loading.release(with: ())
    }

    private func load(after start: Int64, _ generation: Int) async throws(StoreError) {
        var next: Int64? = start
        while let position = next {
            let page = try await store.opened().credentials(after: position, limit: Self.page)
            // Another store may be open now, or none.
            guard generation == self.generation else { return }
            for damage in page.credentials.damaged { events.report(.storeProblem, "\(damage)") }
            next = page.next
            cache.loaded(page.credentials.values, completing: next == nil ? .everything : nil)
        }
    }

    // MARK: What is needed before the rest

    /// Returns when everything that a decision needs is in the cache: with a store of thousands, a call waits only for its own rows.
    ///
    /// - Parameter decision: made again after each part that was read for it; changes nothing.
    func read(for decision: @DaemonActor () -> Void) async {
        while let part = cache.missing(for: decision) {
            if part == .everything { await complete() } else { await read(part) }
        }
    }

    /// The stored credential of an MCP server, which has one account; nil also while the store is closed.
    func credential(ofServer providerID: String) async -> StoredCredential? {
        var kept: StoredCredential?
        await read {
            guard !store.isUnavailable else { return }
            kept = cache.credentials(providerID: providerID).first
        }
        return kept
    }

    /// All callers that need a part wait for the same read. If it fails, the store is closed.
    private func read(_ part: CredentialCache.Part) async {
        if parts.insert(part).inserted {
            load { loader, generation throws(StoreError) in
                switch part {
                case .account(let key): try await loader.load(key, generation)
                case .provider(let id): try await loader.load(providerID: id, generation)
                case .everything: break
                }
            }
        }
        while parts.contains(part), !cache.has(part) { _ = await loading.wait(while: { parts.contains(part) && !cache.has(part) }) }
    }

    private func load(_ key: CredentialCache.Key, _ generation: Int) async throws(StoreError) {
        var found: StoredCredential?
        do throws(StoreError) {
            found = try await store.opened().credential(providerID: key.providerID, subject: key.subject)
        } catch {
            // Counts as none, and is reported when the rest is read.
            guard error.kind == .damagedRow else { throw error }
        }
        guard generation == self.generation else { return }
        cache.loaded(found.map { [$0] } ?? [], completing: .account(key))
    }

    private func load(providerID: String, _ generation: Int) async throws(StoreError) {
        // Damaged rows are reported when the rest is read.
        var next: [UInt8]? = []
        while let position = next {
            let page = try await store.opened().credentials(providerID: providerID, after: position, limit: Self.page)
            guard generation == self.generation else { return }
            next = page.next
            cache.loaded(page.credentials.values, completing: next == nil ? .provider(providerID) : nil)
        }
    }

    /// Returns when all credentials are in the cache, or there is no store.
    func complete() async {
        loadRest()
        while !cache.isComplete { _ = await loading.wait(while: { !cache.isComplete }) }
    }

    // MARK: What changes

    /// A sign-in of an identity ended, and wrote this credential, or none.
    ///
    /// - Parameter earlier: its value before the write. If the store was closed since, and perhaps opened again, it is queried for its
    ///   contents.
    func signedIn(_ identity: Identity, _ credential: StoredCredential?, since earlier: Int) async {
        guard earlier == generation else { return await changed(identity) }
        usersChanged()
        if let credential { cache.signedIn(credential) }
    }

    /// An identity signed in: its credential is read again from disk.
    func changed(_ identity: Identity) async {
        usersChanged()
        let generation = generation
        do throws(StoreError) {
            let credential = try await store.opened().credential(providerID: identity.providerID, subject: identity.subject)
            guard generation == self.generation, let credential else { return }
            cache.signedIn(credential)
        } catch {
            // A store that was locked meanwhile is queried when it is opened.
            if !error.isLock { events.report(.storeProblem, "\(error)") }
        }
    }

    /// Users were added or removed.
    func usersChanged() {
        userCount = nil
        changes += 1
    }

    // MARK: How many

    struct Counts {
        var users: Int
        var credentials: Int
    }

    /// Nil if the store has to be queried.
    var counts: Counts? {
        guard let userCount, cache.isComplete else { return nil }
        return Counts(users: userCount, credentials: cache.count)
    }

    /// How long a count may take, in milliseconds. If other writes keep the store busy for longer, it is not waited for.
    static let patience: Int64 = 250

    /// Nil if the store does not answer; the last counts if it does not answer soon.
    func count() async -> Counts? {
        if let counts { return counts }
        let wait = Wait()
        let timer = platform.timers.after(milliseconds: Self.patience) {
            wait.isOver = true
            self.counting.release(with: ())
        }
        // The count under way may have begun before the caller's own change; the next one begins after it.
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
