import PosternCrypto
import PosternValues
import Secrets
import TestProcess

/// Private keys made with the `openssl` command. Providers sign with them; Postern itself makes ES256 keys alone.
public enum TestKey {
    public static func rs256(bits: Int = 2048) throws -> SigningKey {
        try SigningKey(pem: pem("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)"), algorithm: .rs256)
    }

    public static func ps256() throws -> SigningKey { try rsa(.ps256) }

    /// The same key each time, with its algorithm: finding the primes of one takes up to a second.
    ///
    /// - Parameter algorithm: RS256 to PS512.
    public static func rsa(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
        try SigningKey(pem: sharedRSA.get(), algorithm: algorithm)
    }

    private static let sharedRSA = Result { try pem("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048") }

    public static func es384() throws -> SigningKey { try SigningKey(pem: pem(curve("P-384")), algorithm: .es384) }

    public static func es512() throws -> SigningKey { try SigningKey(pem: pem(curve("P-521")), algorithm: .es512) }

    private static func curve(_ name: String) -> [String] { ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(name)"] }

    public static func ed25519() throws -> SigningKey { try SigningKey(pem: pem("-algorithm", "ED25519"), algorithm: .edDSA) }

    private static func pem(_ arguments: String...) throws -> Secret { try pem(arguments) }

    private static func pem(_ arguments: [String]) throws -> Secret {
        // To standard error it writes dots, one for each candidate.
        Secret(Array(try TestProcess.run("openssl", ["genpkey"] + arguments, errors: .dropped).output.utf8))
    }
}
