import Foundation
import PosternCrypto
import Secrets

/// Private keys made with the `openssl` command. Providers sign with them; Postern itself makes ES256 keys alone.
public enum TestKey {
    public static func rs256(bits: Int = 2048) throws -> SigningKey {
        try SigningKey(pem: pem("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)"), algorithm: .rs256)
    }

    public static func ps256() throws -> SigningKey {
        try SigningKey(pem: pem("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"), algorithm: .ps256)
    }

    public static func ed25519() throws -> SigningKey { try SigningKey(pem: pem("-algorithm", "ED25519"), algorithm: .edDSA) }

    private static func pem(_ arguments: String...) throws -> Secret {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "genpkey"] + arguments
        let output = Pipe()
        process.standardOutput = output
        // Dots, one for each candidate.
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Secret(Array(bytes))
    }
}
