import COpenSSL
import PosternValues

/// scrypt (RFC 7914): derives a key from what a user can remember, and makes every guess as expensive as that.
public enum Scrypt {
    /// The most memory it may use, in bytes, whatever a file demands.
    public static let mostMemory = 512 * 1024 * 1024
    /// Each lane does the work of one derivation after the others, in the same memory. RFC 7914's own examples go up to this.
    private static let mostLanes = 16

    /// False for parameters that make no sense, need more than ``mostMemory``, or more time than filling that much once: about two seconds.
    ///
    /// - Parameters: as for ``derive(password:salt:cost:blockSize:parallelization:byteCount:)``.
    public static func accepts(cost: Int, blockSize: Int, parallelization: Int) -> Bool {
        cost > 1 && cost & (cost - 1) == 0 && (1...64).contains(blockSize) && (1...mostLanes).contains(parallelization)
            && cost <= mostMemory / (128 * blockSize * parallelization)
    }

    /// Takes `128 * cost * blockSize` bytes of memory and some tenths of a second: never to be called on an event loop.
    ///
    /// - Parameters:
    ///   - cost: `N`, a power of two above 1.
    ///   - blockSize: `r`.
    ///   - parallelization: `p`.
    /// - Throws: ``CryptoError`` if the parameters are not ones that ``accepts(cost:blockSize:parallelization:)``, or libcrypto fails.
    public static func derive(
        password: Secret, salt: [UInt8], cost: Int, blockSize: Int, parallelization: Int, byteCount: Int
    ) throws(CryptoError) -> Secret {
        guard accepts(cost: cost, blockSize: blockSize, parallelization: parallelization), (1...1024).contains(byteCount) else {
            throw CryptoError(.operationFailed, "these scrypt parameters are not accepted")
        }
        guard let function = EVP_KDF_fetch(nil, "SCRYPT", nil) else { throw CryptoError.failed("scrypt") }
        defer { EVP_KDF_free(function) }
        guard let context = EVP_KDF_CTX_new(function) else { throw CryptoError.failed("scrypt") }
        // Also wipes its copy of the password.
        defer { EVP_KDF_CTX_free(context) }
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 1)
        defer {
            OPENSSL_cleanse(output.baseAddress, output.count)
            output.deallocate()
        }
        var (cost, memory) = (UInt64(cost), UInt64(2 * mostMemory))
        var (blockSize, parallelization) = (UInt32(blockSize), UInt32(parallelization))
        // libcrypto does not accept a null address.
        var nothing: UInt8 = 0
        let isDerived = withUnsafeMutableBytes(of: &nothing) { nothing in
            func bytes(_ name: StaticString, _ bytes: UnsafeRawBufferPointer) -> OSSL_PARAM {
                OSSL_PARAM_construct_octet_string(
                    name.text, bytes.isEmpty ? nothing.baseAddress : UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
            }
            return password.withBytes { password in
                salt.withUnsafeBytes { salt in
                    withUnsafeMutablePointers(&cost, &memory, &blockSize, &parallelization) { cost, memory, blockSize, parallelization in
                        let parameters = [
                            bytes("pass", password), bytes("salt", salt), OSSL_PARAM_construct_uint64(StaticString("n").text, cost),
                            OSSL_PARAM_construct_uint64(StaticString("maxmem_bytes").text, memory),
                            OSSL_PARAM_construct_uint32(StaticString("r").text, blockSize),
                            OSSL_PARAM_construct_uint32(StaticString("p").text, parallelization), OSSL_PARAM_construct_end(),
                        ]
                        return EVP_KDF_derive(
                            context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), output.count, parameters) == 1
                    }
                }
            }
        }
        guard isDerived else { throw CryptoError.failed("scrypt") }
        return Secret(UnsafeRawBufferPointer(output))
    }

    /// Lends four addresses at once.
    private static func withUnsafeMutablePointers<Result>(
        _ first: inout UInt64, _ second: inout UInt64, _ third: inout UInt32, _ fourth: inout UInt32,
        _ body: (
            UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>
        ) -> Result
    ) -> Result { body(&first, &second, &third, &fourth) }
}

extension StaticString {
    /// For C, which keeps the address: it is valid as long as the program runs.
    fileprivate var text: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
