import COpenSSL

/// Owns one `OSSL_PARAM_BLD`: the named numbers that make up a key.
final class ParameterBuilder {
    private let builder: OpaquePointer
    /// The builder keeps pointers to what was pushed until it is turned into parameters.
    private var numbers: [OpaquePointer] = []

    init() throws(CryptoError) {
        guard let builder = OSSL_PARAM_BLD_new() else { throw CryptoError.failed("reading a key") }
        self.builder = builder
    }

    deinit {
        OSSL_PARAM_BLD_free(builder)
        for number in numbers { BN_free(number) }
        for copy in copies { copy.deallocate() }
    }

    private var copies: [UnsafeMutableRawBufferPointer] = []

    func push(_ name: String, number bytes: [UInt8]) throws(CryptoError) {
        guard let number = BN_bin2bn(bytes, Int32(clamping: bytes.count), nil) else { throw CryptoError.failed("reading a key") }
        numbers.append(number)
        guard OSSL_PARAM_BLD_push_BN(builder, key(name), number) == 1 else { throw CryptoError.failed("reading a key") }
    }

    func push(_ name: String, bytes: [UInt8]) throws(CryptoError) {
        let copy = keep(bytes)
        guard OSSL_PARAM_BLD_push_octet_string(builder, key(name), copy.baseAddress, copy.count) == 1 else {
            throw CryptoError.failed("reading a key")
        }
    }

    func push(_ name: String, text: String) throws(CryptoError) {
        let copy = keep(Array(text.utf8) + [0])
        guard OSSL_PARAM_BLD_push_utf8_string(builder, key(name), copy.baseAddress, 0) == 1 else {
            throw CryptoError.failed("reading a key")
        }
    }

    /// Lends the parameters for one call.
    func withParameters<Result>(_ body: (UnsafeMutablePointer<OSSL_PARAM>) -> Result) throws(CryptoError) -> Result {
        guard let parameters = OSSL_PARAM_BLD_to_param(builder) else { throw CryptoError.failed("reading a key") }
        defer { OSSL_PARAM_free(parameters) }
        return body(parameters)
    }

    /// Names are also kept by pointer, so a Swift string lent for one call is not enough.
    private func key(_ name: String) -> UnsafePointer<CChar>? {
        keep(Array(name.utf8) + [0]).baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
    }

    private func keep(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        copies.append(copy)
        return copy
    }
}
