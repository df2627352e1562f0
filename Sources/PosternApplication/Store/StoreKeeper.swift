import PosternConfiguration
import PosternCore

/// Opens the store, now or later.
@DaemonActor
public protocol StoreOpening: AnyObject {
    /// - Parameters:
    ///   - passphrase: of who unlocks it; nil if nobody gave one.
    ///   - isSuspect: it was found to be damaged before, so the whole file is checked first.
    func open(passphrase: Secret?, isSuspect: Bool) async -> Result<any ApplicationStore, StoreError>
    /// Looks at a passphrase for a store that is open, which takes as long as opening it.
    func check(_ passphrase: Secret, of store: any ApplicationStore) async throws(StoreError)
    /// For stores that are opened from now on.
    func configurationChanged(_ configuration: Configuration.Store)
    /// What was freed is given back to the system, so that it is in no later allocation.
    func returnFreedMemory()
}

/// Why the store was not unlocked.
enum UnlockFailure: Error {
    case tooManyGuesses(retryAfterSeconds: Int64)
    case store(StoreError)
}

/// Opens the store, locks it and unlocks it, and sees to what comes out of it.
@DaemonActor
public final class StoreKeeper {
    /// A keyring is locked until the user unlocks it, a full disk until there is room: so often, at most, the store is tried again
    /// for somebody who needs it. In seconds.
    private static let pause: Int64 = 5
    /// Longer than a provider may take to answer: a refresh token that is being rotated would be lost with its answer. In milliseconds.
    private static let patience: Int64 = 35_000
    /// After it was opened: whoever started the daemon has been answered by then. In milliseconds.
    private static let tidyingDelay: Int64 = 1000

    let access: StoreAccess
    private let opener: any StoreOpening
    private let inventory: Inventory
    private let states: CredentialStates
    private let providers: ProviderDirectory
    private let coordinator: SignInCoordinator
    private let tokens: AccessTokens
    private let imports: CredentialImports
    private let accounts: any AccountAuthority
    private let endSessionPages: EndSessionPages
    private let platform: Platform
    private let events: EventLog
    /// Opening and closing, one after the other.
    private let turns = SerialWork()
    private var isReopening = false
    private let reopening = WaitingRoom<Void>()
    /// By ``WallClock/uptime``.
    private var nextTry: Int64
    private var unlocking = GuessPacing()
    private var tidying: (any PendingTimer)?

    init(
        access: StoreAccess, opener: any StoreOpening, inventory: Inventory, states: CredentialStates, providers: ProviderDirectory,
        coordinator: SignInCoordinator, tokens: AccessTokens, imports: CredentialImports, accounts: any AccountAuthority,
        endSessionPages: EndSessionPages,
        platform: Platform, events: EventLog
    ) {
        self.access = access
        self.opener = opener
        self.inventory = inventory
        self.states = states
        self.providers = providers
        self.coordinator = coordinator
        self.tokens = tokens
        self.imports = imports
        self.accounts = accounts
        self.endSessionPages = endSessionPages
        self.platform = platform
        self.events = events
        // One in a keyring is tried with the first call: it may have been unlocked right after this start.
        nextTry = platform.clock.uptime + (access.problem?.kind == .keyUnavailable ? 0 : Self.pause)
    }

    /// For methods that answer out of memory and must not pretend that an unreadable store is an empty one.
    func check() throws(StoreError) {
        if let problem = access.problem { throw problem }
    }

    /// It could not be opened, and may open now.
    var mayOpen: Bool {
        guard let problem = access.problem, !problem.waitsForPerson else { return false }
        return isReopening || platform.clock.uptime >= nextTry
    }

    /// Tries again before somebody is refused, so that the first call after a keyring was unlocked succeeds. All who ask meanwhile wait for
    /// the same try.
    func tryAgain() async {
        guard mayOpen else { return }
        guard !isReopening else {
            _ = await reopening.wait(while: { isReopening })
            return
        }
        // A keyring that is locked says so at once, and may be asked each time. One that hangs would make every caller wait.
        let began = platform.clock.uptime
        let asksKeyring = access.problem?.kind == .keyUnavailable
        await platform.work.count { await reopen() }
        let isQuick = platform.clock.uptime - began <= 1
        nextTry = asksKeyring && isQuick ? platform.clock.uptime : platform.clock.uptime + Self.pause
    }

    // MARK: What is on disk

    /// Takes up what the last life left behind: all of it, or there is no store. Half of it would pass for the whole.
    func restore() async {
        // Told already, by whoever opened it.
        guard !access.isUnavailable else { return }
        do throws(StoreError) {
            takeUp(try await remains(of: try access.opened()))
            await providers.registrar.forgetUnwanted(by: providers.all)
        } catch {
            events.report(.storeProblem, "\(error)")
            await access.failed(with: error)
        }
    }

    private func remains(of store: any ApplicationStore) async throws(StoreError) -> StoreRemains {
        try await store.remains(now: platform.now, credentials: Inventory.firstPage)
    }

    /// At once, so that nobody sees an open store of which nothing is known.
    private func takeUp(_ remains: StoreRemains) {
        for damage in remains.credentials.credentials.damaged + remains.sessions.damaged { events.report(.storeProblem, "\(damage)") }
        inventory.storeOpened(with: remains.credentials) { [weak self] in await self?.failed(with: $0) }
        providers.registrar.restore(remains.clients)
        coordinator.restore(remains.sessions.values)
        states.storeOpened(with: remains.attention)
        tidying?.cancel()
        tidying = platform.timers.after(milliseconds: Self.tidyingDelay) { [weak self] in
            guard let self else { return }
            self.platform.work.start {
                await self.tidy()
                self.platform.activityChanged()
            }
        }
    }

