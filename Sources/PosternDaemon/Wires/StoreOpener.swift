import CProcess
import PosternApplication
import PosternConfiguration
import PosternCore
import PosternStore

extension Store: ApplicationStore {
    public func identities(providerID: String, meantBy hint: String) throws(StoreError) -> [Identity] {
        try identities(providerID: providerID, meantBy: hint, glance: 256)
    }
}

/// Opens the store in the state directory with the key that the configuration names.
@DaemonActor
final class StoreOpener: StoreOpening {
    private let directory: String
    private var configured: Configuration.Store
    private let environment: [String: String]

    init(directory: String, store: Configuration.Store, environment: [String: String]) {
        self.directory = directory
        configured = store
        self.environment = environment
    }

    func open(passphrase: Secret?, isSuspect: Bool) async -> Result<any ApplicationStore, StoreError> {
        let (directory, environment) = (directory, environment)
        let choice = KeyChoice(configured.key, environment: environment, passphrase: passphrase, doubt: configured.doubt)
        do throws(StoreError) {
            return .success(
                try await BlockingWork.run(orThrow: noThread) { () throws(StoreError) -> any ApplicationStore in
                    try Store.open(directory: directory, key: choice, isSuspect: isSuspect)
                })
        } catch {
            return .failure(error)
        }
    }

    func check(_ passphrase: Secret, of store: any ApplicationStore) async throws(StoreError) {
        try await BlockingWork.run(orThrow: noThread) { () throws(StoreError) in try store.check(passphrase: passphrase) }
    }

    private func noThread(_ error: NoThread) -> StoreError {
        StoreError(.noThread, file: directory, reason: error.reason, advice: error.advice)
    }

    func configurationChanged(_ configuration: Configuration.Store) { configured = configuration }

    func returnFreedMemory() { malloc_trim(0) }
}

extension KeyChoice {
    /// With the places for keys that this machine has.
    init(_ preference: KeyPreference, environment: [String: String], passphrase: Secret?, doubt: String? = nil) {
        let resolver = SecretResolver(environment: environment)
        self.init(
            preference,
            credential: { name throws(CredentialUnreadable) in
                do throws(SecretError) { return try resolver.bytes(ofCredential: name) } catch {
                    throw CredentialUnreadable(reason: error.description)
                }
            }, keyring: DesktopKeyring(), passphrase: passphrase, doubt: doubt)
    }
}
