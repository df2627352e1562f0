import PosternCore
import PosternCrypto

/// A text of 256 random bits.
enum RandomToken {
    static func make() throws(OAuthError) -> String {
        do throws(CryptoError) {
            return Base64URL.encode(try RandomBytes.generate(32))
        } catch {
            throw .serverFault
        }
    }
}
