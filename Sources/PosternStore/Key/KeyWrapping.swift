import PosternCore
import PosternCrypto
import StrictJSON

/// A random sealing key, sealed with a key that is derived from a passphrase.
///
/// So the passphrase, and the cost of its derivation, can change without sealing the store again.
public struct KeyWrapping: Sendable, Hashable {
    var salt: [UInt8]
    /// Parameter of scrypt: `N`, `r` and `p`.
    var cost: Int
    var blockSize: Int
    var parallelization: Int
    var sealed: [UInt8]

    /// With fewer characters than this, someone who has only the file can guess it.
    public static let shortestPassphrase = 8
    /// In bytes; anything longer is not a passphrase but a file.
    public static let longestPassphrase = PasswordRules.longestPassphrase

    /// 128 MiB and some tenths of a second for each attempt; OWASP's first choice for scrypt.
    static let usualCost = 1 << 17
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

    /// - Throws: ``CryptoError/Code/cannotOpen`` for another passphrase, or a wrapping that was changed; the two cannot be distinguished.
    func unwrap(with passphrase: Secret) throws(CryptoError) -> SealingKey {
        try SealingKey(bytes: Secret(wrappingKey(passphrase).open(sealed, associatedData: associatedData)))
    }

    private func wrappingKey(_ passphrase: Secret) throws(CryptoError) -> SealingKey {
        try SealingKey(
            bytes: Scrypt.derive(
                password: passphrase, salt: salt, cost: cost, blockSize: blockSize, parallelization: parallelization,
                byteCount: SealingKey.byteCount))
    }

    /// If the parameters were weakened in the file, they do not open what was sealed with others.
    private var associatedData: [UInt8] {
        lengthPrefixed([Array("\(Self.context) \(cost) \(blockSize) \(parallelization)".utf8), salt])
    }
}

/// Unencrypted in the table `meta`: nothing in it is useful without the passphrase.
extension KeyWrapping: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            salt: members("salt", \.salt), cost: members("cost", \.cost), blockSize: members("blockSize", \.blockSize),
            parallelization: members("parallelization", \.parallelization), sealed: members("sealed", \.sealed))
        // Every attempt to unlock the store would cost it.
        guard Scrypt.accepts(cost: cost, blockSize: blockSize, parallelization: parallelization) else {
            throw JSONMemberError(path: "cost", reason: .notAllowed("asks for more work than any passphrase needs"))
        }
    }
}
