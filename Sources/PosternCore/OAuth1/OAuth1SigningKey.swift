/// The key of HMAC-SHA1 signatures (RFC 5849 section 3.4.2): both secrets, encoded and joined, the `&` also where one is missing.
struct OAuth1SigningKey {
    private let bytes: [UInt8]

    init(clientSecret: Secret?, tokenSecret: Secret?) {
        bytes = Array("\(Self.encoded(clientSecret))&\(Self.encoded(tokenSecret))".utf8)
    }

    /// In Base64, not yet encoded for a header.
    func signature(over base: SignatureBaseString, cryptography: some Cryptography) -> String {
        Base64.encode(cryptography.hmacSHA1(key: bytes, message: Array(base.text.utf8)))
    }

    private static func encoded(_ secret: Secret?) -> String {
        secret?.withBytes { PercentEncoding.encode($0) } ?? ""
    }
}
