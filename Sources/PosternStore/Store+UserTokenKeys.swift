import PosternCore
import PosternCrypto

extension Store {
    private static let userTokenKeysName = "user-token-keys"

    /// The keys of the ID tokens as they should be at this moment: created if there are none, rotated if it is time.
    ///
    /// One transaction, so that two callers that need the first key at once get the same one. What is returned is on disk.
    ///
    /// - Returns: the keys, and the error if they should have changed and could not be written: then the existing ones still sign, and the
    ///   next call tries again.
    public func userTokenKeys(now: Timestamp) throws(StoreError) -> (keys: UserTokenKeys, problem: StoreError?) {
        let held = try readUserTokenKeys()
        if let held, (try? held.advanced(to: now) { throw KeyNeeded() }) == held { return (held, nil) }
        do throws(StoreError) { return (try advanceUserTokenKeys(to: now), nil) } catch {
            guard let held else { throw error }
            return (held, error)
        }
    }

    /// Signs a statement about who is signed in to an app.
    ///
    /// - Parameter signing: called once, on the store's thread, so that nothing can happen between determining who is signed in and signing
    ///   it. This is not slow: libcrypto takes 0.4 ms to read a private key, and 0.03 ms to sign with it.
    /// - Returns: nil if the app has no current user; otherwise as ``userTokenKeys(now:)``.
    public func signUserToken<Value: Sendable>(
        app: AppName, now: Timestamp, signing: @Sendable (AppSignIn, User, UserTokenKey) throws(AccountFailure) -> Value
    ) throws(AccountFailure) -> (value: Value, problem: StoreError?)? {
        guard let (signIn, user) = try AccountFailure.wrapping(store: current(app: app)) else { return nil }
        let (keys, problem) = try AccountFailure.wrapping(store: userTokenKeys(now: now))
        return (try signing(signIn, user, keys.signing.key), problem)
    }

    private func advanceUserTokenKeys(to now: Timestamp) throws(StoreError) -> UserTokenKeys {
        try transaction { tables throws(StoreError) in
            let make: () throws(StoreError) -> UserTokenKey = { () throws(StoreError) in
                do throws(CryptoError) { return try UserTokenKey.generate() } catch {
                    throw StoreError(.internal, file: tables.file, reason: "no signing key could be made: \(error)")
                }
            }
            let keys: UserTokenKeys
            if let held = try readUserTokenKeys() {
                keys = try held.advanced(to: now, making: make)
            } else {
                keys = UserTokenKeys(first: try make(), now: now)
            }
            try tables.settings.set(Self.userTokenKeysName, to: keys)
            return keys
        }
    }

    private func readUserTokenKeys() throws(StoreError) -> UserTokenKeys? {
        try tables.settings.value(Self.userTokenKeysName)
    }

    /// A new key is due.
    private struct KeyNeeded: Error {}
}

extension UserTokenKey {
    static func generate() throws(CryptoError) -> UserTokenKey {
        let key = try SigningKey.generateES256()
        guard case .p256(let x, let y) = key.publicKey,
            let own = UserTokenKey(privateKeyPEM: try key.pem(), x: x, y: y, cryptography: OpenSSLCryptography())
        else { throw CryptoError(.invalidKey, "the new key is not on P-256") }
        return own
    }
}
