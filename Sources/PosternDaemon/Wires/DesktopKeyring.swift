import PosternCore
import PosternStore
import PosternSystemd

/// The keys of stores in the desktop's keyring.
struct DesktopKeyring: Keyring {
    func find(_ item: KeyringItem) throws(KeyringUnavailable) -> [Secret] {
        do throws(SecretService.Failure) { return try Self.service(item).find().map { Secret($0) } } catch {
            throw Self.unavailable(error)
        }
    }

    func save(_ key: Secret, as item: KeyringItem) throws(KeyringUnavailable) {
        do throws(SecretService.Failure) { try Self.service(item).save(key.revealBytes()) } catch {
            throw Self.unavailable(error)
        }
    }

    /// - Returns: false if the keyring answers and has no such item.
    func remove(_ item: KeyringItem) throws(KeyringUnavailable) -> Bool {
        do throws(SecretService.Failure) { return try Self.service(item).remove() > 0 } catch {
            throw Self.unavailable(error)
        }
    }

    private static func service(_ item: KeyringItem) -> SecretService {
        SecretService(label: "Postern: key of the credential store", attributes: KeyChoice.attributes(of: item))
    }

    private static func unavailable(_ failure: SecretService.Failure) -> KeyringUnavailable {
        switch failure {
        case .notAvailable(let error):
            KeyringUnavailable(
                reason: "no keyring answers (\(error))",
                advice: "start the desktop's keyring (GNOME Keyring, KWallet or KeePassXC); the next call opens the store")
        case .locked: KeyringUnavailable(reason: "the keyring is locked")
        case .noCollection:
            KeyringUnavailable(
                reason: "the keyring has no default collection, which new secrets go to",
                advice: "make a keyring and set it as the default in the desktop's password program (Seahorse, KWalletManager); "
                    + "the next call opens the store")
        }
    }
}
