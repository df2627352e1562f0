import PosternConfiguration
import PosternCore

/// Opens the store, now or later.
@DaemonActor
public protocol StoreOpening: AnyObject {
    /// - Parameters:
    ///   - passphrase: from the caller that unlocks it; nil if none was given.
    ///   - isSuspect: it was found to be damaged before, so the whole file is checked first.
    func open(passphrase: Secret?, isSuspect: Bool) async -> Result<any ApplicationStore, StoreError>
    /// Checks a passphrase for a store that is open, which takes as long as opening it.
    func check(_ passphrase: Secret, of store: any ApplicationStore) async throws(StoreError)
    /// Used for stores that are opened from now on.
    func configurationChanged(_ configuration: Configuration.Store)
    /// Returns freed memory to the system, so that no later allocation contains its data.
    func returnFreedMemory()
}

/// Why the store was not unlocked.
enum UnlockFailure: Error {
    case tooManyGuesses(retryAfterSeconds: Int64)
    case store(StoreError)
}

/// Opens, locks and unlocks the store, and manages what is read from it.
@DaemonActor
public final class StoreLock: Grounded {
    /// A keyring is locked until the user unlocks it, a disk full until there is room: the shortest time between two attempts to open the
    /// store for callers that need it. In seconds.
    private static let pause: Int64 = 5
    /// Longer than a provider may take to answer: if a refresh token is being rotated, it would be lost with the answer. In milliseconds.
    private static let patience: Int64 = 35_000
    /// After the store was opened: the caller that started the daemon has been answered by then. In milliseconds.
    private static let tidyingDelay: Int64 = 1000

    private let opener: any StoreOpening
    private let providers: ProviderRoom
    private let coordinator: SignInCoordinator
    private let tokens: TokenRoom
    private let accounts: any AccountAuthority
    let ground: Ground
    /// Opening and closing, one at a time.
    private let turns = SerialWork()
    private var isReopening = false
    private let reopening = WaitingRoom<Void>()
    /// By ``WallClock/uptime``.
    private var nextTry: Int64
    private var unlocking = GuessPacing()
    /// It was found to be damaged, and has not passed a check since.
    private var isSuspect = false
    private var tidying: (any PendingTimer)?

    init(
        _ ground: Ground, opener: any StoreOpening, providers: ProviderRoom, tokens: TokenRoom, accounts: any AccountAuthority,
        coordinator: SignInCoordinator
    ) {
        self.opener = opener
        self.providers = providers
        self.coordinator = coordinator
        self.tokens = tokens
        self.accounts = accounts
        self.ground = ground
        // With a key in a keyring, the first call tries again: it may have been unlocked right after this start.
        nextTry = ground.platform.clock.uptime + (ground.store.problem?.kind == .keyUnavailable ? 0 : Self.pause)
    }
    /// It could not be opened, but may open now.
    var mayOpen: Bool {
        guard let problem = store.problem, !problem.waitsForPerson else { return false }
        return isReopening || platform.clock.uptime >= nextTry
    }

    /// Tries again before a caller is refused, so that the first call after a keyring was unlocked succeeds. All callers that arrive
    /// meanwhile wait for the same attempt.
    func tryAgain() async {
        guard mayOpen else { return }
        guard !isReopening else {
            _ = await reopening.wait(while: { isReopening })
            return
        }
        // A keyring that is locked reports it at once, and may be asked each time. One that hangs would make every caller wait.
        let began = platform.clock.uptime
        let asksKeyring = store.problem?.kind == .keyUnavailable
        await platform.work.count { await reopen() }
        let isQuick = platform.clock.uptime - began <= 1
        nextTry = asksKeyring && isQuick ? platform.clock.uptime : platform.clock.uptime + Self.pause
    }

    // MARK: What is on disk

