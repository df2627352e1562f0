import PosternCore
import PosternCrypto

/// A key that is nowhere but in a user's memory.
extension KeyChoice {
    func fromPassphrase(in directory: String) throws(StoreError) -> SourcedKey {
        guard let passphrase, passphrase.count >= KeyWrapping.shortestPassphrase, Self.hasEnoughCharacters(passphrase) else {
            throw StoreError(
                .weakPassphrase, file: directory,
                reason: passphrase == nil
                    ? "there is no store yet; choose its passphrase"
                    : "the passphrase of a new store has at least \(KeyWrapping.shortestPassphrase) characters, several of them different",
                advice: "choose one with: postern unlock")
        }
        do throws(CryptoError) {
            let key = try SealingKey.generate()
            return SourcedKey(source: .passphrase(try KeyWrapping.wrap(key, with: passphrase, cost: passphraseCost)), key: key)
        } catch {
            throw StoreError(.internal, file: directory, reason: error.description, advice: "check that memory is free, then try again")
        }
    }

    func unwrap(_ wrapping: KeyWrapping, in directory: String) throws(StoreError) -> SealingKey {
        guard let passphrase else {
            throw StoreError(
                .passphraseNeeded, file: directory, reason: "the store is locked with a passphrase", advice: "open it with: postern unlock")
        }
        return try wrapping.key(for: passphrase, in: directory)
    }

    /// If a passphrase were given that is not needed, and ignored, the user would be wrong about what protects the store.
    func checkUnwanted(in directory: String) throws(StoreError) {
        guard passphrase == nil else { throw .passphraseUnwanted(in: directory) }
    }

    /// Characters, not bytes: eight letters of any script. "aaaaaaaa" has one.
    private static func hasEnoughCharacters(_ passphrase: Secret) -> Bool {
        let text = passphrase.reveal()
        return text.count >= KeyWrapping.shortestPassphrase && Set(text).count > 2
    }
}

extension KeyWrapping {
    /// As ``unwrap(with:)``, with the store's errors.
    func key(for passphrase: Secret, in directory: String) throws(StoreError) -> SealingKey {
        do throws(CryptoError) { return try unwrap(with: passphrase) } catch {
            guard error.code == .cannotOpen else {
                throw StoreError(.internal, file: directory, reason: error.description, advice: "check that memory is free, then try again")
            }
            throw StoreError(
                .wrongPassphrase, file: directory, reason: "the passphrase is not the one that the store was made with",
                advice: "check for typos, then try again")
        }
    }
}

extension StoreError {
    static func passphraseUnwanted(in file: String) -> StoreError {
        StoreError(
            .passphraseUnwanted, file: file, reason: "the store's key is not kept by a passphrase", advice: "unlock it without one")
    }
}
