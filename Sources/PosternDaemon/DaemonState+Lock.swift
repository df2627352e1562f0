import CProcess
import NIOCore
import PosternCore
import PosternInterface
import PosternStore
import Varlink

/// Locking the store, and unlocking it.
extension DaemonState {
    /// Longer than a provider may take to answer: a refresh token that is being rotated would be lost with its answer.
    private static let patience = TimeAmount.seconds(35)

    /// Forgets the store's key, and all that came out of the store.
    ///
    /// Nothing new begins from the first moment. What a provider has been asked already is written before the key goes. Sign-ins that
    /// wait for their person are on disk, and wait there.
    func lock() async {
        await storeWork.begin()
        defer { storeWork.end() }
        guard store.beginLocking(Self.reason) else { return keepShut() }
        coordinator.endWaiting()
        let deadline = NIODeadline.now() + Self.patience
        while hasAnswersOut, NIODeadline.now() < deadline {
            _ = try? await DaemonActor.shared.eventLoop.scheduleTask(in: .milliseconds(20)) {}.futureResult.result()
        }
        await tokens.saveRest()
        await store.finishLocking()
        coordinator.forgetAll()
        tokens.forgetAll()
        shelf.replaceAll([])
        userCount = 0
        endSessionPages.forgetAll()
        accounts.storeLocked()
        providers.registrar.restore([])
        // What was freed is given back, so that it is in no later allocation.
        malloc_trim(0)
        log.notice("the store was locked", event: .storeProblem)
        feed.post(.storeLocked, "the store was locked")
        activityChanged()
    }

    private static func reason(_ store: Store) -> StoreError {
        store.isOpenedByPassphrase
            ? StoreError(.passphraseNeeded, file: "the store", reason: "it was locked")
            : StoreError(.sealedOff, file: "the store", reason: "it was locked")
    }

    /// One that could not be opened does not open by itself from now on.
    private func keepShut() {
        guard !store.waitsForPerson else { return }
        store.replace(with: .failure(StoreError(.sealedOff, file: "the store", reason: "it was locked")))
    }

    /// Opens the store anew. One that is open stays so.
    ///
    /// - Parameter passphrase: where the store's key is one; nil elsewhere, where the key's keeper is asked again.
    func unlock(passphrase: Secret?) async throws {
        await storeWork.begin()
        defer { storeWork.end() }
        guard store.isUnavailable else { return }
        let pause = unlocking.pauseSeconds(now: WallClock.now)
        if passphrase != nil, pause > 0 {
            throw InterfaceError.tooManyAttempts(
                message: "several passphrases were wrong; the next one can be tried in \(pause) seconds", retryAfterSeconds: Int(pause))
        }
        do throws(StoreError) {
            try await openStore(passphrase: passphrase)
            unlocking.wasRight()
            feed.post(.storeUnlocked, "the store was unlocked")
        } catch {
            if error.kind == .wrongPassphrase { unlocking.wasWrong(now: WallClock.now) }
            log.warning("the store was not unlocked: \(error)", event: .storeProblem)
            // Told anew why it does not open, unless it is locked: then it stays so.
            if !store.waitsForPerson { store.replace(with: .failure(error)) }
            throw Self.told(error)
        }
    }

    private static func told(_ error: StoreError) -> any Error {
        switch error.kind {
        // The parameter is missing, or is one too many.
        case .passphraseNeeded, .passphraseUnwanted: VarlinkError.invalidParameter("passphrase")
        case .wrongPassphrase: InterfaceError.wrongPassword(message: "\(error.reason); \(error.advice)")
        case .weakPassphrase: InterfaceError.weakPassword(message: "\(error.reason); \(error.advice)", reason: error.reason)
        default: InterfaceError(error)
        }
    }
}
