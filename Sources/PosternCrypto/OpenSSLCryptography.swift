import PosternValues

/// ``PosternValues/Cryptography`` with OpenSSL's libcrypto.
public struct OpenSSLCryptography: Cryptography {
    public init() {}

    public func sha256(_ bytes: [UInt8]) -> [UInt8] { Digest.sha256.hash(bytes) }
    public func sha384(_ bytes: [UInt8]) -> [UInt8] { Digest.sha384.hash(bytes) }
    public func sha512(_ bytes: [UInt8]) -> [UInt8] { Digest.sha512.hash(bytes) }

    public func hmacSHA1(key: [UInt8], message: [UInt8]) -> [UInt8] { Digest.sha1.hmac(key: key, message: message) }
    public func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] { Digest.sha256.hmac(key: key, message: message) }
    public func hmacSHA512(key: [UInt8], message: [UInt8]) -> [UInt8] { Digest.sha512.hmac(key: key, message: message) }

    public func es256Signature(over message: [UInt8], privateKeyPEM: Secret) -> [UInt8]? {
        do throws(CryptoError) {
            return try SigningKey(pem: privateKeyPEM, algorithm: .es256).sign(message)
        } catch {
            return nil
        }
    }

    public func isValid(signature: [UInt8], over message: [UInt8], algorithm: SignatureAlgorithm, key: PublicKey) -> Bool {
        do throws(CryptoError) {
            return try SignatureVerification.isValid(signature: signature, over: message, algorithm: algorithm, key: key)
        } catch {
            return false
        }
    }
}
