import PosternCore
import PosternCrypto
import StrictJSON

/// A random sealing key, sealed under a key that is made of a passphrase.
///
/// So the passphrase can change without a store that has to be sealed again, and what it was made with can be raised.
public struct KeyWrapping: Sendable, Hashable {
    var salt: [UInt8]
    /// Of scrypt: `N`, `r` and `p`.
    var cost: Int
    var blockSize: Int
    var parallelization: Int
    var sealed: [UInt8]

    /// Fewer characters than this can be guessed by who has the file alone.
    public static let shortestPassphrase = 8
    /// Bytes; a passphrase that is longer is no passphrase but a file.
    public static let longestPassphrase = PasswordRules.longestPassphrase

    /// 128 MiB and some tenths of a second for each guess; OWASP's first choice for scrypt.
    private static let usualCost = 1 << 17
    private static let saltCount = 16
    private static let context = "postern key wrapping 1"

    /// Wraps a key that is to be kept.
    static func wrap(_ key: SealingKey, with passphrase: Secret, cost: Int = usualCost) throws(CryptoError) -> KeyWrapping {
        var wrapping = KeyWrapping(
            salt: try RandomBytes.generate(saltCount), cost: cost, blockSize: 8, parallelization: 1, sealed: [])
        wrapping.sealed = try wrapping.wrappingKey(passphrase).seal(
            key.bytes.revealBytes(), associatedData: wrapping.associatedData)
        return wrapping
    }

    /// - Throws: ``CryptoError/Code/cannotOpen`` for another passphrase, or a wrapping that was changed; which of them cannot be told.
    func unwrap(with passphrase: Secret) throws(CryptoError) -> SealingKey {
        try SealingKey(bytes: Secret(wrappingKey(passphrase).open(sealed, associatedData: associatedData)))
    }

    private func wrappingKey(_ passphrase: Secret) throws(CryptoError) -> SealingKey {
        try SealingKey(
            bytes: Scrypt.derive(
                password: passphrase, salt: salt, cost: cost, blockSize: blockSize, parallelization: parallelization,
                byteCount: SealingKey.byteCount))
    }

    /// Parameters that were weakened in the file do not open what was sealed under others.
    private var associatedData: [UInt8] {
        lengthPrefixed([Array("\(Self.context) \(cost) \(blockSize) \(parallelization)".utf8), salt])
    }
}

extension KeyWrapping: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            salt: try record.requiredSecret("salt").revealBytes(), cost: try record.required("cost"),
            blockSize: try record.required("blockSize"), parallelization: try record.required("parallelization"),
            sealed: try record.requiredSecret("sealed").revealBytes())
    }

    /// Stands in plain in the table `meta`: nothing in it is good for anything without the passphrase.
    var record: JSONObject {
        var record = JSONObject()
        record.set("salt", secret: Secret(salt))
        record.set("cost", cost)
        record.set("blockSize", blockSize)
        record.set("parallelization", parallelization)
        record.set("sealed", secret: Secret(sealed))
        return record
    }
}
