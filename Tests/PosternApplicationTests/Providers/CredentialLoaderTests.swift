import PosternCore
import PosternCrypto
import PosternStore
import Testing

@testable import PosternApplication

/// A sign-in's credential comes to the loader after whatever else happened to the store meanwhile.
@Suite("What a sign-in wrote, told to the loader of a store that was closed meanwhile", .serialized)
struct CredentialLoaderTests {
    private let daemon: TestApplication
    private let access: StoreAccess
    private let loader: CredentialLoader
    private let signedIn: Identity
    private let written: StoredCredential

    /// A store with one credential, and a loader beside the daemon's own.
    init() throws {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        #expect(daemon.beginSignIn().isCompleted)
        (access, loader) = daemon.executor.isolated {
            let ground = daemon.application.ground
            return (ground.store, CredentialLoader(ground, cache: CredentialCache()))
        }
        let found = Recorded<StoredCredential>()
        daemon.run { _ in found.value = try? await daemon.opener.store?.credential(providerID: "work", subject: "42") }
        self.daemon = daemon
        written = try #require(found.value)
        signedIn = Identity(providerID: "work", subject: "42")
    }

    private var empty: CredentialPage { CredentialPage(credentials: Listing(), next: nil) }

    private func opened() -> Int {
        daemon.executor.isolated {
            loader.storeOpened(with: empty) { _ in }
            return loader.generation
        }
    }

    private func close() { daemon.executor.isolated { loader.storeClosed() } }

    private func tell(since era: Int) {
        let (loader, signedIn, written) = (loader, signedIn, written)
        daemon.run { _ in await loader.signedIn(signedIn, written, since: era) }
    }

    private var known: [StoredCredential] { daemon.executor.isolated { loader.cache.all } }

    @Test("of a store that stayed open: it is known, and the store is not asked")
    func stayedOpen() throws {
        let era = opened()
        daemon.run { _ in _ = try? await daemon.opener.store?.deleteCredential(providerID: "work", subject: "42") }
        tell(since: era)
        #expect(known == [written])
    }

    @Test("of one that is locked: nothing of it stays in memory, and nothing is wrong")
    func locked() throws {
        let era = opened()
        daemon.call("Lock")
        close()
        tell(since: era)
        #expect(known.isEmpty)
        #expect(!daemon.log.entries.contains { $0.kind == .storeProblem })
    }

    @Test("of one that was opened again: it is known as it is on disk, and not at all if it was deleted there", arguments: [false, true])
    func openedAgain(isDeleted: Bool) throws {
        let era = opened()
        close()
        daemon.call("Lock")
        daemon.call("Unlock")
        let renewed = daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
        #expect(renewed["accessToken"] == "at-2")
        if isDeleted { daemon.run { _ in _ = try? await daemon.opener.store?.deleteCredential(providerID: "work", subject: "42") } }
        _ = opened()
        tell(since: era)
        #expect(known.map(\.grant.accessToken) == (isDeleted ? [] : [Secret("at-2")]))
    }
}
