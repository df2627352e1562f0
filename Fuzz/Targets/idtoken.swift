import PosternCore

extension Fuzz {
    /// ID tokens and key sets: the first byte chooses.
    static func idtoken(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        if first == UInt8(ascii: "{") {
            _ = try? KeySet(parsing: bytes)
            _ = try? ProviderMetadata(parsing: bytes, expectedIssuer: "https://login.example.com")
            // The claims are where the values are: wrap them as a token that nobody signed.
            let token = "eyJhbGciOiJSUzI1NiJ9.\(Base64URL.encode(bytes)).AAAA"
            _ = try? UnverifiedIDToken(parsing: Secret(token))
        } else {
            _ = try? UnverifiedIDToken(parsing: Secret(bytes))
        }
    }
}