    /// Restores what the last run left behind: all of it, or the store is closed. A part would be mistaken for the whole.
    func restore() async {
        // Already reported by the function that opened it.
        guard !store.isUnavailable else { return }
        do throws(StoreError) {
            takeUp(try await remains(of: try store.opened()))
            await providers.directory.forgetUnwantedClients()
        } catch {
            events.report(.storeProblem, "\(error)")
            await store.failed(with: error)
        }
    }

    private func remains(of store: any ApplicationStore) async throws(StoreError) -> StoreRemains {
        try await store.remains(now: platform.now, credentials: CredentialLoader.firstPage)
    }

    /// Without waiting, so that nobody sees an open store whose contents are unknown.
    private func takeUp(_ remains: StoreRemains) {
        for damage in remains.credentials.credentials.damaged + remains.sessions.damaged { events.report(.storeProblem, "\(damage)") }
        providers.storeOpened(with: remains) { [weak self] in await self?.failed(with: $0) }
        coordinator.restore(remains.sessions.values)
        tokens.states.storeOpened(with: remains.attention)
        tidying?.cancel()
        tidying = platform.timers.after(milliseconds: Self.tidyingDelay) { [weak self] in
            guard let self else { return }
            self.platform.work.start {
                await self.tidy(readAt: remains.readAt)
                self.platform.activityChanged()
            }
        }
    }

    /// Reads the rest of a large store, checks the whole of it, and deletes what has expired, when no caller waits for that.
    ///
    /// - Parameter readAt: when the store was read. If the clock was set forward since, sign-ins that were alive then still are (see
    ///   ``SignInCoordinator``), whatever their moments on disk say.
    private func tidy(readAt: Timestamp) async {
        await providers.loader.complete()
        platform.work.start(.toBeKept) { await self.providers.revocationRequests.resume() }
        do throws(StoreError) {
            try await store.opened().tidy(now: min(readAt, platform.now))
            // Checking a large store allocates some memory.
            opener.returnFreedMemory()
        } catch {
            guard !error.isLock else { return }
            guard error.kind == .damaged else {
                return events.report(
                    .storeProblem, "expired sign-ins and handles could not be deleted from the store: \(error)", level: .warning)
            }
            await failed(with: error)
        }
    }

    /// The check found damage, or the rest could not be read.
    private func failed(with error: StoreError) async {
        await turns.begin()
        defer { turns.end() }
        guard !store.isUnavailable else { return }
        events.report(.storeProblem, "\(error)")
        await store.failed(with: error)
        // Not tried again by the very next call.
        nextTry = platform.clock.uptime + Self.pause
        coordinator.lockBegan()
        tokens.accessTokens.tellLost()
        forgetAll()
        platform.activityChanged()
    }

    /// Removes everything that was read from the store from memory.
    private func forgetAll() {
        tidying?.cancel()
        coordinator.storeClosed()
        tokens.storeClosed()
        providers.storeClosed()
        accounts.storeLocked()
        opener.returnFreedMemory()
    }

    // MARK: Opening

    /// Opens a store that could not be opened, if it opens now: a keyring was unlocked, a disk has room again. A store that was locked is
    /// not opened: only the user decides that.
    func reopen() async {
        guard store.isUnavailable, !store.waitsForPerson, !isReopening else { return }
        isReopening = true
        defer {
            isReopening = false
            reopening.release(with: ())
        }
        await turns.begin()
        defer { turns.end() }
        guard store.isUnavailable, !store.waitsForPerson else { return }
        do throws(StoreError) {
            try await open(passphrase: nil)
            events.report(.storeOpened, "the store is open now")
        } catch {
            // Once, however often it is tried.
            if error != store.problem { events.report(.storeProblem, "\(error)") }
            store.replace(with: .failure(error))
        }
    }

    func configurationChanged(_ configuration: Configuration.Store) { opener.configurationChanged(configuration) }

