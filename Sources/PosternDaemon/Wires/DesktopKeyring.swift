import PosternCore
import PosternStore
import PosternSystemd

/// The store's key in the desktop's keyring.
struct DesktopKeyring: Keyring {
    private let secrets = SecretService(
        label: "Postern: key of the credential store", attributes: [("application", "postern"), ("purpose", "store-key")])

    func find() throws(KeyringUnavailable) -> Secret? {
        do throws(SecretService.Failure) { return try secrets.find().map { Secret($0) } } catch { throw Self.unavailable(error) }
    }

    func save(_ key: Secret) throws(KeyringUnavailable) {
        do throws(SecretService.Failure) { try secrets.save(key.revealBytes()) } catch { throw Self.unavailable(error) }
    }

    private static func unavailable(_ failure: SecretService.Failure) -> KeyringUnavailable {
        switch failure {
        case .notAvailable(let error): KeyringUnavailable(reason: "no keyring answers (\(error))")
        case .locked: KeyringUnavailable(reason: "the keyring is locked")
        case .noCollection: KeyringUnavailable(reason: "the keyring has no default collection")
        }
    }
}
