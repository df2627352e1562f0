import COpenSSL
import PosternValues

/// AES-256 in Galois/counter mode (NIST SP 800-38D), with nonces of 96 bits and tags of 128.
enum AESGCM {
    static let nonceSize = 12
    static let tagSize = 16

    /// Returns the ciphertext followed by the tag.
    static func seal(_ plaintext: [UInt8], key: Secret, nonce: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
        let cipher = try CipherContext()
        try cipher.begin(.seal, key: key, nonce: nonce)
        try cipher.authenticate(associatedData)
        var sealed = try cipher.update(plaintext)
        guard try cipher.finish() else { throw CryptoError.failed("sealing") }
        try sealed.append(contentsOf: cipher.tag())
        return sealed
    }

    /// - Parameter sealed: the ciphertext followed by the tag.
    static func open(_ sealed: [UInt8], key: Secret, nonce: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= tagSize else { throw CryptoError(.cannotOpen, "sealed data is cut short: it has no tag") }
        let cipher = try CipherContext()
        try cipher.begin(.open, key: key, nonce: nonce)
        try cipher.expect(tag: Array(sealed.suffix(tagSize)))
        try cipher.authenticate(associatedData)
        let plaintext = try cipher.update(Array(sealed.dropLast(tagSize)))
        guard try cipher.finish() else {
            ErrorQueue.clear()
            throw CryptoError(.cannotOpen, "sealed data does not open: it was changed or moved, or sealed under another key")
        }
        return plaintext
    }
}

/// Owns one `EVP_CIPHER_CTX`, for one message.
private final class CipherContext {
    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    private let context: OpaquePointer

    init() throws(CryptoError) {
        guard let context = EVP_CIPHER_CTX_new() else { throw CryptoError.failed("making a cipher") }
        self.context = context
    }

    /// Also wipes the key schedule.
    deinit { EVP_CIPHER_CTX_free(context) }

    func begin(_ direction: Direction, key: Secret, nonce: [UInt8]) throws(CryptoError) {
        guard key.count == 32, nonce.count == AESGCM.nonceSize else {
            throw CryptoError(.invalidKey, "AES-256-GCM takes a key of 32 bytes and a nonce of \(AESGCM.nonceSize)")
        }
        let begun = key.withBytes { key in
            EVP_CipherInit_ex2(
                context, EVP_aes_256_gcm(), key.baseAddress?.assumingMemoryBound(to: UInt8.self), nonce, direction.rawValue, nil)
        }
        guard begun == 1 else { throw CryptoError.failed("starting AES-256-GCM") }
    }

    func authenticate(_ associatedData: [UInt8]) throws(CryptoError) {
        guard !associatedData.isEmpty else { return }
        guard let count = Int32(exactly: associatedData.count) else {
            throw CryptoError(.operationFailed, "associated data of \(associatedData.count) bytes is too long")
        }
        var length: Int32 = 0
        guard EVP_CipherUpdate(context, nil, &length, associatedData, count) == 1 else {
            throw CryptoError.failed("authenticating associated data")
        }
    }

    /// The whole message at once: GCM is a stream mode, so the output is as long as the input.
    func update(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard !input.isEmpty else { return [] }
        guard let count = Int32(exactly: input.count) else {
            throw CryptoError(.operationFailed, "a message of \(input.count) bytes is too long to seal")
        }
        var output = [UInt8](repeating: 0, count: input.count)
        var length: Int32 = 0
        guard EVP_CipherUpdate(context, &output, &length, input, count) == 1, length == count else {
            throw CryptoError.failed("AES-256-GCM")
        }
        return output
    }

    /// False if the tag is wrong.
    func finish() throws(CryptoError) -> Bool {
        // GCM writes nothing here; the manual requires the space.
        var rest = [UInt8](repeating: 0, count: 16)
        var length: Int32 = 0
        return EVP_CipherFinal_ex(context, &rest, &length) == 1
    }

    func tag() throws(CryptoError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: AESGCM.tagSize)
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagSize), &tag) == 1 else {
            throw CryptoError.failed("reading the tag")
        }
        return tag
    }

    func expect(tag: [UInt8]) throws(CryptoError) {
        var tag = tag
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(AESGCM.tagSize), &tag) == 1 else {
            throw CryptoError.failed("setting the tag")
        }
    }
}