    /// To be called only during the caller's turn.
    private func open(passphrase: Secret?) async throws(StoreError) {
        if store.problem?.kind == .damaged { isSuspect = true }
        let opened = try await opener.open(passphrase: passphrase, isSuspect: isSuspect).get()
        let remains: StoreRemains
        do throws(StoreError) { remains = try await self.remains(of: opened) } catch {
            await opened.close()
            throw error
        }
        isSuspect = false
        store.replace(with: .success(opened))
        takeUp(remains)
        await providers.directory.forgetUnwantedClients()
        platform.activityChanged()
    }

    // MARK: Locking

    /// Forgets the store's key, and everything that was read from the store.
    ///
    /// From the first moment nothing new begins. The results of requests to providers under way are written before the key is forgotten.
    /// Sign-ins that wait for the user are on disk, and wait there.
    func lock() async {
        await turns.begin()
        defer { turns.end() }
        guard store.beginLocking(Self.reason) else { return keepShut() }
        coordinator.lockBegan()
        await platform.work.whenEmpty([.toBeKept], within: Self.patience, timers: platform.timers)
        await tokens.accessTokens.saveRest()
        tokens.accessTokens.tellLost()
        await store.finishLocking()
        forgetAll()
        events.report(.storeLocked, "the store was locked")
        platform.activityChanged()
    }

    private static func reason(_ store: any ApplicationStore) -> StoreError {
        store.isOpenedByPassphrase
            ? StoreError(.passphraseNeeded, file: "the store", reason: "is locked")
            : StoreError(.sealedOff, file: "the store", reason: "is locked")
    }

    /// A store that could not be opened is no longer opened automatically.
    private func keepShut() {
        guard !store.waitsForPerson else { return }
        if store.problem?.kind == .damaged { isSuspect = true }
        store.replace(with: .failure(StoreError(.sealedOff, file: "the store", reason: "is locked")))
    }

    /// Opens the store again. If it is open, it stays so, and a passphrase is checked anyway.
    ///
    /// - Parameter passphrase: given if the store's key is one; nil otherwise, and then what keeps the key is asked again.
    func unlock(passphrase: Secret?) async throws(UnlockFailure) {
        await turns.begin()
        defer { turns.end() }
        guard store.isUnavailable else { return try await check(passphrase) }
        if passphrase != nil { try checkPause() }
        do throws(StoreError) {
            try await open(passphrase: passphrase)
            unlocking.wasRight()
            events.report(.storeUnlocked, "the store was unlocked")
        } catch {
            if error.kind == .wrongPassphrase { unlocking.wasWrong(uptime: platform.clock.uptime) }
            // The problem has been reported once.
            let reason = error == store.problem ? "the reason is the same as before" : "\(error)"
            events.report(.storeProblem, "the store was not unlocked: \(reason)", level: .warning)
            // The reason is replaced, unless the store is locked: then it stays locked.
            if !store.waitsForPerson { store.replace(with: .failure(error)) }
            throw .store(error)
        }
    }

    /// The store is open. Attempts are counted together with those at a locked one: it is the same passphrase.
    private func check(_ passphrase: Secret?) async throws(UnlockFailure) {
        guard let passphrase else { return }
        try checkPause()
        do throws(StoreError) {
            try await opener.check(passphrase, of: try store.opened())
            unlocking.wasRight()
        } catch {
            if error.kind == .wrongPassphrase { unlocking.wasWrong(uptime: platform.clock.uptime) }
            events.report(.storeProblem, "a passphrase for the open store was refused: \(error)", level: .warning)
            throw .store(error)
        }
    }

    private func checkPause() throws(UnlockFailure) {
        let pause = unlocking.pauseSeconds(uptime: platform.clock.uptime)
        guard pause <= 0 else { throw .tooManyGuesses(retryAfterSeconds: pause) }
    }

    /// Writes what is only in memory, and releases the store; the daemon is ending.
    func close() async {
        await tokens.accessTokens.saveRest()
        tokens.accessTokens.tellLost()
        await store.close()
    }
}
