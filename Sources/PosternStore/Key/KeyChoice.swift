import PosternCore
import PosternCrypto

/// Why an existing systemd credential cannot be read, as a sentence: "the credential postern-key cannot be read: Permission denied".
public struct CredentialUnreadable: Error, Sendable, Hashable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}

/// The key's place, according to the configuration's `store.key`.
public struct KeyChoice: KeyProvider {
    public static let credentialName = "postern-key"

    private let preference: KeyPreference
    private let readCredential: @Sendable (_ name: String) throws(CredentialUnreadable) -> Secret?
    let keyring: (any Keyring)?
    let passphrase: Secret?
    /// Of scrypt, for a new store.
    var passphraseCost = KeyWrapping.usualCost
    private let doubt: String?

    /// - Parameters:
    ///   - credential: reads a systemd credential, byte for byte; nil if there is none with that name.
    ///   - keyring: nil if there is no session bus.
    ///   - passphrase: nil if none was given.
    ///   - doubt: why it is not known where the key of a new store belongs.
    public init(
        _ preference: KeyPreference,
        credential: @escaping @Sendable (_ name: String) throws(CredentialUnreadable) -> Secret? = { _ in nil },
        keyring: (any Keyring)? = nil, passphrase: Secret? = nil, doubt: String? = nil
    ) {
        self.preference = preference
        readCredential = credential
        self.keyring = keyring
        self.passphrase = passphrase
        self.doubt = doubt
    }

    public func makeKey(in directory: String) throws(StoreError) -> SourcedKey {
        // It would stay there.
        if let doubt {
            throw StoreError(
                .keyRefused, file: directory,
                reason: "no store is made while it is unknown where the administrator wants its key: \(doubt)",
                advice: "ask the administrator to fix that file, or set store.key in your own configuration")
        }
        if preference != .passphrase { try checkUnwanted(in: directory) }
        let path = "\(directory)/\(KeyFile.name)"
        switch preference {
        case .credential: return try fromCredential(in: directory)
        case .secretService: return try fromKeyring(in: directory)
        case .file: return try fromFile(path)
        case .passphrase: return try fromPassphrase(in: directory)
        case .automatic:
            // One that exists but cannot be used is an error: whoever put it there relies on it.
            if try credential(Self.credentialName, in: directory) != nil { return try fromCredential(in: directory) }
            // An earlier run was stopped between the key and the store: its decision stands.
            if KeyFile.exists(at: path) { return try fromFile(path) }
            do throws(StoreError) { return try fromKeyring(in: directory) } catch {
                guard error.kind == .keyUnavailable else { throw error }
                return try fromFile(path)
            }
        }
    }

    public func keys(from source: KeySource, in directory: String) throws(StoreError) -> [SealingKey] {
        try check(source, in: directory)
        if !source.isPassphrase { try checkUnwanted(in: directory) }
        switch source {
        case .passphrase(let wrapping): return [try unwrap(wrapping, in: directory)]
        case .file: return [try KeyFile.read(at: "\(directory)/\(KeyFile.name)")]
        case .credential(let name):
            guard let secret = try credential(name, in: directory) else {
                throw StoreError(
                    .keyMissing, file: directory, reason: "the store is sealed with \(source), which is missing",
                    advice: "put LoadCredential=\(name):PATH back into the unit, or move the store away to start with a new one")
            }
            return [try decode(secret, from: source, in: directory)]
        case .secretService(let item): return try keysFromKeyring(item, in: directory)
        }
    }

    /// The configuration may not name another place than the store's: that would not move the key.
    private func check(_ source: KeySource, in directory: String) throws(StoreError) {
        let agrees =
            switch (preference, source) {
            case (.automatic, _), (.credential, .credential), (.secretService, .secretService), (.file, .file),
                (.passphrase, .passphrase):
                true
            default: false
            }
        guard agrees else {
            throw StoreError(
                .keyRefused, file: directory,
                reason: "the store was made with its key in \(source), but store.key is \"\(preference.rawValue)\"",
                advice: "set store.key to \"auto\", or move the store away to start with a new one")
        }
    }

    private func fromFile(_ path: String) throws(StoreError) -> SourcedKey {
        SourcedKey(source: .file, key: KeyFile.exists(at: path) ? try KeyFile.read(at: path) : try KeyFile.create(at: path))
    }

    private func fromCredential(in directory: String) throws(StoreError) -> SourcedKey {
        let source = KeySource.credential(name: Self.credentialName)
        guard let secret = try credential(Self.credentialName, in: directory) else {
            throw StoreError(
                .keyMissing, file: directory, reason: "store.key is \"credential\", but there is no credential \(Self.credentialName)",
                advice: "add LoadCredential=\(Self.credentialName):PATH to the unit, PATH being a file of 32 random bytes")
        }
        return SourcedKey(source: source, key: try decode(secret, from: source, in: directory))
    }

    private func credential(_ name: String, in directory: String) throws(StoreError) -> Secret? {
        do throws(CredentialUnreadable) { return try readCredential(name) } catch {
            throw StoreError(
                .keyRefused, file: directory, reason: error.reason,
                advice: "check the file that LoadCredential=\(name):PATH names: 32 random bytes, or the line of a key file")
        }
    }

    func decode(_ secret: Secret, from source: KeySource, in directory: String) throws(StoreError) -> SealingKey {
        guard let key = KeyText.decode(madeElsewhere: secret) else {
            throw StoreError(
                .keyRefused, file: directory,
                reason: "what is in \(source) is no key: neither \(SealingKey.byteCount) bytes nor the line of a key file, but "
                    + "\(secret.count) bytes",
                advice: "put the key there, 32 random bytes or the line of a key file")
        }
        return key
    }
}
