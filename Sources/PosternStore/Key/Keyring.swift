import Glibc
import PosternCore
import PosternCrypto

/// The Secret Service, as far as it is needed for the keys of stores. Every store has its own item.
public protocol Keyring: Sendable {
    /// What was saved as the item; several if the keyring has more than one with its name.
    ///
    /// - Throws: ``KeyringUnavailable`` if nobody answers, or the keyring is locked.
    func find(_ item: KeyringItem) throws(KeyringUnavailable) -> [Secret]
    /// Returns when the keyring has stored it, replacing the item's previous value.
    func save(_ key: Secret, as item: KeyringItem) throws(KeyringUnavailable)
}

/// Why a keyring did not answer, in words: "the login keyring is locked".
public struct KeyringUnavailable: Error, Sendable, Hashable {
    public var reason: String
    /// What to do about it. The store is tried again with the next call, so no restart is needed.
    public var advice: String

    public init(reason: String, advice: String = "unlock the keyring; the next call opens the store") {
        self.reason = reason
        self.advice = advice
    }
}

/// The name of one store's item in the keyring; stored unencrypted in the store.
///
/// Random, so that stores in two directories never share an item, and kept in the store, so that it is found again when the directory was
/// moved or restored from a backup.
public struct KeyringItem: Sendable, Hashable, CustomStringConvertible {
    public let name: String

    /// Base64url of 16 bytes; nil for a text that is not a name.
    public init?(_ name: some StringProtocol) {
        guard let bytes = Base64URL.decode(String(name)), bytes.count == Self.byteCount else { return nil }
        self.name = String(name)
    }

    public var description: String { name }

    private static let byteCount = 16

    private init(bytes: [UInt8]) { name = Base64URL.encode(bytes) }

    static func random() throws(CryptoError) -> KeyringItem { KeyringItem(bytes: try RandomBytes.generate(byteCount)) }
}

/// The item that is being created for a store that does not name it yet: a file beside the store.
///
/// If a run saved an item and was stopped, or found the disk full, the next run finds that item again, and does not create another.
struct PendingKeyringItem {
    static let fileName = "keyring-item"

    let path: String

    init(in directory: String) { path = "\(directory)/\(Self.fileName)" }

    /// Nil if there is none, or none that can be read: nothing depends on it.
    var item: KeyringItem? {
        guard let descriptor = try? OwnedFile.open(path, refusing: .refused, name: "the keyring item's file"),
            let bytes = try? descriptor.read(atMost: 64)
        else { return nil }
        return KeyringItem(String(decoding: bytes, as: UTF8.self))
    }

    func write(_ item: KeyringItem) throws(StoreError) {
        let working = "\(path).new"
        try OwnedFile.write(Array(item.name.utf8), to: working)
        guard rename(working, path) == 0 else { throw .system(errno, file: path, action: "cannot be made") }
        try StateDirectory.synchronize(StateDirectory.parent(of: path))
    }

    /// To be called once the store names it.
    func remove() { unlink(path) }
}