    /// Reads the rest of a large store, checks the whole of it, and deletes what has expired, when nobody waits for that.
    private func tidy() async {
        await inventory.complete()
        do throws(StoreError) {
            try await access.opened().tidy(now: platform.now)
            // The check of a large store takes some.
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
        guard !access.isUnavailable else { return }
        events.report(.storeProblem, "\(error)")
        await access.failed(with: error)
        // Not tried again by the very next call.
        nextTry = platform.clock.uptime + Self.pause
        coordinator.lockBegan()
        forgetAll()
        platform.activityChanged()
    }

    /// Of what came out of the store nothing is left in memory.
    private func forgetAll() {
        tidying?.cancel()
        coordinator.storeClosed()
        states.storeClosed()
        tokens.forgetAll()
        imports.forgetAll()
        inventory.storeClosed()
        endSessionPages.forgetAll()
        accounts.storeLocked()
        providers.registrar.restore([])
        opener.returnFreedMemory()
    }

    // MARK: Opening

    /// A store that could not be opened may open now: a keyring was unlocked, a disk has room again.
    /// Not one that was locked: that is for the user to say.
    func reopen() async {
        guard access.isUnavailable, !access.waitsForPerson, !isReopening else { return }
        isReopening = true
        defer {
            isReopening = false
            reopening.release(with: ())
        }
        await turns.begin()
        defer { turns.end() }
        guard access.isUnavailable, !access.waitsForPerson else { return }
        do throws(StoreError) {
            try await open(passphrase: nil)
            events.report(.storeOpened, "the store is open now")
        } catch {
            // Once, however often it is tried.
            if error != access.problem { events.report(.storeProblem, "\(error)") }
            access.replace(with: .failure(error))
        }
    }

    func configurationChanged(_ configuration: Configuration.Store) { opener.configurationChanged(configuration) }

    /// For who has its turn.
    private func open(passphrase: Secret?) async throws(StoreError) {
        let isSuspect = access.problem?.kind == .damaged
        let opened = try await opener.open(passphrase: passphrase, isSuspect: isSuspect).get()
        let remains: StoreRemains
        do throws(StoreError) { remains = try await self.remains(of: opened) } catch {
            await opened.close()
            throw error
        }
        access.replace(with: .success(opened))
        takeUp(remains)
        await providers.registrar.forgetUnwanted(by: providers.all)
        platform.activityChanged()
    }

    // MARK: Locking

    /// Forgets the store's key, and all that came out of the store.
    ///
    /// Nothing new begins from the first moment. What a provider has been asked already is written before the key goes. Sign-ins that
    /// wait for the user are on disk, and wait there.
    func lock() async {
        await turns.begin()
        defer { turns.end() }
        guard access.beginLocking(Self.reason) else { return keepShut() }
        coordinator.lockBegan()
        await platform.work.whenEmpty([.toBeKept], within: Self.patience, timers: platform.timers)
        await tokens.saveRest()
        await access.finishLocking()
        forgetAll()
        events.report(.storeLocked, "the store was locked")
        platform.activityChanged()
    }

    private static func reason(_ store: any ApplicationStore) -> StoreError {
        store.isOpenedByPassphrase
            ? StoreError(.passphraseNeeded, file: "the store", reason: "is locked")
            : StoreError(.sealedOff, file: "the store", reason: "is locked")
    }

    /// One that could not be opened does not open by itself from now on.
    private func keepShut() {
        guard !access.waitsForPerson else { return }
        access.replace(with: .failure(StoreError(.sealedOff, file: "the store", reason: "is locked")))
    }

    /// Opens the store again. One that is open stays so, and a passphrase is checked anyway.
    ///
    /// - Parameter passphrase: where the store's key is one; nil elsewhere, where the key's keeper is asked again.
    func unlock(passphrase: Secret?) async throws(UnlockFailure) {
        await turns.begin()
        defer { turns.end() }
        guard access.isUnavailable else { return try await check(passphrase) }
        if passphrase != nil { try checkPause() }
        do throws(StoreError) {
            try await open(passphrase: passphrase)
            unlocking.wasRight()
            events.report(.storeUnlocked, "the store was unlocked")
        } catch {
            if error.kind == .wrongPassphrase { unlocking.wasWrong(now: platform.now) }
            // What is wrong with it has been told once.
            let reason = error == access.problem ? "the reason is the same as before" : "\(error)"
            events.report(.storeProblem, "the store was not unlocked: \(reason)", level: .warning)
            // Told again why it does not open, unless it is locked: then it stays so.
            if !access.waitsForPerson { access.replace(with: .failure(error)) }
            throw .store(error)
        }
    }

    /// The store is open. Guesses are counted with those at a locked one: it is the same passphrase.
    private func check(_ passphrase: Secret?) async throws(UnlockFailure) {
        guard let passphrase else { return }
        try checkPause()
        do throws(StoreError) {
            try await opener.check(passphrase, of: try access.opened())
            unlocking.wasRight()
        } catch {
            if error.kind == .wrongPassphrase { unlocking.wasWrong(now: platform.now) }
            events.report(.storeProblem, "a passphrase for the open store was refused: \(error)", level: .warning)
            throw .store(error)
        }
    }

    private func checkPause() throws(UnlockFailure) {
        let pause = unlocking.pauseSeconds(now: platform.now)
        guard pause <= 0 else { throw .tooManyGuesses(retryAfterSeconds: pause) }
    }

    /// Writes what is only in memory, and releases the store; the daemon ends.
    func close() async {
        await tokens.saveRest()
        tokens.tellLost()
        await access.close()
    }
}
